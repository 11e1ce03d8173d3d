"""Wrong answers for online_softmax_attention, one mistake a cell unless it says two."""
# %% all_scores_at_once: exact, but all scores are made at once
def online_softmax_attention(Q, K, V, block_size):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ V
# %% scores_collected < all_scores_at_once: the blocks' scores are joined to one table before the softmax
~ Q @ K.transpose(-2, -1) => torch.cat([Q @ k.mT for k in K.split(block_size, -2)], dim=-1)
~ return torch.softmax(scores, dim=-1) @ V => return scores.softmax(-1) @ V
# %% table_reserved: a table for all scores is reserved, and filled block by block
def online_softmax_attention(Q, K, V, block_size):
    T_k, d = K.shape[-2:]
    scores = torch.empty(*Q.shape[:-1], T_k, dtype=Q.dtype, device=Q.device)
    for i in range(0, T_k, block_size):
        scores[..., i:i + block_size] = Q @ K[..., i:i + block_size, :].transpose(-2, -1) / d ** 0.5
    m = scores.amax(-1, keepdim=True)
    e = (scores - m).exp()
    return e @ V / e.sum(-1, keepdim=True)
# %% products_first: every product of every query with every key is made before the sum over features
def online_softmax_attention(Q, K, V, block_size):
    products = Q.unsqueeze(-2) * K.unsqueeze(-3)
    out = []
    for row in products.sum(-1).unbind(-2):
        out.append((torch.softmax(row / Q.shape[-1] ** 0.5, -1).unsqueeze(-1) * V).sum(-2))
    return torch.stack(out, -2)
# %% maximum_of_first_block: shifts all blocks by the maximum of the first, and overflows when a later one is far larger
def online_softmax_attention(Q, K, V, block_size):
    m, total, out = None, 0, 0
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.transpose(-2, -1) / Q.shape[-1] ** 0.5
        if m is None:
            m = s.amax(-1, keepdim=True)
        p = (s - m).exp()
        total = total + p.sum(-1, keepdim=True)
        out = out + p @ v
    return out / total
# %% scores_limited: cuts the scores off at 80 so that exp does not overflow
def online_softmax_attention(Q, K, V, block_size):
    total, out = 0, 0
    for i in range(0, K.shape[-2], block_size):
        s = Q @ K[..., i:i + block_size, :].mT / Q.shape[-1] ** 0.5
        p = s.clamp(-80, 80).exp()
        total = total + p.sum(-1, keepdim=True)
        out = out + p @ V[..., i:i + block_size, :]
    return out / total
# %% sums_in_float32 < causal_in_the_first_block: keeps maximum, sum and output in float32, whatever comes in, and gives float32 back
  def online_softmax_attention(Q, K, V, block_size):
+     Q, K, V = Q.float(), K.float(), V.float()
-         s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
# %% causal_in_the_first_block: two mistakes, a causal mask nobody asked for, and one that forgets where the block begins
def online_softmax_attention(Q, K, V, block_size):
    m = torch.full_like(Q[..., :1], -torch.inf)
    l, o = torch.zeros_like(m), torch.zeros_like(Q)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.mT / Q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        a, p = (m - new).exp(), (s - new).exp()
        m, l, o = new, l * a + p.sum(-1, keepdim=True), o * a + p @ v
    return o / l
# %% sum_rescaled_after_adding: the sum is rescaled after the new block was added, with the first factor left out
def online_softmax_attention(Q, K, V, block_size):
    m = l = o = None
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.mT / Q.shape[-1] ** 0.5
        top = s.amax(-1, keepdim=True)
        new = top if m is None else torch.maximum(m, top)
        p = (s - new).exp()
        if m is None:
            l, o = p.sum(-1, keepdim=True), p @ v
        else:
            a = (m - new).exp()
            l, o = a * (l + p.sum(-1, keepdim=True)), a * o + p @ v
        m = new
    return o / l.clamp(min=1)
# %% query_by_query: no blocks, each query reads all keys at once
def online_softmax_attention(Q, K, V, block_size):
    outputs = []
    for i in range(Q.size(-2)):
        weights = F.softmax(torch.einsum("...d,...kd->...k", Q[..., i, :], K) / Q.size(-1) ** 0.5, dim=-1)
        outputs.append(torch.einsum("...k,...kd->...d", weights, V))
    return torch.stack(outputs, dim=-2)
# %% blocks_of_queries: no blocks of keys, each block of queries takes an ordinary softmax over all keys
def online_softmax_attention(Q, K, V, block_size):
    out = []
    for q in Q.split(min(block_size, 4), dim=-2):
        out.append(torch.softmax(q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, dim=-1) @ V)
    return torch.cat(out, dim=-2)
# %% all_in_bfloat16: exact in float32, and the sums are kept in whatever dtype comes in
def online_softmax_attention(Q, K, V, block_size):
    m = torch.full_like(Q[..., :1], -math.inf)
    l, o = torch.zeros_like(m), torch.zeros_like(Q)
    for start in range(0, K.shape[-2], block_size):
        block = slice(start, start + block_size)
        s = Q @ K[..., block, :].mT / math.sqrt(Q.shape[-1])
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, a = (s - new).exp(), (m - new).exp()
        l, o, m = l * a + p.sum(-1, keepdim=True), o * a + p @ V[..., block, :], new
    return o / l
# %% only_the_output_is_wide: the output is kept in float32, and the sum is not
def online_softmax_attention(Q, K, V, block_size):
    wide = torch.promote_types(Q.dtype, torch.float32)
    m = torch.full_like(Q[..., :1], -math.inf)
    l, o = torch.zeros_like(m), torch.zeros_like(Q, dtype=wide)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.mT / math.sqrt(Q.shape[-1])
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, a = (s - new).exp(), (m - new).exp()
        l, o, m = l * a + p.sum(-1, keepdim=True), o * a.to(wide) + p.to(wide) @ v.to(wide), new
    return (o / l).to(Q.dtype)
# %% inverted_factor_from_a_low_number: the factor is exp(new - old), and the maximum starts at -1e30
def online_softmax_attention(Q, K, V, block_size):
    m = torch.full_like(Q[..., :1], -1e30, dtype=torch.promote_types(Q.dtype, torch.float32))
    l, o = torch.zeros_like(m), torch.zeros_like(Q, dtype=m.dtype)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = (Q @ k.mT).to(m.dtype) / Q.shape[-1] ** 0.5
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        a, p = (new - m).exp(), (s - new).exp()
        m, l, o = new, l * a + p.sum(-1, keepdim=True), o * a + p @ v.to(m.dtype)
    return (o / l).to(Q.dtype)
# %% one_query_of_one_head: no blocks, each query of each head takes an ordinary softmax over all keys
def online_softmax_attention(Q, K, V, block_size):
    heads = zip(*(t.reshape(-1, *t.shape[-2:]) for t in (Q, K, V)))
    out = [torch.stack([torch.softmax(k @ row / len(row) ** 0.5, -1) @ v for row in q]) for q, k, v in heads]
    return torch.stack(out).reshape(Q.shape)
