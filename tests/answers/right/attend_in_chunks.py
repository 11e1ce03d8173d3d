"""Right answers to `attend_in_chunks`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% start_and_slice: a running start and slices
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("the chunk sizes must add up to the number of tokens")
    cache_k, cache_v = None, None
    outputs = []
    start = 0
    for size in chunk_sizes:
        out, cache_k, cache_v = attention(x[:, start:start + size], cache_k, cache_v)
        outputs.append(out)
        start += size
    return torch.cat(outputs, dim=1)
# %% torch_split: x.split and keyword arguments
def attend_in_chunks(attention, x, chunk_sizes):
    T = x.size(1)
    if len(chunk_sizes) == 0 or sum(chunk_sizes) != T:
        raise ValueError(f"{chunk_sizes} do not add up to {T}")
    ck = cv = None
    ys = []
    for piece in x.split(list(chunk_sizes), dim=1):
        y, ck, cv = attention(piece, cache_k=ck, cache_v=cv, is_causal=True)
        ys.append(y)
    return torch.cat(ys, 1)
# %% accumulate: ends from itertools.accumulate, starts by shifting
from itertools import accumulate
from typing import Sequence
import torch
from torch import nn, Tensor

def attend_in_chunks(attention: nn.Module, x: Tensor, chunk_sizes: Sequence[int]) -> Tensor:
    ends = list(accumulate(chunk_sizes))
    if not ends or ends[-1] != x.shape[1]:
        raise ValueError("chunk sizes do not cover the sequence")
    starts = [0] + ends[:-1]
    cache = (None, None)
    results = []
    for a, b in zip(starts, ends):
        y, *cache = attention(x[:, a:b, :], *cache)
        results.append(y)
    return torch.cat(results, dim=1)
# %% recursion: the first chunk, then the rest with the cache
def attend_in_chunks(attention, x, chunk_sizes):
    def go(rest, sizes, k, v):
        if len(sizes) == 0:
            return []
        first, others = sizes[0], sizes[1:]
        y, k, v = attention(rest[:, :first], k, v)
        return [y] + go(rest[:, first:], others, k, v)

    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("sum(chunk_sizes) must be T")
    return torch.cat(go(x, chunk_sizes, None, None), dim=1)
# %% queue: a copied list used as a queue, narrow, a while loop
from collections import deque
import torch

def attend_in_chunks(module, x, chunk_sizes):
    todo = deque(chunk_sizes)
    n_tokens = x.shape[1]
    if sum(todo) != n_tokens:
        raise ValueError("sizes do not add up to T")
    done = 0
    past_k = None
    past_v = None
    out = None
    while todo:
        n = todo.popleft()
        y, past_k, past_v = module(x.narrow(1, done, n), past_k, past_v)
        out = y if out is None else torch.cat([out, y], dim=1)
        done += n
    return out
# %% first_call_alone: the first chunk without a cache argument, the others with it; asserts
def attend_in_chunks(attention, x, chunk_sizes):
    assert sum(chunk_sizes) == x.shape[1], "chunk sizes must add up to T"
    pieces = torch.split(x, tuple(chunk_sizes), dim=1)
    y, k, v = attention(pieces[0])
    ys = [y]
    for p in pieces[1:]:
        y, k, v = attention(p, k, v)
        assert y.shape[1] == p.shape[1]
        ys.append(y)
    return torch.cat(ys, dim=1)
# %% preallocated: outputs written into one tensor
def attend_in_chunks(attention, x, chunk_sizes):
    B, T, D = x.shape
    if sum(chunk_sizes) != T:
        raise ValueError("bad chunk sizes")
    out = None
    k = v = None
    pos = 0
    for n in chunk_sizes:
        y, k, v = attention(x[:, pos:pos + n], k, v, True)
        if out is None:
            out = torch.zeros(B, T, y.shape[-1], dtype=y.dtype, device=y.device)
        out[:, pos:pos + n] = y
        pos = pos + n
    return out
# %% generator: a generator of outputs; a print and a warning
import warnings
import torch

def stream(attention, x, sizes):
    state = {"cache_k": None, "cache_v": None}
    position = 0
    for s in sizes:
        y, state["cache_k"], state["cache_v"] = attention(x[:, position:position + s], **state)
        print("tokens", position, "to", position + s)
        position += s
        yield y

def attend_in_chunks(attention, x, chunk_sizes):
    total = 0
    for s in chunk_sizes:
        total += s
    if total != x.shape[1]:
        raise ValueError(f"got sizes for {total} tokens, x has {x.shape[1]}")
    if len(chunk_sizes) == x.shape[1]:
        warnings.warn("one token at a time")
    return torch.cat(list(stream(attention, x, chunk_sizes)), dim=1)
# %% index_select: token positions as index tensors, outputs joined by hstack
def attend_in_chunks(attention, x, chunk_sizes):
    positions = torch.arange(x.shape[1], device=x.device)
    try:
        groups = positions.split(list(chunk_sizes))
    except RuntimeError as error:
        raise ValueError("the chunk sizes do not add up to T") from error
    kc, vc = None, None
    outs = []
    for g in groups:
        o, kc, vc = attention(x.index_select(1, g), kc, vc)
        outs.append(o)
    return torch.hstack(outs)
# %% check_on_the_way: sizes checked one by one and once more at the end
def attend_in_chunks(attention, x, chunk_sizes):
    T = x.shape[1]
    outs, k, v, i = [], None, None, 0
    for size in chunk_sizes:
        if i + size > T:
            raise ValueError("more tokens asked for than there are")
        y, k, v = attention(x[:, i:i + size, :], k, v)
        outs += [y]
        i += size
    if i != T:
        raise ValueError("tokens left over")
    return torch.cat(outs, dim=-2)
# %% cumulative_slices: boundaries from cumsum, cache as a dict of keywords
def attend_in_chunks(attention, x, chunk_sizes):
    ends = torch.tensor(list(chunk_sizes), dtype=torch.long).cumsum(0).tolist()
    if not ends or ends[-1] != x.shape[1]:
        raise ValueError(f"chunk sizes {chunk_sizes} do not cover {x.shape[1]} tokens")
    cache, results = {}, []
    for start, end in zip([0] + ends, ends):
        out, new_k, new_v = attention(x[:, start:end, :], **cache)
        cache = {"cache_k": new_k, "cache_v": new_v}
        results.append(out)
    return torch.concat(results, dim=1)
# %% try_except_split: torch.split's own error turned into a ValueError
def attend_in_chunks(attention, x, chunk_sizes):
    try:
        pieces = torch.split(x, list(chunk_sizes), dim=1)
    except RuntimeError as error:
        raise ValueError("chunk sizes do not add up to the number of tokens") from error
    if len(pieces) == 0:
        raise ValueError("no chunks")
    k = v = None
    ys = []
    for piece in pieces:
        result = attention(piece, cache_k=k, cache_v=v, is_causal=True)
        k, v = result[1], result[2]
        ys.append(result[0].transpose(0, 1))
    return torch.vstack(ys).transpose(0, 1)
# %% asks_the_module: device and dtype from the module's parameters, an output of attention.d_model features
@torch.no_grad()
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1] or len(chunk_sizes) == 0:
        raise ValueError("chunk sizes")
    attention.eval()
    weight = next(attention.parameters())
    out = torch.empty(x.shape[0], x.shape[1], attention.d_model, dtype=weight.dtype, device=weight.device)
    past, start = (None, None), 0
    for size in chunk_sizes:
        piece = x.narrow(1, start, size).to(weight.device)
        out[:, start:start + size], *past = attention(x=piece, cache_k=past[0], cache_v=past[1])
        start += size
    return out
# %% split: torch.split and star
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError(f"{sum(chunk_sizes)} tokens in chunks, {x.shape[1]} in x")
    outputs, cache = [], (None, None)
    for chunk in torch.split(x, list(chunk_sizes), dim=1):
        y, *cache = attention(chunk, *cache)
        outputs.append(y)
    return torch.cat(outputs, 1)
# %% recursion_again: the rest after the first chunk
def attend_in_chunks(attention, x, chunk_sizes):
    def go(start, sizes, k, v):
        if not sizes:
            return ()
        y, k, v = attention(x[:, start:start + sizes[0]], k, v)
        return (y,) + go(start + sizes[0], sizes[1:], k, v)
    sizes = tuple(chunk_sizes)
    if sum(sizes) != x.size(1) or not sizes:
        raise ValueError("the sizes have to add up to T")
    return torch.cat(go(0, sizes, None, None), dim=1)
# %% accumulate_again: cumulative ends, keywords
from itertools import accumulate, pairwise
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    ends = [0, *accumulate(chunk_sizes)]
    if ends[-1] != x.shape[1]:
        raise ValueError("sizes and tokens differ")
    k = v = None
    parts = []
    for a, b in pairwise(ends):
        out, k, v = attention(x[:, a:b], cache_k=k, cache_v=v)
        parts.append(out)
    return torch.cat(parts, dim=-2)
# %% one_token_needs_no_mask: is_causal only for chunks of several tokens
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("the sizes do not add up")
    outputs, k, v = [], None, None
    for piece in x.split(list(chunk_sizes), 1):
        out, k, v = attention(piece, k, v, is_causal=piece.shape[1] > 1)
        outputs.append(out)
    return torch.cat(outputs, 1)
