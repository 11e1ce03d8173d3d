# %% crash_1: line `torch.cat(outputs)`: joined along the batch axis, chunks of different length do not fit
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.size(1):
        raise ValueError("sizes do not match")
    outputs = []
    cache_k = cache_v = None
    for chunk in x.split(list(chunk_sizes), dim=1):
        o, cache_k, cache_v = attention(chunk, cache_k, cache_v)
        outputs.append(o)
    return torch.cat(outputs)
# %% crash_2: line `torch.split(x, list(chunk_sizes), dim=1)`: sizes that do not add up raise torch's RuntimeError from split, not ValueError
def attend_in_chunks(attention, x, chunk_sizes):
    ys, k, v = [], None, None
    for piece in torch.split(x, list(chunk_sizes), dim=1):
        y, k, v = attention(piece, k, v)
        ys.append(y)
    return torch.cat(ys, dim=1)
# %% single_3: the cache is not passed on, each chunk is read alone
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("chunk_sizes must add up to the length of x")
    out = torch.empty_like(x)
    at = 0
    for size in chunk_sizes:
        out[:, at:at + size], cache_k, cache_v = attention(x[:, at:at + size], None, None)
        at += size
    return out
# %% two_4: only too large a sum raises ValueError, too small a sum loses tokens silently | the second chunk begins again at 0 (start is set, not added)
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
