"""attend_in_chunks: run a cached attention over x chunk by chunk, passing the cache on."""

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise
from course_utils.model.case import AsTuple, Case, Fake

ex = Exercise(
    {"output": "B T d_model"},
    gradients=False,
    devices=False,
    hints="""
    What does the second call need from the first one?

    Each call returns (output, cache_k, cache_v). Keep the two caches and pass them to the next call; keep the
    outputs and join them at the end.

    torch.split(x, list(chunk_sizes), dim=1) cuts x along the tokens (and raises its own error if the sizes do
    not add up: the exercise wants a ValueError).

        output, cache_k, cache_v = attention(chunk, cache_k, cache_v)
    """,
)


def check_sizes(x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("the sizes do not add up")


@ex.reference
def attend_in_chunks(attention, x, chunk_sizes):
    check_sizes(x, chunk_sizes)
    pieces, k, v, start = [], None, None, 0
    for size in chunk_sizes:
        piece, k, v = attention(x[:, start : start + size], k, v)
        pieces.append(piece)
        start += size
    return torch.cat(pieces, 1)


def pretended(num_heads, d_head):
    return Fake("PretendedAttention", {"num_heads": num_heads, "d_head": d_head})


def chunked(g, B, T, num_heads, d_head, chunk_sizes):
    x = normal(g, B, T, num_heads * d_head)
    return call(attention=pretended(num_heads, d_head), x=x, chunk_sizes=chunk_sizes)


ex.case(
    three_chunks=lambda g: chunked(g, 2, 13, 3, 4, [5, 1, 7]),
    one_by_one=lambda g: chunked(g, 3, 5, 2, 4, [1, 1, 1, 1, 1]),
    two_chunks=lambda g: chunked(g, 1, 9, 3, 2, [4, 5]),
)
ex.edge(
    one_chunk=lambda g: chunked(g, 2, 3, 2, 2, [3]),
    one_token=lambda g: chunked(g, 3, 1, 2, 1, [1]),
    sizes_in_a_tuple=lambda g: chunked(g, 2, 7, 2, 4, AsTuple([4, 1, 2])),
)


def calls_with_bad_sizes(g, more):
    """A case of six calls, one to five of them bad: there x has `more` tokens more than the sizes add up to,
    and a ValueError must be raised. Which calls are bad is drawn, so that their order does not tell."""
    case, is_bad = Case("", []), g.permutation([1, 0, *g.integers(0, 2, 4)])
    for bad in is_bad.tolist():
        sizes = g.integers(2, 5, 2).tolist()
        x = normal(g, 1, sum(sizes) + bad * more, 4)
        raises = "ValueError" if bad else None
        case = case.call("", None, raises, attention=pretended(2, 2), x=x, chunk_sizes=sizes)
    return case


ex.edge(
    sizes_too_small=lambda g: calls_with_bad_sizes(g, 1),
    sizes_too_large=lambda g: calls_with_bad_sizes(g, -1),
)


@ex.edge
def no_sizes(g):
    x = normal(g, 1, 3, 4)
    return Case("", []).call("", None, "ValueError", attention=pretended(2, 2), x=x, chunk_sizes=[])


def variant(
    step=lambda attention, x, k, v: attention(x, k, v),
    keep=lambda k, v, new_k, new_v: (new_k, new_v),
    take=lambda x, start, size: x[:, start : start + size],
    join=lambda pieces: torch.cat(pieces, 1),
    check=check_sizes,
    advance=lambda start, size: start + size,
):
    """An implementation with these steps: the call, the caches that are kept, the chunk, how outputs are
    joined, the check of the sizes, and the start of the next chunk."""

    def implementation(attention, x, chunk_sizes):
        check(x, chunk_sizes)
        pieces, k, v, start = [], None, None, 0
        for size in chunk_sizes:
            piece, new_k, new_v = step(attention, take(x, start, size), k, v)
            k, v = keep(k, v, new_k, new_v)
            pieces.append(piece)
            start = advance(start, size)
        return join(pieces)

    return implementation


def unchecked(x, chunk_sizes):
    """Accept any sizes."""


def prefix_again(attention, x, chunk_sizes):
    """Passes all tokens so far in each call, and keeps the chunk's rows of the output."""
    check_sizes(x, chunk_sizes)
    pieces, k, v, end = [], None, None, 0
    for size in chunk_sizes:
        end += size
        piece, k, v = attention(x[:, :end], k, v)
        pieces.append(piece[:, -size:])
    return torch.cat(pieces, 1)


sizes_not_checked = variant(check=unchecked)


def torch_refuses(attention, x, chunk_sizes):
    """Leaves the check of the sizes to torch, which raises a RuntimeError."""
    x.split(list(chunk_sizes), 1)
    return sizes_not_checked(attention, x, chunk_sizes)


ex.wrong(
    "cache_not_passed: each chunk starts with an empty cache: pass the caches that one call returns on to the next",
    variant(step=lambda attention, x, k, v: attention(x)),
    "only_k_passed: only the cached keys are passed on: pass on the values too",
    variant(step=lambda attention, x, k, v: attention(x, k)),
    "k_and_v_swapped: keys and values are passed on in the wrong order: attention(x, cache_k, cache_v)",
    variant(step=lambda attention, x, k, v: attention(x, v, k)),
    "first_cache_kept: every chunk gets the first chunk's cache: pass on what the *last* call returned",
    variant(keep=lambda k, v, new_k, new_v: (new_k, new_v) if k is None else (k, v)),
    "not_causal: is_causal=False is passed: the chunks must be causal, like a single full pass",
    variant(step=lambda attention, x, k, v: attention(x, k, v, False)),
    "joined_on_wrong_axis: the outputs are joined along the batch: join along the tokens, dim=1",
    variant(join=lambda pieces: torch.cat(pieces, 0)),
    "stacked_not_concatenated: the outputs are stacked along a new axis: join them along the tokens, torch.cat(..., dim=1)",
    variant(join=lambda pieces: torch.stack(pieces, 1)),
    "whole_prefix_again: each call gets all tokens so far: with a cache, pass only the new ones",
    variant(take=lambda x, start, size: x[:, : start + size]),
    prefix_again,
    "always_from_the_start: every chunk is taken from the beginning of x: advance the start by the size of each chunk",
    variant(advance=lambda start, size: start),
    "start_is_the_last_size: the start of a chunk is the size of the chunk before it: it must be the sum of all sizes so far",
    variant(advance=lambda start, size: size),
    "sizes_not_checked: sizes that do not add up to the number of tokens must raise a ValueError",
    sizes_not_checked,
    torch_refuses,
)
