"""Attention with a cache: what is right, and what is known to go wrong."""

from ..ways import Problem, Wrong
from .cached_calls import ways
from .draw import draw
from .looks import shared_default
from .problems import ATTENTION, GROUPED, WRONGS, both, without_heads
from .readings import readings
from .reference import attention

ONE_TOKEN = (
    "one_token",
    "It is right for one new token in each call, and not for several at once: those need a mask among them, "
    "and every shape that goes with it. Is it meant for one token per call? Then say so: "
    "`interview.check(NAME, one_token=True)`.",
    ("no_mask",),
)

CACHE = {
    "no_mask": Wrong(
        "Within a call of several tokens there is no mask: each of them sees those that come after it.",
        [attention(causal=False), attention(cache="mask in first")],
    ),
    "new_before_old": Wrong(
        "New keys are put before the cached ones: order is time, so old comes before new.",
        [attention(cache="new_first"), attention(keys="v new first"), attention(keys="k new first")],
    ),
    "top_left": Wrong(
        "The mask begins at the top left: the first new query comes after all cached keys and sees all "
        "of them.",
        [attention(cache="top_left"), attention(cache="top_left", fill=-1e9)],
    ),
    "cache_unused": Wrong(
        "A call sees only its own tokens: the cached keys and values are not used.",
        both(cache="own"),
    ),
    "only_last_call": Wrong(
        "The cache holds only the tokens of the call before: add to it, and do not replace it.",
        both(cache="last"),
    ),
    "new_left_out": Wrong(
        "A new token does not see itself: its own key and value belong to the cache before it attends.",
        both(cache="old_only"),
    ),
    "appended_twice": Wrong(
        "New keys and values are in the cache twice: they are appended once too often.",
        both(cache="twice"),
    ),
    "empty_places": Wrong(
        "The whole cache is attended to, with the places that nothing was written to: cut it off after the "
        "newest token, or mask the rest.",
        [
            maker
            for size in ("all", "32", "64", "128", "256", "512", "1024", "2048")
            for maker in both(empty=size)
        ]
        + [attention(empty=f"{size} single") for size in ("all", "32", "64", "128", "256", "512", "1024")],
    ),
    "values_are_keys": Wrong(
        "Keys and values are mixed up in the cache: what is kept as values are keys, or the other way round.",
        [maker for how in ("k in v", "v in k", "k in v at first") for maker in both(cache=how)],
    ),
    "scaled_again": Wrong(
        "The keys in the cache are scaled once more in each call: scale the queries, or the scores.",
        both(cache="scaled again"),
    ),
    "first_call_lost": Wrong(
        "Keys and values of the first call are not kept: the cache begins with the second one.",
        both(cache="first lost"),
    ),
    "later_mask_off": Wrong(
        "With a cache the mask is one off: query i of a call has the position cached + i, and sees itself "
        "and all before it.",
        [attention(shift_later=shift, fill=fill) for shift in (-1, 1) for fill in (-float("inf"), -1e9)],
    ),
    "counts_calls": Wrong(
        "The place to write at goes on by one for each call: it goes on by the number of new tokens.",
        [attention(cache="by call")],
    ),
    "first_call_only": Wrong(
        "The cache stays what the first call made: each call adds to what the one before handed back.",
        both(cache="first"),
    ),
}
SIZES = [
    {"B": 2, "T": 6, "H": 3, "d": 4, "chunks": [3, 1, 2]},
    {"B": 1, "T": 3, "H": 2, "d": 3, "chunks": [1, 1, 1]},
    {"B": 3, "T": 5, "H": 1, "d": 6, "chunks": [2, 2, 1]},
    {"B": 2, "T": 5, "H": 4, "d": 2, "chunks": [4, 1], "large": 3.0},
    {"B": 3, "T": 4, "H": 5, "d": 3, "chunks": [3, 1], "loud": True},
]


def read(outcome, given):
    """As without a cache; how the calls were cut is in the input that the references get."""
    for reading in readings(outcome, {**given, "chunks": outcome.notes["chunks"]}):
        reading.memo = (reading.memo, tuple(outcome.notes["chunks"]))
        yield reading


def cached_mha(name="cached_mha", sizes=SIZES, extra=None):
    draws = [draw(seed, **one) for seed, one in enumerate(sizes, 31)]
    right = attention()
    return Problem(
        name=name,
        draws=draws,
        ways=lambda obj, said: ways(obj, said, draws[0]),
        readings=read,
        rights={"causal": right, "one token": right, "one token?": right},
        wrongs={**CACHE, **(extra or {}), **without_heads(WRONGS)},
        look=shared_default,
        vague={"one token?": ONE_TOKEN},
        roles=("x", "cache", "cache_k", "cache_v", "heads", "one_token", "start"),
        ready_made=ATTENTION,
    )


def cached_gqa():
    sizes = [
        {"B": 2, "T": 6, "H": 6, "Hkv": 2, "d": 2, "chunks": [3, 1, 2]},
        {"B": 1, "T": 3, "H": 4, "Hkv": 2, "d": 3, "chunks": [1, 1, 1]},
        {"B": 3, "T": 5, "H": 4, "Hkv": 1, "d": 3, "chunks": [2, 2, 1]},
        {"B": 2, "T": 5, "H": 6, "Hkv": 3, "d": 4, "chunks": [4, 1], "large": 3.0},
        {"B": 3, "T": 5, "H": 4, "Hkv": 2, "d": 3, "chunks": [3, 2], "loud": True},
    ]
    return cached_mha("gqa with a cache", sizes, GROUPED)
