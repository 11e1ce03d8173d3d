# %% program_1
def online_softmax_attention(Q, K, V, block_size):
    Q = Q / math.sqrt(Q.shape[-1])
    m = torch.full_like(Q[..., :1], -math.inf)
    l = torch.zeros_like(m)
    o = Q.new_zeros(*Q.shape[:-1], V.shape[-1])
    for k, v in zip(K.split(block_size, dim=-2), V.split(block_size, dim=-2)):
        s = Q @ k.mT
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        fix, p = torch.exp(m - new), torch.exp(s - new)
        l = l * fix + p.sum(-1, keepdim=True)
        o = o * fix + p @ v
        m = new
    return o / l
