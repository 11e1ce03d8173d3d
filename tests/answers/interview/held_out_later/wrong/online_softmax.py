# %% online_softmax_01: the running sum is rescaled when the max grows, but the output accumulator is not
def flash_attn(q, k, v, block=32):
    """q (B, H, T, d), k and v (B, H, S, d)"""
    d = q.shape[-1]
    m = torch.full_like(q[..., :1], float("-inf"))
    l = torch.zeros_like(m)
    o = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for kb, vb in zip(k.split(block, dim=-2), v.split(block, dim=-2)):
        s = q @ kb.transpose(-2, -1) / d ** 0.5
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        l = l * torch.exp(m - m_new) + p.sum(-1, keepdim=True)
        o = o + p @ vb
        m = m_new
    return o / l
# %% online_softmax_02: the running max is updated before the correction factor is computed, so the factor is always 1
def online_softmax(x, block_size=8):
    """Softmax over the last axis."""
    m = np.full(x.shape[:-1] + (1,), -np.inf)
    s = np.zeros_like(m)
    for i in range(0, x.shape[-1], block_size):
        b = x[..., i:i + block_size]
        m_new = np.maximum(m, b.max(axis=-1, keepdims=True))
        m = m_new
        s = s * np.exp(m - m_new) + np.exp(b - m_new).sum(axis=-1, keepdims=True)
    return np.exp(x - m) / s
# %% online_softmax_03: the correction is the wrong way round: exp(new - old) instead of exp(old - new)
def softmax_stream(xs, block=2):
    m, s = None, 0.0
    for i in range(0, len(xs), block):
        part = xs[i:i + block]
        if m is None:
            m = max(part)
        else:
            new = max(m, max(part))
            s *= math.exp(new - m)
            m = new
        for x in part:
            s += math.exp(x - m)
    return [math.exp(x - m) / s for x in xs]
# %% online_softmax_04: the number of blocks is n // block, so a last partial block is left out
def blockwise_attention(Q, K, V, block=16):
    """Q (T, d), K (S, d), V (S, dv)"""
    T, d = Q.shape
    S = K.shape[0]
    block = min(block, S)
    row_max = np.full(T, -np.inf)
    row_sum = np.zeros(T)
    acc = np.zeros((T, V.shape[1]))
    for b in range(S // block):
        sl = slice(b * block, (b + 1) * block)
        scores = Q @ K[sl].T / np.sqrt(d)
        new_max = np.maximum(row_max, scores.max(axis=1))
        corr = np.exp(row_max - new_max)
        p = np.exp(scores - new_max[:, None])
        row_sum = row_sum * corr + p.sum(axis=1)
        acc = acc * corr[:, None] + p @ V[sl]
        row_max = new_max
    return acc / row_sum[:, None]
# %% online_softmax_05: divides the accumulator by the running sum in every block without multiplying it back, so earlier blocks are normalised again and again
class OnlineAttention:
    def __init__(self, block_size=64):
        self.block_size = block_size

    def __call__(self, q, k, v):
        scale = q.shape[-1] ** -0.5
        mx = q.new_full(q.shape[:-1], float("-inf"))
        den = torch.zeros_like(mx)
        out = q.new_zeros(q.shape[:-1] + v.shape[-1:])
        for s in range(0, k.shape[-2], self.block_size):
            kb = k[..., s:s + self.block_size, :]
            vb = v[..., s:s + self.block_size, :]
            logits = torch.einsum("...td,...sd->...ts", q, kb) * scale
            new_mx = torch.maximum(mx, logits.amax(dim=-1))
            a = (mx - new_mx).exp()
            w = (logits - new_mx[..., None]).exp()
            den = den * a + w.sum(dim=-1)
            out = (out * a[..., None] + w @ vb) / den[..., None]
            mx = new_mx
        return out
