"""The topics: what is to be written, in stages, with a question between them, and where to read again."""

from dataclasses import dataclass
from typing import Any

from . import causal_mask, rope
from .attention import cached, problems, rotary
from .generation import problem as generate_loop
from .online import problem as online_softmax
from .questions import QUESTIONS
from .softmax import problem as stable_softmax


@dataclass
class Stage:
    """name: in a few words. text: the task. problem(): what checks it; None for a question. question: its
    name. revise: where it is taught. others: problems of which each is the task in another form."""

    name: str
    text: str = ""
    problem: Any = None
    question: str = ""
    revise: str = ""
    others: tuple = ()


@dataclass
class Topic:
    """name: as it is typed. title: as it is read. stages: in their order."""

    name: str
    title: str
    stages: list
    minutes: int = 20

    @property
    def parts(self):
        return [Part(one.name, one.text, one.name, one.question, one.revise) for one in self.stages]


@dataclass(frozen=True)
class Part:
    """One step of a topic. exercise: the sheet that checks it, "" for a
    question. question: a name in QUESTIONS.
    signature, stub: what the card offers to copy."""

    name: str
    text: str
    exercise: str = ""
    question: str = ""
    revise: str = ""
    signature: str = ""
    stub: str = ""
    hints: tuple = ()


def names():
    """All topics, in the order in which a card lists them."""
    return list(TOPICS)


def topic(name):
    """The Topic of this name; KeyError for an unknown one."""
    return TOPICS[name]


def ask(name, revise=""):
    return Stage("a question", question=name, revise=revise, text=QUESTIONS[name].prompt)


CACHED = Stage(
    "with a cache, one token at a time",
    "Now with a cache. Tokens come in several calls, one or a few at a time, and keys and values of earlier "
    "calls are kept and not worked out again. All outputs together are those of one causal call over the "
    "whole text.",
    cached.cached_mha,
    revise="04, section 4.4 (The layer that remembers)",
)
PADDED = Stage(
    "with padding",
    "Now with padding. The sentences of a batch have different lengths, and what fills the short ones up "
    "is at the end. No real token may attend to it; how lengths or a mask come in is your choice.",
    problems.padded_mha,
    revise="01, sections 1.8 and 1.9 (Padding)",
)
GROUPED = Stage(
    "with fewer kv heads",
    "Now with fewer kv heads than heads, say two. Neighbouring heads share one head of keys and values. The "
    "cache and the causal mask may stay, and are not needed.",
    problems.gqa,
    revise="04, section 4.8 (Fewer heads to keep)",
    others=(cached.cached_gqa,),
)
TOPICS = {
    topic.name: topic
    for topic in [
        Topic(
            "causal_mask",
            "The causal mask",
            [
                Stage(
                    "the mask",
                    "Make the causal mask of T tokens: rows are queries, columns are keys. A token may "
                    "attend to "
                    "itself and to what came before it. Say it with True and False, with numbers to add, "
                    "or on scores that come in.",
                    causal_mask.base,
                    revise="01, section 1.5 (The causal mask)",
                ),
                ask("cells_of_a_chunk", "04, section 4.3 (Prefill, decode, chunk)"),
                Stage(
                    "with a cache",
                    "Now with a cache. Some tokens are cached already, and a few new ones come: make the "
                    "mask of the new queries and all keys. Which two numbers come in is your choice.",
                    causal_mask.cached,
                    revise="01, section 1.13 (With a cache, queries do not start at 0)",
                ),
                Stage(
                    "with padding",
                    "Now with padding. The sentences of a batch have different lengths, and what fills "
                    "them up is "
                    "at the end: make the mask of the batch that hides both the future and the padding. "
                    "Lengths come in, or a table of what is real.",
                    causal_mask.padded,
                    revise="01, section 1.9 (Both at once, and the shapes)",
                ),
            ],
        ),
        Topic(
            "stable_softmax",
            "A softmax that does not overflow",
            [
                Stage(
                    "the softmax",
                    "Write the softmax of a vector, or of each row of a table. Entries may be as large "
                    "as 10 000, or as small as -10 000. Use exp, sums and maxima, and no ready-made softmax.",
                    stable_softmax.base,
                    revise="01, section 1.4 (Softmax, and why it needs its maximum)",
                ),
                ask("passes_of_softmax", "01, section 1.4 (Softmax, and why it needs its maximum)"),
                Stage(
                    "with any leading axes",
                    "Now for an array with any number of axes. The softmax runs along the last one. All "
                    "sizes may be 1.",
                    stable_softmax.any_axes,
                    revise="01, section 1.4 (Softmax, and why it needs its maximum)",
                ),
                Stage(
                    "with a mask",
                    "Now with a mask of the same shape. What is masked gets weight 0, and the rest of "
                    "the row sums to 1. A row in which everything is masked becomes zeros.",
                    stable_softmax.masked,
                    revise="01, section 1.10 (A row with nothing left)",
                ),
            ],
        ),
        Topic(
            "mha",
            "Multi-head self-attention",
            [
                Stage(
                    "the layer",
                    "Write multi-head self-attention over a batch of sequences, from vectors to vectors, "
                    "with "
                    "projections for queries, keys, values and the output. A function or a class, in any "
                    "layout. A causal mask is welcome and not needed yet.",
                    problems.mha,
                    revise="03, section 3.7 (The layer)",
                ),
                ask("parameters_of_mha", "03, section 3.10 (What it costs)"),
                Stage(
                    "causal",
                    "Now causal. No output may depend on a later token. A mask may come in, or be made "
                    "inside.",
                    problems.causal_mha,
                    revise="03, section 3.9 (The decoder's version)",
                ),
                ask("time_of_attention", "03, section 3.10 (What it costs)"),
                PADDED,
                CACHED,
                GROUPED,
            ],
        ),
        Topic(
            "cached_mha",
            "Multi-head attention with a key-value cache",
            [
                Stage(
                    "the layer",
                    "Write causal multi-head self-attention that keeps keys and values between calls. "
                    "The first "
                    "call may bring several tokens, later ones bring one or a few. All outputs together "
                    "are those of one call over the whole text.",
                    cached.cached_mha,
                    revise="04, section 4.4 (The layer that remembers)",
                ),
                ask("cost_of_a_step", "04, section 4.5 (How much faster?)"),
                Stage(
                    "with fewer kv heads",
                    "Now with fewer kv heads than heads, say two. Neighbouring heads share one head of "
                    "keys and values, and the cache keeps only these. All else stays as it was.",
                    cached.cached_gqa,
                    revise="04, section 4.8 (Fewer heads to keep)",
                ),
            ],
        ),
        Topic(
            "gqa",
            "Grouped-query attention",
            [
                Stage(
                    "the function",
                    "Write grouped-query attention: there are fewer heads of keys and values than heads of "
                    "queries, and neighbouring query heads share one. A function of queries, keys and "
                    "values is enough, a whole layer is welcome. With or without a causal mask.",
                    problems.gqa,
                    revise="04, section 4.8 (Fewer heads to keep)",
                ),
                ask("saved_by_groups", "04, section 4.6 (What it costs: memory)"),
                Stage(
                    "with a cache, one token at a time",
                    "Now as a layer with a cache and a causal mask. Tokens come in several calls, one or "
                    "a few at a time. The cache keeps only the kv heads.",
                    cached.cached_gqa,
                    revise="04, section 4.8 (Fewer heads to keep)",
                ),
            ],
        ),
        Topic(
            "rope",
            "Rotary positions",
            [
                Stage(
                    "the rotation",
                    "Write rotary position embedding: turn queries, keys or both by their positions, "
                    "which begin at 0. The base is 10 000. Half-split or interleaved, as you like.",
                    rope.base,
                    revise="07, section 7.2 (RoPE: positions as angles)",
                    others=(rotary.rotary_attention,),
                ),
                ask("parameters_of_rope", "07, section 7.2 (RoPE: positions as angles)"),
                Stage(
                    "from a later position",
                    "Now for a step with a cache. The first token that comes in is not at position 0: its "
                    "position comes in as well, or all positions, or a table of their angles.",
                    rope.later,
                    revise="07, section 7.2 (RoPE: positions as angles)",
                    others=(rotary.cached_rotary_attention,),
                ),
                *(
                    ask(name, "07, section 7.2 (RoPE: positions as angles)")
                    for name in ("whole_turn_of_rope", "products_of_rope")
                ),
            ],
        ),
        Topic(
            "online_softmax",
            "Online softmax",
            [
                Stage(
                    "one pass",
                    "Write a softmax that reads its entries once, in order, one by one or in blocks, with a "
                    "running maximum and a running sum. Give the weights, or maximum and sum, or a mix "
                    "of values, or all of attention. Entries may be far below 0, or large.",
                    online_softmax.base,
                    revise="07, section 7.4 (Online softmax: exact, and the table never exists)",
                ),
                *(
                    ask(name, "07, section 7.4 (Online softmax: exact, and the table never exists)")
                    for name in ("memory_of_online", "sum_after_a_block", "exps_of_blocks")
                ),
            ],
        ),
        Topic(
            "generate_loop",
            "The generation loop",
            [
                Stage(
                    "the loop",
                    "Write the loop that makes text. It gets a model, which gives logits for every place, a "
                    "prompt, and the number of new tokens. It returns the prompt and the new tokens "
                    "behind it.",
                    generate_loop.base,
                    revise="06, section 6.4 (It speaks)",
                ),
                ask("tokens_read_without_a_cache", "04, section 4.5 (How much faster?)"),
                Stage(
                    "with a cache",
                    "Now with a cache. The model is called as `model(tokens, cache)`, with None before "
                    "there is "
                    "one, and gives logits and the new cache. After the prompt it reads only the newest "
                    "token.",
                    generate_loop.cached,
                    revise="06, section 6.4 (It speaks)",
                ),
                Stage(
                    "with an end",
                    "Now with a token that ends the text. It comes in as a number, and the loop stops "
                    "after it. The token itself is still part of what is returned.",
                    generate_loop.ending,
                    revise="06, section 6.4 (It speaks)",
                ),
            ],
        ),
    ]
}
REVISE = {
    "no_scale": "02, section 2.8 (Why √d_head)",
    "scale_sqrt_D": "02, section 2.8 (Why √d_head)",
    "scale_d": "02, section 2.8 (Why √d_head)",
    "scale_times": "02, section 2.8 (Why √d_head)",
    "split_by_view": "02, section 2.6 (Split)",
    "merge_by_view": "02, section 2.7 (Merge)",
    "merge_order": "02, section 2.7 (Merge)",
    "mask_after_softmax": "03, section 3.8 (mask after the softmax)",
    "filled_with_zero": "01, section 1.6 (The mask meets the scores)",
    "own_key_masked": "01, section 1.5 (The causal mask)",
    "one_ahead": "01, section 1.5 (The causal mask)",
    "mask_inverted": "01, section 1.7 (One mask, three dialects)",
    "no_output_projection": "03, section 3.6 (What W_O does)",
    "no_maximum": "01, section 1.4 (Softmax, and why it needs its maximum)",
    "top_left": "04, section 4.3 (Prefill, decode, chunk)",
    "new_before_old": "04, section 4.4 (the wrong order)",
    "tiled": "04, section 4.8 (Fewer heads to keep)",
    "folded_mask": "04, section 4.8 (Fewer heads to keep)",
    "empty_places": "04, section 4.4 (The layer that remembers)",
    "counts_calls": "04, section 4.4 (The layer that remembers)",
    "start_ignored": "07, section 7.2 (RoPE: positions as angles)",
    "values_turned": "07, section 7.2 (RoPE: positions as angles)",
    "one_end_for_all": "06, section 6.5 (Several prompts at once)",
    "goes_on_after_end": "06, section 6.5 (Several prompts at once)",
    "read_twice": "04, section 4.5 (How much faster?)",
    "cache_not_updated": "04, section 4.4 (The layer that remembers)",
}
