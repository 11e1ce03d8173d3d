"""Wrong answers for attend_in_chunks, one mistake a cell."""
# %% pops_the_sizes: empties the caller's list of sizes while it works
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
# %% caches_exchanged: unpacks the returned caches in the wrong order, so keys come back as values
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.size(1):
        raise ValueError("bad chunk sizes")
    k = v = None
    outs = []
    for chunk in torch.split(x, list(chunk_sizes), dim=1):
        out, v, k = attention(chunk, k, v)
        outs.append(out)
    return torch.cat(outs, dim=1)
# %% whole_prefix_again: passes everything from the start each time although the cache already holds it
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1] or len(chunk_sizes) == 0:
        raise ValueError(f"sizes {chunk_sizes} do not cover {x.shape[1]} tokens")
    cache_k = cache_v = None
    pieces = []
    end = 0
    for size in chunk_sizes:
        end += size
        out, cache_k, cache_v = attention(x[:, :end], cache_k, cache_v)
        pieces.append(out[:, -size:])
    return torch.cat(pieces, 1)
# %% only_too_many_refused: refuses sizes that exceed the sequence but not those that fall short of it
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
# %% cache_restarted_every_time: resets the cache inside the loop, so each chunk sees only itself
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]:
        raise ValueError("the chunks must add up to the sequence")
    out = []
    first = 0
    for size in chunk_sizes:
        cache_k, cache_v = None, None
        y, cache_k, cache_v = attention(x[:, first:first + size], cache_k, cache_v)
        out += [y]
        first += size
    return torch.cat(out, dim=1)
# %% prefix: passes everything so far AND the cache
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]: raise ValueError("sizes")
    outs, k, v, end = [], None, None, 0
    for n in chunk_sizes:
        end += n
        y, k, v = attention(x[:, :end], k, v)
        outs.append(y[:, -n:])
    return torch.cat(outs, dim=1)
# %% stack: stacked along a new axis / crash for uneven
def attend_in_chunks(attention, x, chunk_sizes):
    if sum(chunk_sizes) != x.shape[1]: raise ValueError("sizes")
    outs, k, v = [], None, None
    for c in x.split(list(chunk_sizes), 1):
        y, k, v = attention(c, k, v)
        outs.append(y)
    return torch.stack(outs, dim=1)
# %% check_late: the sizes are added up after the calls, which are not causal either
def attend_in_chunks(attention, x, chunk_sizes):
    outs, k, v, s = [], None, None, 0
    for n in chunk_sizes:
        y, k, v = attention(x[:, s:s + n], k, v, False); s += n
        outs.append(y)
    if s != x.shape[1]: raise ValueError("sizes")
    return torch.cat(outs, dim=1)
# %% list_method_on_the_sizes: copies the sizes with .copy(), which a tuple has not
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
