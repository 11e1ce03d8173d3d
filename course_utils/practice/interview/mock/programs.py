"""What the interviewer needs while a program is written: for each topic of `interview`, what to listen for,
hints and when to give them, and the criteria. What follows first are the topic's own stages; `then` is for
who is through with them."""

from dataclasses import dataclass

START = "after two minutes without a line"
STUCK = "if the same error comes twice"
LATE = "when half of the time is over and nothing runs"


@dataclass(frozen=True)
class Notes:
    """criteria: names in rubric.py. listen: points. hints: ((when, what to say), ...). then: ((question,
    answer), ...), what to ask when the program is done."""

    criteria: tuple
    listen: tuple
    hints: tuple
    then: tuple = ()


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
        (
            (
                "One prompt, always the likeliest token, alone and in a batch of 64: may the texts differ?",
                "Yes. For another batch size kernels cut their sums into other pieces, and rounding differs. "
                "Where two logits are nearly equal, another token wins, and from there on the texts part. "
                "Kernels whose order of adding does not depend on the batch prevent it, and are slower.",
            ),
            (
                "The cache is to be kept in 4 bits. Which numbers share a scale?",
                "Of keys those of one feature over a group of tokens, of values those of one token: in many "
                "models a few features are large in all keys, and one of them would spoil the scale of a "
                "whole key. So the newest keys wait in 16 bits until their group is full.",
            ),
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
        (
            (
                "Does it make prefill faster, too?",
                "Hardly. Scores and mix take as many multiply-adds as before; only the projections of keys "
                "and values are smaller. It is decode that reads fewer bytes.",
            ),
            (
                "8 GPUs share the layer by heads, and there are 4 kv heads. What becomes of the cache?",
                "A GPU needs the kv head of its query heads, so two hold the same one: all together keep the "
                "cache twice.",
            ),
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
        (
            (
                "A model was trained on 8k tokens and is to read 32k. Which pairs make the trouble?",
                "The slow ones: within 8k they have not turned once, so beyond it come angles that no text "
                "in training had. Fast pairs have been through all of theirs many times.",
            ),
            (
                "What can be done to the angles?",
                "Divide all positions by 4: no angle is new, but neighbours are closer than the model knows "
                "them. Or a larger base: it slows the slow pairs and leaves the fastest as it is. YaRN goes "
                "pair by pair: what turned often within 8k stays, what never turned once is slowed by 4, and "
                "the scores get another temperature. All of them gain by some training.",
            ),
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
        (
            (
                "Two processors read half of the keys each. How are their results put together?",
                "Each has a maximum m, a sum l and a mix o that was not divided yet. With M the larger "
                "maximum, l and o of each are multiplied by exp(m - M) and added; o is divided by l once. So "
                "a decode step over a long text can be split among processors.",
            ),
            (
                "Each sends its mix divided already, and one number. Which one, and what for?",
                "m + log(l), the logarithm of its sum. Its exp, divided by the sum of all of these, is the "
                "weight of that part.",
            ),
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
