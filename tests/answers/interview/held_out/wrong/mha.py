# %% mha_01: the scores are never divided by sqrt(head_dim).
class SelfAttention(nn.Module):
    def __init__(self, embed_size, heads):
        super().__init__()
        self.heads = heads
        self.head_dim = embed_size // heads
        self.q = nn.Linear(embed_size, embed_size, bias=False)
        self.k = nn.Linear(embed_size, embed_size, bias=False)
        self.v = nn.Linear(embed_size, embed_size, bias=False)
        self.fc_out = nn.Linear(embed_size, embed_size)

    def forward(self, x):
        N, L, E = x.shape
        q = self.q(x).reshape(N, L, self.heads, self.head_dim)
        k = self.k(x).reshape(N, L, self.heads, self.head_dim)
        v = self.v(x).reshape(N, L, self.heads, self.head_dim)
        energy = torch.einsum("nqhd,nkhd->nhqk", q, k)
        attention = F.softmax(energy, dim=-1)
        out = torch.einsum("nhqk,nkhd->nqhd", attention, v).reshape(N, L, E)
        return self.fc_out(out)
# %% mha_02: the scale uses the full model width, not the width of one head.
def mha(x, wq, wk, wv, wo, n_heads):
    T, d = x.shape
    split = lambda m: np.stack(np.split(m, n_heads, axis=-1))      # (H, T, d/H)
    q, k, v = split(x @ wq), split(x @ wk), split(x @ wv)
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(d)
    a = np.exp(s - s.max(-1, keepdims=True))
    a = a / a.sum(-1, keepdims=True)
    return np.concatenate(list(a @ v), axis=-1) @ wo
# %% mha_03: the projections are viewed straight to (B, H, T, hd) with no transpose, which scrambles positions and heads.
class MHA(nn.Module):
    def __init__(self, dim, n_heads):
        super().__init__()
        self.nh = n_heads
        self.hd = dim // n_heads
        self.qkv = nn.Linear(dim, dim * 3)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.reshape(B, self.nh, T, self.hd)
        k = k.reshape(B, self.nh, T, self.hd)
        v = v.reshape(B, self.nh, T, self.hd)
        w = torch.softmax(q @ k.transpose(2, 3) / self.hd ** 0.5, dim=-1)
        y = (w @ v).reshape(B, T, C)
        return self.out(y)
# %% mha_04: the heads are merged with reshape without swapping the head and time axes back first.
def attention(query, key, value, mask=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, value), p_attn

class MultiHeadedAttention(nn.Module):
    def __init__(self, h, d_model):
        super().__init__()
        self.d_k = d_model // h
        self.h = h
        self.linears = nn.ModuleList([nn.Linear(d_model, d_model) for _ in range(4)])

    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip(self.linears, (query, key, value))
        ]
        x, self.attn = attention(query, key, value, mask=mask)
        x = x.contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.linears[-1](x)
# %% mha_05: the softmax runs over the query axis where it has to run over the keys.
def attend(x, Wqkv, Wo, num_heads):
    """x [b,t,d], Wqkv [3,h,d,k], Wo [h,k,d]"""
    q, k, v = torch.einsum("btd,nhdk->nbhtk", x, Wqkv)
    logits = torch.einsum("bhqk,bhsk->bhqs", q, k) * q.shape[-1] ** -0.5
    probs = torch.softmax(logits, dim=-2)
    ctx = torch.einsum("bhqs,bhsk->bhqk", probs, v)
    return torch.einsum("bhqk,hkd->bqd", ctx, Wo)
# %% mha_06: the output projection is created but never applied.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model)
        self.wo = nn.Linear(d_model, d_model)

    def forward(self, x, causal=False):
        b, t, d = x.shape
        q = self.wq(x).view(b, t, self.n_heads, -1).permute(0, 2, 1, 3)
        k = self.wk(x).view(b, t, self.n_heads, -1).permute(0, 2, 1, 3)
        v = self.wv(x).view(b, t, self.n_heads, -1).permute(0, 2, 1, 3)
        sim = q @ k.transpose(-1, -2) / self.d_head ** 0.5
        if causal:
            sim = sim + torch.full((t, t), float("-inf"), device=x.device).triu(1)
        out = sim.softmax(-1) @ v
        out = out.permute(0, 2, 1, 3).contiguous().view(b, t, d)
        return out
# %% mha_07: the scores are multiplied by sqrt(dk) where they should be divided.
def softmax(v):
    m = max(v)
    e = [math.exp(a - m) for a in v]
    s = sum(e)
    return [a / s for a in e]

def vecmat(v, M):
    return [sum(v[i] * M[i][j] for i in range(len(v))) for j in range(len(M[0]))]

def multihead(tokens, heads, Wo):
    """heads: list of (Wq, Wk, Wv), each d x dk;  Wo: (h*dk) x d"""
    result = [[] for _ in tokens]
    for Wq, Wk, Wv in heads:
        qs = [vecmat(t, Wq) for t in tokens]
        ks = [vecmat(t, Wk) for t in tokens]
        vs = [vecmat(t, Wv) for t in tokens]
        scale = math.sqrt(len(qs[0]))
        for i, q in enumerate(qs):
            w = softmax([sum(a * b for a, b in zip(q, k)) * scale for k in ks])
            result[i] += [sum(w[j] * vs[j][c] for j in range(len(vs))) for c in range(len(vs[0]))]
    return [vecmat(r, Wo) for r in result]
# %% mha_08: the causal mask multiplies the probabilities after the softmax, so rows no longer sum to one.
class CausalMHA(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.h = cfg["n_heads"]
        d = cfg["d_model"]
        self.in_proj = nn.Linear(d, 3 * d, bias=False)
        self.out_proj = nn.Linear(d, d, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(cfg["max_len"], cfg["max_len"])))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in self.in_proj(x).chunk(3, -1))
        p = F.softmax(q @ k.transpose(-1, -2) / (D // self.h) ** 0.5, dim=-1)
        p = p * self.tril[:T, :T]
        return self.out_proj((p @ v).transpose(1, 2).flatten(-2))
# %% mha_09: the keys are projected with W_q, a copy-and-paste slip.
def softmax(a, axis=-1):
    a = np.exp(a - np.max(a, axis=axis, keepdims=True))
    return a / np.sum(a, axis=axis, keepdims=True)

def mha_forward(x, W_q, W_k, W_v, W_o, num_heads):
    batch, seq, d_model = x.shape
    depth = d_model // num_heads

    Q = np.dot(x, W_q).reshape(batch, seq, num_heads, depth).transpose(0, 2, 1, 3)
    K = np.dot(x, W_q).reshape(batch, seq, num_heads, depth).transpose(0, 2, 1, 3)
    V = np.dot(x, W_v).reshape(batch, seq, num_heads, depth).transpose(0, 2, 1, 3)

    scores = np.matmul(Q, K.transpose(0, 1, 3, 2)) / np.sqrt(depth)
    out = np.matmul(softmax(scores), V)
    out = out.transpose(0, 2, 1, 3).reshape(batch, seq, d_model)
    return np.dot(out, W_o)
# %% mha_10: the slice for v repeats the slice for k, so the keys are used as values.
def fused_mha(x, w_qkv, w_out, heads):
    """x: (B,T,D)  w_qkv: (D,3D)  w_out: (D,D)"""
    B, T, D = x.shape
    hd = D // heads
    z = x @ w_qkv
    q = z[..., :D].view(B, T, heads, hd).transpose(1, 2)
    k = z[..., D:2 * D].view(B, T, heads, hd).transpose(1, 2)
    v = z[..., D:2 * D].view(B, T, heads, hd).transpose(1, 2)
    att = F.softmax(q @ k.transpose(-2, -1) / hd ** 0.5, dim=-1)
    y = (att @ v).transpose(1, 2).reshape(B, T, D)
    return y @ w_out
# %% mha_11: F.dropout is called without training=self.training, so dropout stays on in eval mode.
class Attention(nn.Module):
    def __init__(self, dim, num_heads=8, attn_drop=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.attn_drop = attn_drop
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (q @ k.transpose(-2, -1)) * self.scale
        attn = attn.softmax(dim=-1)
        attn = F.dropout(attn, p=self.attn_drop)
        x = (attn @ v).transpose(1, 2).reshape(B, N, C)
        return self.proj(x)
# %% mha_12: each head's output already goes through its own slice of W_o, and these are averaged where they must be summed.
class MultiHead(nn.Module):
    def __init__(self, n_heads, d_model, d_head):
        super().__init__()
        init = lambda *s: nn.Parameter(torch.randn(*s) * 0.02 * s[-1] ** 0.5)
        self.W_Q = init(n_heads, d_model, d_head)
        self.W_K = init(n_heads, d_model, d_head)
        self.W_V = init(n_heads, d_model, d_head)
        self.W_O = init(n_heads, d_head, d_model)
        self.d_head = d_head

    def forward(self, x):
        q = torch.einsum("bpd,ndh->bpnh", x, self.W_Q)
        k = torch.einsum("bpd,ndh->bpnh", x, self.W_K)
        v = torch.einsum("bpd,ndh->bpnh", x, self.W_V)
        scores = torch.einsum("bqnh,bknh->bnqk", q, k) / self.d_head ** 0.5
        T = x.shape[1]
        future = torch.triu(torch.ones(T, T, device=x.device), 1).bool()
        pattern = scores.masked_fill(future, -1e5).softmax(-1)
        z = torch.einsum("bnqk,bknh->bqnh", pattern, v)
        per_head = torch.einsum("bqnh,nhd->bqnd", z, self.W_O)
        return per_head.mean(dim=2)
# %% mha_13: the mask means 1 = may attend, yet the code fills -inf where it equals 1.
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_attention_heads):
        super().__init__()
        self.num_heads = num_attention_heads
        self.head_size = hidden_size // num_attention_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.dense = nn.Linear(hidden_size, hidden_size)

    def _shape(self, t):
        return t.view(t.size(0), t.size(1), self.num_heads, self.head_size).transpose(1, 2)

    def forward(self, hidden_states, attention_mask=None):
        """attention_mask: (B, T) with 1 for real tokens and 0 for padding"""
        q = self._shape(self.query(hidden_states))
        k = self._shape(self.key(hidden_states))
        v = self._shape(self.value(hidden_states))
        scores = q @ k.transpose(-1, -2) / self.head_size ** 0.5
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask[:, None, None, :] == 1, -10000.0)
        ctx = scores.softmax(dim=-1) @ v
        return self.dense(ctx.transpose(1, 2).flatten(2))
# %% mha_14: the slice of head i starts at i rather than at i * dh, so heads overlap.
def mha_loop(X, WQ, WK, WV, WO, H):
    n, D = X.shape
    dh = D // H
    Q, K, V = X @ WQ, X @ WK, X @ WV
    outs = []
    for i in range(H):
        q = Q[:, i:i + dh]
        k = K[:, i:i + dh]
        v = V[:, i:i + dh]
        s = q @ k.T / np.sqrt(dh)
        s = np.exp(s - s.max(1, keepdims=True))
        outs.append((s / s.sum(1, keepdims=True)) @ v)
    return np.hstack(outs) @ WO
# %% mha_15: the context einsum sums the weights over the query index, i.e. it uses the transposed attention matrix.
def init(d, h, seed=0):
    g = torch.Generator().manual_seed(seed)
    s = d ** -0.5
    return {n: torch.randn(d, h, d // h, generator=g) * s for n in ("q", "k", "v")} | {
        "o": torch.randn(h, d // h, d, generator=g) * s
    }

def forward(p, x, mask=None):
    q, k, v = (torch.einsum("bld,dhk->bhlk", x, p[n]) for n in "qkv")
    a = torch.einsum("bhik,bhjk->bhij", q, k) / q.size(-1) ** 0.5
    if mask is not None:                       # True = keep
        a = a.where(mask, torch.tensor(-torch.inf))
    a = a.softmax(-1)
    ctx = torch.einsum("bhij,bhik->bhjk", a, v)
    return torch.einsum("bhjk,hkd->bjd", ctx, p["o"])
