# %% gqa_01: kv heads are tiled with repeat (0,1,0,1) instead of repeat_interleave (0,0,1,1)
def gqa(q, k, v):
    """q (B, Hq, T, d); k, v (B, Hkv, T, d); causal."""
    rep = q.size(1) // k.size(1)
    k = k.repeat(1, rep, 1, 1)
    v = v.repeat(1, rep, 1, 1)
    T = q.size(2)
    s = torch.matmul(q, k.transpose(2, 3)) * q.size(-1) ** -0.5
    s = s + torch.full((T, T), float("-inf"), device=q.device).triu(1)
    return torch.matmul(torch.softmax(s, -1), v)
# %% gqa_02: query heads are grouped rightly, but the result is merged in (group member, kv head) order, so the output heads are shuffled
def grouped_attention(q, k, v):
    # q: (B, T, H, D), k/v: (B, S, G, D)
    B, T, H, D = q.shape
    G = k.shape[2]
    q = q.reshape(B, T, G, H // G, D)
    scores = torch.einsum("btgrd,bsgd->bgrts", q, k) / D ** 0.5
    probs = scores.softmax(dim=-1)
    out = torch.einsum("bgrts,bsgd->btrgd", probs, v)
    return out.reshape(B, T, H, D)
# %% gqa_03: picks the kv head with h % n_kv instead of h // group size
def softmax(a):
    a = np.exp(a - a.max(-1, keepdims=True))
    return a / a.sum(-1, keepdims=True)

def gqa_forward(params, x, n_heads, n_kv):
    """x (T, D); params wq (D, n_heads*d), wk and wv (D, n_kv*d), wo (n_heads*d, D); causal."""
    T = x.shape[0]
    q = (x @ params["wq"]).reshape(T, n_heads, -1)
    k = (x @ params["wk"]).reshape(T, n_kv, -1)
    v = (x @ params["wv"]).reshape(T, n_kv, -1)
    d = q.shape[-1]
    keep = np.tri(T, dtype=bool)
    out = np.empty_like(q)
    for h in range(n_heads):
        kv = h % n_kv
        s = np.where(keep, q[:, h] @ k[:, kv].T / np.sqrt(d), -np.inf)
        out[:, h] = softmax(s) @ v[:, kv]
    return out.reshape(T, -1) @ params["wo"]
# %% gqa_04: softmax over the query axis instead of the key axis
def gqa(q, k, v):
    """q (B, Hq, T, d), k and v (B, Hkv, S, d), no mask."""
    group = q.shape[1] // k.shape[1]
    k = np.repeat(k, group, axis=1)
    v = np.repeat(v, group, axis=1)
    s = np.einsum("bhtd,bhsd->bhts", q, k) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(axis=-2, keepdims=True))
    p = e / e.sum(axis=-2, keepdims=True)
    return np.einsum("bhts,bhsd->bhtd", p, v)
# %% gqa_05: the scale uses d_model // n_kv_heads instead of the head dim d_model // n_heads
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads):
        super().__init__()
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads
        self.d_head = d_model // n_heads
        self.scale = 1.0 / math.sqrt(d_model // n_kv_heads)
        self.q = nn.Linear(d_model, d_model, bias=False)
        self.kv = nn.Linear(d_model, 2 * n_kv_heads * self.d_head, bias=False)
        self.o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        g = self.n_heads // self.n_kv_heads
        q = self.q(x).view(B, T, self.n_kv_heads, g, self.d_head)
        k, v = self.kv(x).view(B, T, 2, self.n_kv_heads, self.d_head).unbind(2)
        s = torch.einsum("btkgd,bskd->bkgts", q, k) * self.scale
        s = s.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), float("-inf"))
        y = torch.einsum("bkgts,bskd->btkgd", s.softmax(-1), v)
        return self.o(y.reshape(B, T, C))
