# %% gqa_01: repeat() tiles the kv heads (0,1,0,1,...), but consecutive query heads should share one (0,0,1,1,...).
class GroupedQueryAttention(nn.Module):
    """Consecutive query heads form a group that shares one kv head, as in Llama."""

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.head_dim = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.head_dim)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.head_dim)
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv_heads, self.head_dim).transpose(1, 2)
        g = self.num_heads // self.num_kv_heads
        k, v = k.repeat(1, g, 1, 1), v.repeat(1, g, 1, 1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(y.transpose(1, 2).reshape(B, T, C))
# %% gqa_02: the kv head is picked with h % n_kv where it should be h // group_size.
def gqa(Q, K, V):
    """Q (Hq, T, d), K and V (Hkv, S, d); each run of Hq/Hkv neighbouring query heads shares a kv head."""
    n_q, n_kv = Q.shape[0], K.shape[0]
    assert n_q % n_kv == 0
    out = np.zeros(Q.shape[:2] + (V.shape[-1],))
    for h in range(n_q):
        kv = h % n_kv
        s = Q[h] @ K[kv].T / np.sqrt(Q.shape[-1])
        s = np.exp(s - s.max(-1, keepdims=True))
        out[h] = s @ V[kv] / s.sum(-1, keepdims=True)
    return out
# %% gqa_03: the scores are scaled by the model width, not by the head width.
class GQAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.d = cfg["d_model"]
        self.nq, self.nkv = cfg["n_heads"], cfg["n_kv_heads"]
        self.hd = self.d // self.nq
        self.Wq = nn.Linear(self.d, self.nq * self.hd, bias=False)
        self.Wkv = nn.Linear(self.d, 2 * self.nkv * self.hd, bias=False)
        self.Wo = nn.Linear(self.nq * self.hd, self.d, bias=False)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.Wq(x).view(b, t, self.nkv, self.nq // self.nkv, self.hd)
        k, v = self.Wkv(x).chunk(2, dim=-1)
        k = k.view(b, t, self.nkv, self.hd)
        v = v.view(b, t, self.nkv, self.hd)
        att = torch.einsum("bikgd,bjkd->bkgij", q, k) / self.d ** 0.5
        att = att + torch.triu(torch.full((t, t), -torch.inf), 1)
        o = torch.einsum("bkgij,bjkd->bikgd", att.softmax(-1), v)
        return self.Wo(o.reshape(b, t, -1))
# %% gqa_04: the output heads are merged in (group, kv) order while the queries were split in (kv, group) order.
def grouped_attention(x, wq, wk, wv, wo, n_q, n_kv):
    B, T, D = x.shape
    g = n_q // n_kv
    d = wq.shape[1] // n_q
    q = (x @ wq).view(B, T, n_kv, g, d).permute(0, 2, 3, 1, 4)     # B kv g T d
    k = (x @ wk).view(B, T, n_kv, 1, d).permute(0, 2, 3, 4, 1)     # B kv 1 d T
    v = (x @ wv).view(B, T, n_kv, 1, d).permute(0, 2, 3, 1, 4)     # B kv 1 T d
    p = torch.softmax(q @ k / d ** 0.5, dim=-1)                    # B kv g T T
    y = p @ v                                                      # B kv g T d
    y = y.permute(0, 3, 2, 1, 4).reshape(B, T, n_q * d)
    return y @ wo
# %% gqa_05: the keys are expanded with repeat_interleave but the values with repeat, so head and value no longer match.
class GroupedQuerySelfAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_groups: int):
        super().__init__()
        self.num_heads = num_heads
        self.num_groups = num_groups
        self.head_dim = hidden_size // num_heads
        kv_dim = self.head_dim * num_groups
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, kv_dim)
        self.value = nn.Linear(hidden_size, kv_dim)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        b, s, h = x.size()
        heads_per_group = self.num_heads // self.num_groups
        q = self.query(x).view(b, s, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        k = self.key(x).view(b, s, self.num_groups, self.head_dim).permute(0, 2, 1, 3)
        v = self.value(x).view(b, s, self.num_groups, self.head_dim).permute(0, 2, 1, 3)
        k = torch.repeat_interleave(k, heads_per_group, dim=1)
        v = v.repeat(1, heads_per_group, 1, 1)
        scores = torch.matmul(q, k.permute(0, 1, 3, 2)) / math.sqrt(self.head_dim)
        ctx = torch.matmul(torch.softmax(scores, dim=-1), v)
        return self.out(ctx.permute(0, 2, 1, 3).contiguous().view(b, s, h))
# %% gqa_06: the einsum leaves the group index out of the scores, which sums the queries of a group together.
def gqa_einsum(q, k, v):
    """q: b t (k g) d ; k, v: b s k d ; returns b t (k g) d"""
    b, t, hq, d = q.shape
    hkv = k.shape[2]
    g = hq // hkv
    q = q.reshape(b, t, hkv, g, d)
    logits = torch.einsum("btkgd,bskd->bkts", q, k) / d ** 0.5
    w = logits.softmax(dim=-1)
    o = torch.einsum("bkts,bskd->btkd", w, v)
    return o.unsqueeze(3).expand(b, t, hkv, g, d).reshape(b, t, hq, d)
# %% gqa_07: with scores of shape (kv, t, s, g), softmax(-1) normalises over the group axis where it should be over the keys.
def attention(params, x, n_kv):
    """params: wq (d, kv, g, hd), wk / wv (d, kv, hd), wo (kv, g, hd, d).  x: (t, d)"""
    q = torch.einsum("td,dkgh->tkgh", x, params["wq"])
    k = torch.einsum("td,dkh->tkh", x, params["wk"])
    v = torch.einsum("td,dkh->tkh", x, params["wv"])
    assert k.shape[1] == n_kv
    s = torch.einsum("tkgh,skh->ktsg", q, k) * q.shape[-1] ** -0.5
    p = F.softmax(s, dim=-1)
    o = torch.einsum("ktsg,skh->tkgh", p, v)
    return torch.einsum("tkgh,kghd->td", o, params["wo"])
# %% gqa_08: the head outputs are reshaped to (B, T, D) without moving the head axis behind time.
class GQA(nn.Module):
    def __init__(self, dim=64, n_q=8, n_kv=2):
        super().__init__()
        self.n_q, self.n_kv, self.hd = n_q, n_kv, dim // n_q
        self.to_q = nn.Linear(dim, n_q * self.hd, bias=False)
        self.to_k = nn.Linear(dim, n_kv * self.hd, bias=False)
        self.to_v = nn.Linear(dim, n_kv * self.hd, bias=False)
        self.to_out = nn.Linear(n_q * self.hd, dim, bias=False)

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q = self.to_q(x).reshape(B, T, self.n_q, self.hd).transpose(1, 2)
        k = self.to_k(x).reshape(B, T, self.n_kv, self.hd).transpose(1, 2).repeat_interleave(self.n_q // self.n_kv, 1)
        v = self.to_v(x).reshape(B, T, self.n_kv, self.hd).transpose(1, 2).repeat_interleave(self.n_q // self.n_kv, 1)
        sim = torch.einsum("bhid,bhjd->bhij", q, k) * self.hd ** -0.5
        if mask is not None:
            sim = sim.masked_fill(~mask, -1e9)
        out = torch.einsum("bhij,bhjd->bhid", sim.softmax(-1), v)
        return self.to_out(out.reshape(B, T, D))
# %% gqa_09: the group size is set to n_kv where it should be n_q // n_kv, so later kv heads are never used.
def grouped_query_attention(q, k, v):
    """q[n_q][T][d]; k, v[n_kv][T][d]; plain lists, causal"""
    n_q, n_kv = len(q), len(k)
    group = n_kv
    res = []
    for h, qh in enumerate(q):
        kh, vh = k[h // group], v[h // group]
        head = []
        for t, qt in enumerate(qh):
            s = [sum(a * b for a, b in zip(qt, kh[j])) / math.sqrt(len(qt)) for j in range(t + 1)]
            m = max(s)
            e = [math.exp(a - m) for a in s]
            z = sum(e)
            head.append([sum(e[j] * vh[j][c] for j in range(t + 1)) / z for c in range(len(vh[0]))])
        res.append(head)
    return res
# %% gqa_10: the new axis is put in front of the kv-head axis before expand/reshape, so the kv heads come out tiled.
def expand_and_attend(q, k, v, causal=False):
    """
    q: (B, Hq, T, d)   k, v: (B, Hkv, S, d)
    query heads [0 .. G-1] use kv head 0, the next G use kv head 1, and so on
    """
    B, Hq, T, d = q.shape
    _, Hkv, S, _ = k.shape
    G = Hq // Hkv

    def expand(t):
        return t.unsqueeze(1).expand(B, G, Hkv, S, d).reshape(B, Hq, S, d)

    return F.scaled_dot_product_attention(q, expand(k), expand(v), is_causal=causal)
# %% gqa_11: h // n_heads is always 0, so every query head reads the first kv head only.
class GroupedQueryAttention:
    def __init__(self, d_model, n_heads, n_kv_heads, rng=None):
        rng = rng or np.random.default_rng(0)
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.hd = d_model // n_heads
        s = d_model ** -0.5
        self.Wq = rng.standard_normal((n_heads, d_model, self.hd)) * s
        self.Wk = rng.standard_normal((n_kv_heads, d_model, self.hd)) * s
        self.Wv = rng.standard_normal((n_kv_heads, d_model, self.hd)) * s
        self.Wo = rng.standard_normal((n_heads * self.hd, d_model)) * s

    def __call__(self, x):
        T = x.shape[0]
        tril = np.tril(np.ones((T, T), bool))
        ks = [x @ w for w in self.Wk]
        vs = [x @ w for w in self.Wv]
        ys = []
        for h in range(self.n_heads):
            g = h // self.n_heads
            s = (x @ self.Wq[h]) @ ks[g].T / self.hd ** 0.5
            s = np.where(tril, s, -1e30)
            p = np.exp(s - s.max(1)[:, None])
            ys.append(p @ vs[g] / p.sum(1)[:, None])
        return np.hstack(ys) @ self.Wo
# %% gqa_12: the value slice starts where the key slice starts, so the values are the keys.
class FusedGQA(nn.Module):
    def __init__(self, n_embd: int, n_head: int, n_kv: int):
        super().__init__()
        self.n_head, self.n_kv, self.hs = n_head, n_kv, n_embd // n_head
        self.attn = nn.Linear(n_embd, (n_head + 2 * n_kv) * self.hs, bias=False)
        self.proj = nn.Linear(n_embd, n_embd, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        qkv = self.attn(x)
        kv = self.n_kv * self.hs
        q = qkv[..., :C].view(B, T, self.n_head, self.hs)
        k = qkv[..., C:C + kv].view(B, T, self.n_kv, self.hs)
        v = qkv[..., C:C + kv].view(B, T, self.n_kv, self.hs)
        k = k.repeat_interleave(self.n_head // self.n_kv, dim=2)
        v = v.repeat_interleave(self.n_head // self.n_kv, dim=2)
        y = nn.functional.scaled_dot_product_attention(
            q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(B, T, C))
# %% gqa_13: repeat_interleave is applied to the flat key/value features before the heads are split, which repeats single numbers.
def gqa_attention(x, wq, wk, wv, n_heads, n_kv_heads):
    # x: [batch, seq, dim]; wq: [dim, dim]; wk, wv: [dim, n_kv_heads * head_dim]
    bsz, seq, dim = x.shape
    head_dim = dim // n_heads
    n_rep = n_heads // n_kv_heads

    q = x @ wq                                              # [batch, seq, n_heads * head_dim]
    k = (x @ wk).repeat_interleave(n_rep, dim=-1)           # [batch, seq, n_heads * head_dim]
    v = (x @ wv).repeat_interleave(n_rep, dim=-1)

    q = q.view(bsz, seq, n_heads, head_dim).transpose(1, 2)
    k = k.view(bsz, seq, n_heads, head_dim).transpose(1, 2)
    v = v.view(bsz, seq, n_heads, head_dim).transpose(1, 2)

    attn = torch.softmax(q @ k.transpose(-1, -2) / head_dim ** 0.5, dim=-1)
    return (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
# %% gqa_14: the additive causal mask is triu with diagonal 0, so each token is barred from itself.
class GQABlock(nn.Module):
    def __init__(self, dim, q_heads, kv_heads):
        super().__init__()
        self.qh, self.kvh, self.hd = q_heads, kv_heads, dim // q_heads
        self.q = nn.Linear(dim, dim)
        self.kv = nn.Linear(dim, self.kvh * self.hd * 2)
        self.o = nn.Linear(dim, dim)

    def forward(self, x):
        B, L, D = x.shape
        q = self.q(x).view(B, L, self.kvh, self.qh // self.kvh, self.hd).permute(0, 2, 3, 1, 4)
        k, v = self.kv(x).view(B, L, 2, self.kvh, 1, self.hd).permute(2, 0, 3, 4, 1, 5)
        att = q @ k.transpose(-1, -2) / self.hd ** 0.5
        att = att + torch.triu(torch.ones(L, L), diagonal=0) * -1e9
        y = att.softmax(-1) @ v                                   # B kv g L hd
        return self.o(y.permute(0, 3, 1, 2, 4).reshape(B, L, D))
# %% gqa_15: the causal test is the wrong way round (j >= i), so queries see only themselves and the future.
def multi_query_grouped(Q, K, V):
    """Q: (T, Hkv, G, d), K: (T, Hkv, d), V: (T, Hkv, d) -> (T, Hkv*G*d), causal"""
    T, Hkv, G, d = Q.shape
    S = np.einsum("ikgd,jkd->ijkg", Q, K) / np.sqrt(d)
    i, j = np.indices((T, T))
    S = np.where((j >= i)[:, :, None, None], S, -np.inf)
    S = S - S.max(axis=1, keepdims=True)
    P = np.exp(S)
    P = P / P.sum(axis=1, keepdims=True)
    return np.einsum("ijkg,jkd->ikgd", P, V).reshape(T, -1)
