# %% crash_1: line `o * a`: the factor (..., T_q) has no axis for the features
def online_softmax_attention(Q, K, V, block_size):
    scale = 1 / math.sqrt(Q.size(-1))
    m = torch.full(Q.shape[:-1], -math.inf, dtype=Q.dtype, device=Q.device)
    l = torch.zeros_like(m)
    o = torch.zeros_like(Q)
    for i in range(0, K.size(-2), block_size):
        k, v = K[..., i:i + block_size, :], V[..., i:i + block_size, :]
        s = Q @ k.mT * scale
        m_new = torch.maximum(m, s.max(dim=-1).values)
        p = torch.exp(s - m_new[..., None])
        a = torch.exp(m - m_new)
        l = l * a + p.sum(-1)
        o = o * a + p @ v
        m = m_new
    return o / l[..., None]
# %% single_2: what was carried along is not rescaled when a larger maximum comes
def online_softmax_attention(Q, K, V, block_size):
    d = Q.shape[-1]
    m = torch.full((*Q.shape[:-1], 1), -math.inf, dtype=Q.dtype, device=Q.device)
    l = torch.zeros_like(m)
    o = torch.zeros_like(Q)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = Q @ k.mT / math.sqrt(d)
        m = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        p = torch.exp(s - m)
        l = l + p.sum(dim=-1, keepdim=True)
        o = o + p @ v
    return o / l
# %% single_3: the whole table of scores is made and only then read in blocks
def online_softmax_attention(Q, K, V, block_size):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    m = torch.full_like(scores[..., :1], -math.inf)
    l = torch.zeros_like(m)
    o = torch.zeros_like(Q)
    for s, v in zip(scores.split(block_size, dim=-1), V.split(block_size, dim=-2)):
        new_m = torch.maximum(m, s.amax(-1, keepdim=True))
        c = torch.exp(m - new_m)
        e = torch.exp(s - new_m)
        l = l * c + e.sum(-1, keepdim=True)
        o = o * c + e @ v
        m = new_m
    return o / l
