# %% gqa_01
def grouped_query_attention(q, k, v, causal=True):
    """q (B, Hq, T, d); k, v (B, Hkv, S, d); Hq a multiple of Hkv. -> (B, Hq, T, d)"""
    B, Hq, T, d = q.shape
    Hkv, S = k.shape[1], k.shape[2]
    if Hq % Hkv:
        raise ValueError("number of query heads must be a multiple of kv heads")
    rep = Hq // Hkv
    k = k.repeat_interleave(rep, dim=1)
    v = v.repeat_interleave(rep, dim=1)
    s = q @ k.transpose(-1, -2) / d ** 0.5
    if causal:
        # the queries are the last T of the S positions
        ok = torch.ones(T, S, dtype=torch.bool, device=q.device).tril(S - T)
        s = s.masked_fill(~ok, float("-inf"))
    return s.softmax(-1) @ v
# %% gqa_02
def repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    """(bs, slen, n_kv_heads, head_dim) -> (bs, slen, n_kv_heads * n_rep, head_dim)"""
    bs, slen, n_kv_heads, head_dim = x.shape
    if n_rep == 1:
        return x
    return (
        x[:, :, :, None, :]
        .expand(bs, slen, n_kv_heads, n_rep, head_dim)
        .reshape(bs, slen, n_kv_heads * n_rep, head_dim)
    )

class GQA(nn.Module):
    def __init__(self, dim: int, n_heads: int, n_kv_heads: int):
        super().__init__()
        assert dim % n_heads == 0 and n_heads % n_kv_heads == 0
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.head_dim = dim // n_heads
        self.wq = nn.Linear(dim, n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(n_heads * self.head_dim, dim, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bs, slen, _ = x.shape
        xq = self.wq(x).view(bs, slen, self.n_heads, self.head_dim)
        xk = self.wk(x).view(bs, slen, self.n_kv_heads, self.head_dim)
        xv = self.wv(x).view(bs, slen, self.n_kv_heads, self.head_dim)
        n_rep = self.n_heads // self.n_kv_heads
        xk, xv = repeat_kv(xk, n_rep), repeat_kv(xv, n_rep)
        xq, xk, xv = (t.transpose(1, 2) for t in (xq, xk, xv))
        scores = xq @ xk.transpose(2, 3) / math.sqrt(self.head_dim)
        mask = torch.full((slen, slen), float("-inf"), device=x.device).triu(1)
        scores = F.softmax(scores + mask.to(scores.dtype), dim=-1)
        out = (scores @ xv).transpose(1, 2).reshape(bs, slen, -1)
        return self.wo(out)
# %% gqa_03
def gqa(q, k, v, mask=None):
    """No copies of k and v.

    q: (b, n, h, d)   k, v: (b, s, g, d)   mask: bool, broadcastable to (n, s), True = may look
    """
    b, n, h, d = q.shape
    g = k.shape[2]
    assert h % g == 0
    qg = q.reshape(b, n, g, h // g, d)
    logits = np.einsum("bngrd,bsgd->bgrns", qg, k) * d ** -0.5
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    logits = logits - logits.max(-1, keepdims=True)
    p = np.exp(logits)
    p = p / p.sum(-1, keepdims=True)
    return np.einsum("bgrns,bsgd->bngrd", p, v).reshape(b, n, h, d)
# %% gqa_04
# entry: gqa_layer
# whiteboard version: loop over the heads, one sequence, NumPy
def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

def gqa_layer(x, Wq, Wk, Wv, Wo, n_q_heads, n_kv_heads, causal=True):
    """x (T, D); Wq (D, n_q*d); Wk, Wv (D, n_kv*d); Wo (n_q*d, D)"""
    T = x.shape[0]
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    d = Wq.shape[1] // n_q_heads
    per_group = n_q_heads // n_kv_heads
    outs = []
    for h in range(n_q_heads):
        g = h // per_group
        qh = Q[:, h * d:(h + 1) * d]
        kg = K[:, g * d:(g + 1) * d]
        vg = V[:, g * d:(g + 1) * d]
        sc = qh @ kg.T / np.sqrt(d)
        if causal:
            sc = np.where(np.triu(np.ones((T, T)), 1) == 1, -np.inf, sc)
        outs.append(softmax(sc) @ vg)
    return np.concatenate(outs, axis=1) @ Wo
