"""What the interviewer needs while a program is written: for each topic of `interview`, what to listen for,
hints and when to give them, and the criteria. The follow-ups are the topic's own stages."""

from dataclasses import dataclass

START = "after two minutes without a line"
STUCK = "if the same error comes twice"
LATE = "when half of the time is over and nothing runs"


@dataclass(frozen=True)
class Notes:
    """criteria: names in rubric.py. listen: points. hints: ((when, what to say), ...)."""

    criteria: tuple
    listen: tuple
    hints: tuple


LAYER = ("shapes", "mask", "edge", "cost")
PROGRAMS = {
    "causal_mask": Notes(
        LAYER,
        (
            "asks or says what True means before writing",
            "rows are queries, the diagonal stays open",
            "tries T = 1, and prints a small mask",
        ),
        (
            (START, "Write the condition for query i and key j as a sentence first."),
            (STUCK, "Print the mask for three tokens and compare it with your sentence."),
            (LATE, "A loop over i and j is fine: make it fast afterwards."),
        ),
    ),
    "stable_softmax": Notes(
        ("shapes", "edge", "cost"),
        (
            "says along which axis, and that rows sum to 1",
            "the maximum is taken for each row, and its axis kept",
            "tries 10 000, and one entry alone",
        ),
        (
            (START, "Write it for one row, and ignore overflow at first."),
            (STUCK, "What is the shape of the maximum, and what is it subtracted from?"),
            (LATE, "What could you subtract without changing the result?"),
        ),
    ),
    "mha": Notes(
        LAYER,
        (
            "(B, T, D) to (B, H, T, d_head) by split and transpose",
            "divides by the root of d_head; softmax over keys",
            "merges with transpose before reshape; an output projection",
            "compares with one head, or perturbs a later token",
        ),
        (
            (START, "Write one head for one sequence first."),
            (STUCK, "Write the shape behind every line."),
            (LATE, "Leave the mask out: it is asked for later."),
        ),
    ),
    "cached_mha": Notes(
        LAYER,
        (
            "keys and values are kept, queries are not",
            "old before new; positions of the queries begin at the cache's length",
            "several tokens at once need a mask with an offset",
            "compares chunks with one call over the whole text",
        ),
        (
            (START, "Write the layer without a cache, then say what a second call needs of the first."),
            (STUCK, "How many queries and how many keys are there in the second call?"),
            (LATE, "One token at a time is enough at first: which mask does it need?"),
        ),
    ),
    "gqa": Notes(
        LAYER,
        (
            "says which query heads share which kv head",
            "repeat_interleave, or a grouped axis without copying",
            "the scale is by d_head, as before",
            "tries kv heads = heads and kv heads = 1",
        ),
        (
            (START, "Write it for kv heads = heads, then let two share."),
            (STUCK, "With 4 heads and 2 kv heads: which kv head belongs to heads 0, 1, 2 and 3?"),
            (LATE, "A loop over the kv heads is fine."),
        ),
    ),
    "rope": Notes(
        ("shapes", "edge", "cost"),
        (
            "an angle for each pair of features and each position",
            "queries and keys are turned, values are not",
            "position 0 stays; lengths of vectors stay",
            "a product of two turned vectors depends on the distance alone",
        ),
        (
            (START, "Turn one pair of numbers by one angle first."),
            (STUCK, "Print the shape of the angles: one for each position and each pair."),
            (LATE, "Say which feature is the partner of feature 0, in the convention that you chose."),
        ),
    ),
    "online_softmax": Notes(
        ("shapes", "edge", "cost"),
        (
            "carries a maximum and a sum (and a mix of values)",
            "rescales what was summed when the maximum grows",
            "begins with minus infinity and 0",
            "compares with a plain softmax, with a maximum in the last block",
        ),
        (
            (START, "Which two numbers of the entries read so far do you need?"),
            (STUCK, "The maximum grew from m to M. By which factor is the old sum wrong?"),
            (LATE, "Do it for one row of numbers, one entry at a time."),
        ),
    ),
    "generate_loop": Notes(
        ("shapes", "edge", "cost"),
        (
            "takes the logits of the last place",
            "the new token goes behind the prompt and in again",
            "no gradients are kept",
            "tries 0 new tokens, or a prompt of one",
        ),
        (
            (START, "What does the model return, and which row of it is about the next token?"),
            (STUCK, "Print the shape of the logits and of what you append."),
            (LATE, "Greedy is enough: take the largest."),
        ),
    ),
}
BUGS = (
    "reads the whole program before touching it, and says what each part should do",
    "names the line and what it does instead",
    "gives an input on which it shows, and what should come out",
    "a program may be right: says what would convince them",
)
BUG_HINTS = (
    ("after two minutes of silence", "Say the shape of every name, line by line."),
    ("if a line is guessed", "On which input would that line go wrong? Say the numbers."),
    (LATE, "Take one sequence of two tokens and go through it by hand."),
)
