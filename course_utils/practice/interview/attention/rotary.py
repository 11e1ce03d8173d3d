"""Attention with rotary positions in it, whole or with a cache: two more ways to answer the topic rope."""

from ..ways import Problem, Wrong
from .cached_calls import ways as cached_ways
from .calls import ways
from .draw import draw
from .readings import readings
from .reference import attention

STYLES = ("half", "interleaved")
SIZES = [
    {"B": 2, "T": 5, "H": 3, "d": 4},
    {"B": 1, "T": 1, "H": 2, "d": 2},
    {"B": 3, "T": 4, "H": 1, "d": 6},
    {"B": 2, "T": 6, "H": 4, "d": 2, "large": 2.0},
]
FED = [
    {"B": 2, "T": 6, "H": 3, "d": 4, "chunks": [3, 1, 2]},
    {"B": 1, "T": 3, "H": 2, "d": 2, "chunks": [1, 1, 1]},
    {"B": 3, "T": 5, "H": 1, "d": 6, "chunks": [2, 2, 1]},
]


def each(**slips):
    return [attention(rope=style, causal=causal, **slips) for style in STYLES for causal in (True, False)]


WRONGS = {
    "values_turned": Wrong(
        "Values are turned too: a position belongs into the scores, so turn queries and keys alone.",
        [attention(rope=f"{style} v", causal=causal) for style in STYLES for causal in (True, False)],
    ),
    "not_in_the_scores": Wrong(
        "The numbers are those of attention without positions: turn queries and keys before their product.",
        [attention(causal=causal) for causal in (True, False)],
    ),
    "no_scale": Wrong(
        "The scores are not scaled: divide them by the root of d_head before the softmax.", each(scale="none")
    ),
}
LATER = {
    "start_ignored": Wrong(
        "New queries are turned as if they began at position 0: they come after all that is cached.",
        each(rope_from="zero"),
    ),
    "cache_unused": Wrong(
        "A call sees only its own tokens: the cached keys and values are not used.", each(cache="own")
    ),
}


def rotary_attention():
    """A layer, or a function of queries, keys and values in heads."""
    draws = [draw(seed, **one) for seed, one in enumerate(SIZES, 51)]
    rights = {
        f"{style} {'causal' if causal else 'plain'}": attention(rope=style, causal=causal)
        for style in STYLES
        for causal in (True, False)
    }
    return Problem(
        "attention with rope",
        draws,
        lambda obj, said: (any_variant(one) for one in ways(obj, said, draws[0], True)),
        readings,
        rights,
        WRONGS,
    )


def any_variant(way):
    """The same way; any of the references may be the right one."""
    run = way.run

    def noted(given):
        outcome = run(given)
        outcome.notes.pop("variants", None)
        return outcome

    way.run = noted
    return way


def cached_rotary_attention():
    draws = [draw(seed, **one) for seed, one in enumerate(FED, 61)]

    def read(outcome, given):
        for reading in readings(outcome, {**given, "chunks": outcome.notes["chunks"]}):
            reading.memo = (reading.memo, tuple(outcome.notes["chunks"]))
            yield reading

    return Problem(
        "attention with rope and a cache",
        draws,
        lambda obj, said: (any_variant(one) for one in cached_ways(obj, said, draws[0])),
        read,
        {style: attention(rope=style) for style in STYLES},
        {**LATER, **WRONGS},
    )
