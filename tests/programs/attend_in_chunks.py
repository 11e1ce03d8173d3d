# %% queue: a copied list used as a queue, narrow, a while loop
# taken
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
# %% generator: a generator of outputs; a print and a warning
# taken
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
# taken
import torch
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
# %% try_except_split: torch.split's own error turned into a ValueError
# taken
import torch
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
# taken
import torch
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
# %% recursion_again: the rest after the first chunk
# taken
import torch
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
# taken
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
# %% pops_the_sizes: empties the caller's list of sizes while it works
# taken, one left 1.914: changes_input
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("chunk sizes must add up to the number of tokens")
    sizes = chunk_sizes if isinstance(chunk_sizes, list) else list(chunk_sizes)
    outputs, start = [], 0
    cache_k, cache_v = None, None
    while sizes:
        n = sizes.pop(0)
        y, cache_k, cache_v = attention(x[:, start:start + n], cache_k, cache_v)
        outputs.append(y)
        start += n
    return torch.cat(outputs, dim=1)
# %% only_too_many_refused: refuses sizes that exceed the sequence but not those that fall short of it
# refused, 1.914: shown
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    T = x.shape[1]
    if len(chunk_sizes) == 0 or sum(chunk_sizes) > T:
        raise ValueError("more tokens asked for than there are")
    result = []
    pos, ck, cv = 0, None, None
    for c in chunk_sizes:
        o, ck, cv = attention(x[:, pos:pos + c, :], cache_k=ck, cache_v=cv)
        result.append(o)
        pos = pos + c
    return torch.cat(result, dim=1)
# %% causal_only_at_first: switches causality off once there is a cache, which is right for single tokens only
# refused: entries_elsewhere
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("chunk_sizes must sum to T")
    cache_k, cache_v, start, outs = None, None, 0, []
    for n in chunk_sizes:
        part = x[:, start:start + n]
        out, cache_k, cache_v = attention(part, cache_k, cache_v, is_causal=cache_k is None)
        outs.append(out)
        start += n
    return torch.cat(outs, dim=1)
# %% list_method_on_the_sizes: copies the sizes with .copy(), which a tuple has not
# refused, 1.914: attribute_of_tuple
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    sizes = chunk_sizes.copy()
    if sum(sizes) != x.shape[1]:
        raise ValueError("the sizes do not add up")
    outputs, k, v, start = [], None, None, 0
    while sizes:
        size = sizes.pop(0)
        out, k, v = attention(x[:, start:start + size], k, v)
        outputs.append(out)
        start += size
    return torch.cat(outputs, dim=1)
# %% strangers_2026_11/program_1
# taken
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    total = x.size(1)
    ends = torch.tensor(list(chunk_sizes)).cumsum(0).tolist()
    if not ends or ends[-1] != total:
        raise ValueError(f"{chunk_sizes} does not give {total}")
    cache = (None, None)
    result = []
    for begin, end in zip([0] + ends[:-1], ends):
        out, *cache = attention(x[:, begin:end, :], *cache)
        result += [out]
    return torch.cat(result, 1)
# %% strangers_2026_11/crash_1: line `torch.cat(outputs)`: joined along the batch axis, chunks of different length do not fit
# refused: joined_on_wrong_axis
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.size(1):
        raise ValueError("sizes do not match")
    outputs = []
    cache_k = cache_v = None
    for chunk in x.split(list(chunk_sizes), dim=1):
        o, cache_k, cache_v = attention(chunk, cache_k, cache_v)
        outputs.append(o)
    return torch.cat(outputs)
# %% strangers_2026_11/crash_2: line `torch.split(x, list(chunk_sizes), dim=1)`: sizes that do not add up raise torch's RuntimeError from split, not ValueError
# refused, 1.743: sizes_not_checked
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    ys, k, v = [], None, None
    for piece in torch.split(x, list(chunk_sizes), dim=1):
        y, k, v = attention(piece, k, v)
        ys.append(y)
    return torch.cat(ys, dim=1)
# %% strangers_2026_11/single_3: the cache is not passed on, each chunk is read alone
# refused: cache_not_passed
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("chunk_sizes must add up to the length of x")
    out = torch.empty_like(x)
    at = 0
    for size in chunk_sizes:
        out[:, at:at + size], cache_k, cache_v = attention(x[:, at:at + size], None, None)
        at += size
    return out
# %% strangers_2026_11/two_4: only too large a sum raises ValueError, too small a sum loses tokens silently | the second chunk begins again at 0 (start is set, not added)
# refused: start_is_the_last_size
import torch
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) > x.shape[1]:
        raise ValueError("too many")
    k = v = None
    start = 0
    ys = []
    for size in chunk_sizes:
        y, k, v = attention(x[:, start:start + size], k, v)
        start = size
        ys.append(y)
    return torch.cat(ys, dim=1)
