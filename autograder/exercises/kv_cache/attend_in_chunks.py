"""attend_in_chunks: run a cached attention over x piece by piece, threading the cache."""

import torch

from autograder.authoring.exercise import Exercise, call, normal
from course_utils.model.case import AsTuple, Case, Fake

ex = Exercise(
    "attend_in_chunks(attention, x, chunk_sizes)",
    {"output": "B T d_model"},
    gradients=False,
    devices=False,
    hints=[
        "What does the second call need from the first one?",
        "Each call returns (output, cache_k, cache_v). Keep the two caches, hand them to the next call; keep the outputs, join them at the end.",
        "torch.split(x, list(chunk_sizes), dim=1) cuts x along the tokens (and raises its own error if the sizes do not add up: the exercise wants a ValueError).",
    ],
)


@ex.reference
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("the sizes do not add up")
    pieces, k, v, start = [], None, None, 0
    for size in chunk_sizes:
        piece, k, v = attention(x[:, start : start + size], k, v)
        pieces.append(piece)
        start += size
    return torch.cat(pieces, 1)


def pretended(num_heads, d_head):
    return Fake("PretendedAttention", {"num_heads": num_heads, "d_head": d_head})


@ex.case
def three_chunks(g):
    return call(attention=pretended(2, 3), x=normal(g, 2, 7, 6), chunk_sizes=[4, 1, 2])


@ex.case
def one_by_one(g):
    return call(attention=pretended(1, 4), x=normal(g, 3, 5, 4), chunk_sizes=[1, 1, 1, 1, 1])


@ex.case
def two_chunks(g):
    return call(attention=pretended(3, 2), x=normal(g, 1, 8, 6), chunk_sizes=[3, 5])


@ex.edge
def one_chunk(g):
    return call(attention=pretended(2, 2), x=normal(g, 2, 3, 4), chunk_sizes=[3])


@ex.edge
def one_token(g):
    return call(attention=pretended(2, 1), x=normal(g, 3, 1, 2), chunk_sizes=[1])


@ex.edge
def sizes_in_a_tuple(g):
    return call(attention=pretended(2, 3), x=normal(g, 2, 6, 6), chunk_sizes=AsTuple([3, 1, 2]))


def some_refused(g, more):
    """Six calls; those must raise a ValueError for which x has `more` tokens than the sizes say. They are drawn: neither the
    place of a call nor its sizes tell."""
    case, wrong = Case("", []), g.permutation([1, 0, *g.integers(0, 2, 4)])
    for bad in wrong.tolist():
        sizes = g.integers(2, 5, 2).tolist()
        x = normal(g, 1, sum(sizes) + bad * more, 4)
        case = case.call(
            "", None, "ValueError" if bad else None, attention=pretended(2, 2), x=x, chunk_sizes=sizes
        )
    return case


@ex.edge
def sizes_too_small(g):
    return some_refused(g, 1)


@ex.edge
def sizes_too_large(g):
    return some_refused(g, -1)


@ex.edge
def no_sizes(g):
    return Case("", []).call(
        "", None, "ValueError", attention=pretended(2, 2), x=normal(g, 1, 3, 4), chunk_sizes=[]
    )


def threaded(
    step=lambda attention, x, k, v: attention(x, k, v),
    keep=lambda k, v, new_k, new_v: (new_k, new_v),
    take=lambda x, start, size: x[:, start : start + size],
    join=lambda p: torch.cat(p, 1),
    strict=True,
    advance=lambda start, size: start + size,
):
    """An implementation from its parts: the call, which caches are kept, the piece taken, how outputs are joined."""

    def implementation(attention, x, chunk_sizes):
        if strict and sum(chunk_sizes) != x.shape[1]:
            raise ValueError("the sizes do not add up")
        pieces, k, v, start = [], None, None, 0
        for size in chunk_sizes:
            piece, new_k, new_v = step(attention, take(x, start, size), k, v)
            k, v = keep(k, v, new_k, new_v)
            pieces.append(piece)
            start = advance(start, size)
        return join(pieces)

    return implementation


def torch_refuses(attention, x, chunk_sizes):
    """Leaves it to torch to find that the sizes do not add up: a RuntimeError."""
    x.split(list(chunk_sizes), 1)
    return threaded(strict=False)(attention, x, chunk_sizes)


def all_at_once(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("the sizes do not add up")
    return attention(x)[0]


def first_size_always(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("the sizes do not add up")
    return threaded(strict=False)(
        attention,
        x,
        [chunk_sizes[0]] * (x.shape[1] // chunk_sizes[0])
        + ([r] if (r := x.shape[1] % chunk_sizes[0]) else []),
    )


def prefix_again(attention, x, chunk_sizes):
    """All tokens so far in each call, and of each output the rows of the chunk."""
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("the sizes do not add up")
    pieces, k, v, end = [], None, None, 0
    for size in chunk_sizes:
        end += size
        piece, k, v = attention(x[:, :end], k, v)
        pieces.append(piece[:, -size:])
    return torch.cat(pieces, 1)


ex.mistake(
    "cache_not_passed",
    "each chunk starts with an empty cache: hand the caches that one call returned to the next",
    threaded(step=lambda attention, x, k, v: attention(x)),
)
ex.mistake(
    "only_k_passed",
    "only the keys are handed on: the values are cached too",
    threaded(step=lambda attention, x, k, v: attention(x, k)),
)
ex.mistake(
    "only_v_passed",
    "only the values are handed on: the keys are cached too",
    threaded(step=lambda attention, x, k, v: attention(x, None, v)),
)
ex.mistake(
    "k_and_v_swapped",
    "keys and values are handed on in the wrong order: attention(x, cache_k, cache_v)",
    threaded(step=lambda attention, x, k, v: attention(x, v, k)),
    threaded(keep=lambda k, v, new_k, new_v: (new_v, new_k)),
)
ex.mistake(
    "first_cache_kept",
    "every chunk gets the first chunk's cache: hand on what the *last* call returned",
    threaded(keep=lambda k, v, new_k, new_v: (new_k, new_v) if k is None else (k, v)),
)
ex.mistake(
    "joined_twice",
    "the returned cache is joined to the old one: it holds the old keys already",
    threaded(
        keep=lambda k, v, new_k, new_v: (
            (new_k, new_v) if k is None else (torch.cat([k, new_k], 2), torch.cat([v, new_v], 2))
        )
    ),
)
ex.mistake(
    "not_causal",
    "is_causal=False is passed: the chunks must be causal, as the one full pass is",
    threaded(step=lambda attention, x, k, v: attention(x, k, v, False)),
)
ex.mistake(
    "last_chunk_only",
    "only the last chunk's output is returned: the outputs are concatenated",
    threaded(join=lambda p: p[-1]),
)
ex.mistake(
    "joined_on_wrong_axis",
    "the outputs are joined along the batch: join along the tokens, dim=1",
    threaded(join=lambda p: torch.cat(p, 0)),
)
ex.mistake(
    "stacked_not_concatenated",
    "the outputs are stacked along a new axis: join them along the tokens, torch.cat(..., dim=1)",
    threaded(join=lambda p: torch.stack(p, 1)),
    threaded(join=torch.stack),
)
ex.mistake(
    "reversed_outputs",
    "the outputs are joined in reverse order",
    threaded(join=lambda p: torch.cat(p[::-1], 1)),
)
ex.mistake(
    "whole_prefix_again",
    "each call gets all tokens so far: with a cache only the new ones are passed",
    threaded(take=lambda x, start, size: x[:, : start + size]),
    prefix_again,
)
ex.mistake(
    "always_from_the_start",
    "every chunk is taken from the beginning of x: move on by the size of the chunk",
    threaded(advance=lambda start, size: start),
)
ex.mistake(
    "all_at_once", "x is passed in one piece: the point is to pass it in the given chunks", all_at_once
)
ex.mistake(
    "first_size_for_all", "every chunk has the first one's size: use each size in turn", first_size_always
)
ex.mistake(
    "sizes_not_checked",
    "sizes that do not add up to the number of tokens must raise a ValueError",
    threaded(strict=False),
    torch_refuses,
    lambda attention, x, chunk_sizes: (
        threaded(strict=False)(attention, x, chunk_sizes) if chunk_sizes else x[:, :0]
    ),
)
