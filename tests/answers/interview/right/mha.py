"""Right answers to the topic mha."""
# %% four_linears: causal
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def split(self, x):
        b, t, _ = x.size()
        return x.view(b, t, self.num_heads, self.d_k).transpose(1, 2)

    def forward(self, Q, K, V, mask=None):
        Q, K, V = self.split(self.W_q(Q)), self.split(self.W_k(K)), self.split(self.W_v(V))
        s = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            s = s.masked_fill(mask == 0, -1e9)
        out = torch.matmul(torch.softmax(s, dim=-1), V)
        b, h, t, d = out.size()
        return self.W_o(out.transpose(1, 2).contiguous().view(b, t, h * d))
# %% nanogpt: a config, one fused projection, dropout
class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.n_head, self.n_embd = config.n_head, config.n_embd
        self.drop = nn.Dropout(config.dropout)
        self.register_buffer("bias", torch.tril(torch.ones(config.block_size, config.block_size))[None, None])

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        y = self.drop(F.softmax(att, dim=-1)) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))
# %% numpy_function: one sequence, plain weights
def mha(x, Wq, Wk, Wv, Wo, n_heads):
    T, D = x.shape
    d = D // n_heads
    outs = []
    for h in range(n_heads):
        c = slice(h * d, (h + 1) * d)
        q, k, v = x @ Wq[:, c], x @ Wk[:, c], x @ Wv[:, c]
        s = q @ k.T / np.sqrt(d)
        w = np.exp(s - s.max(-1, keepdims=True))
        w /= w.sum(-1, keepdims=True)
        outs.append(w @ v)
    return np.concatenate(outs, -1) @ Wo
# %% list_of_heads: a module for each head
class Head(nn.Module):
    def __init__(self, n_embd, head_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)

    def forward(self, x):
        T = x.shape[1]
        k, q = self.key(x), self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf")).softmax(-1)
        return wei @ self.value(x)

class MultiHead(nn.Module):
    def __init__(self, num_heads, n_embd):
        super().__init__()
        self.heads = nn.ModuleList([Head(n_embd, n_embd // num_heads) for _ in range(num_heads)])
        self.proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([h(x) for h in self.heads], dim=-1))
# %% einsum_3d: weights with an axis of heads, (H, D, d)
class EinsumAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        hd = dim // heads
        self.q = nn.Parameter(torch.randn(heads, dim, hd))
        self.k = nn.Parameter(torch.randn(heads, dim, hd))
        self.v = nn.Parameter(torch.randn(heads, dim, hd))
        self.o = nn.Parameter(torch.randn(heads, hd, dim))

    def forward(self, x):
        q, k, v = (torch.einsum("btd,hde->bhte", x, w) for w in (self.q, self.k, self.v))
        a = torch.einsum("bhqe,bhke->bhqk", q, k) / q.shape[-1] ** 0.5
        return torch.einsum("bhqk,bhke,hed->bqd", a.softmax(-1), v, self.o)
# %% interleaved_fused: heads first in the fused projection, as GPT-NeoX has it
class FusedByHead(torch.nn.Module):
    def __init__(self, hidden_size, num_attention_heads):
        super().__init__()
        self.H, self.d = num_attention_heads, hidden_size // num_attention_heads
        self.query_key_value = torch.nn.Linear(hidden_size, 3 * hidden_size)
        self.dense = torch.nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states):
        qkv = self.query_key_value(hidden_states).unflatten(-1, (self.H, 3 * self.d)).transpose(1, 2)
        q, k, v = qkv.chunk(3, dim=-1)
        w = (q @ k.mT / self.d**0.5).softmax(-1)
        return self.dense((w @ v).transpose(1, 2).flatten(2))
# %% plain_class: NumPy, no torch, (out, in)
class MHA:
    def __init__(self, d, h):
        self.h = h
        rng = np.random.default_rng(0)
        self.wq, self.wk, self.wv, self.wo = (rng.normal(size=(d, d)) for _ in range(4))

    def __call__(self, x):
        B, T, D = x.shape
        f = lambda w: (x @ w.T).reshape(B, T, self.h, -1).transpose(0, 2, 1, 3)
        q, k, v = f(self.wq), f(self.wk), f(self.wv)
        s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        s = np.where(np.tri(T, dtype=bool), s, -np.inf)
        p = np.exp(s - s.max(-1, keepdims=True))
        p = p / p.sum(-1, keepdims=True)
        return (p @ v).transpose(0, 2, 1, 3).reshape(B, T, D) @ self.wo.T
# %% unhelpful_names: a, b, c, e
class Layer(nn.Module):
    def __init__(self, size, n):
        super().__init__()
        self.a, self.b, self.c, self.e = [nn.Linear(size, size) for _ in range(4)]
        self.n = n

    def forward(self, inp):
        B, T, C = inp.shape
        r = lambda t: t.reshape(B, T, self.n, C // self.n).permute(0, 2, 1, 3)
        x, y, z = r(self.a(inp)), r(self.b(inp)), r(self.c(inp))
        g = torch.softmax(x @ y.permute(0, 1, 3, 2) / (C // self.n) ** 0.5, -1) @ z
        return self.e(g.permute(0, 2, 1, 3).reshape(B, T, C)), None
# %% core_function: no projections, (B, T, D) with a mask that is True where masked
def multi_head(q, k, v, heads, mask=None):
    b, t, d = q.shape
    q, k, v = (m.view(b, t, heads, -1).transpose(1, 2) for m in (q, k, v))
    s = q @ k.transpose(2, 3) / (d // heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    return (torch.softmax(s, -1) @ v).transpose(1, 2).reshape(b, t, d)
# %% features_across: the heads lie across the features, (d h)
class Across(nn.Module):
    def __init__(self, dim, num_heads=8):
        super().__init__()
        self.to_qkv, self.to_out, self.h = nn.Linear(dim, dim * 3, bias=False), nn.Linear(dim, dim), num_heads

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2) for t in self.to_qkv(x).chunk(3, -1))
        y = (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
        return self.to_out(y.permute(0, 2, 3, 1).flatten(2))
# %% functional_fused: one weight for q, k, v
def attention(x, w_qkv, w_out, num_heads):
    B, T, D = x.shape
    q, k, v = (x @ w_qkv).reshape(B, T, 3, num_heads, D // num_heads).permute(2, 0, 3, 1, 4)
    s = q @ k.mT / (D // num_heads) ** 0.5 + torch.full((T, T), float("-inf")).triu(1)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_out
# %% as_torch: the signature of nn.MultiheadAttention
class MyMHA(nn.Module):
    def __init__(self, embed_dim=64, num_heads=4, dropout=0.1, bias=True):
        super().__init__()
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        nn.init.xavier_uniform_(self.in_proj_weight)
        self.p = dropout

    def forward(self, query, key, value, key_padding_mask=None, attn_mask=None, need_weights=True):
        wq, wk, wv = self.in_proj_weight.chunk(3)
        bq, bk, bv = self.in_proj_bias.chunk(3)
        B, T, D = query.shape
        f = lambda x, w, b: nn.functional.linear(x, w, b).view(B, -1, self.num_heads, self.head_dim).transpose(1, 2)
        q, k, v = f(query, wq, bq), f(key, wk, bk), f(value, wv, bv)
        s = q @ k.mT / self.head_dim**0.5
        if attn_mask is not None:
            s = s.masked_fill(attn_mask, float("-inf"))
        if key_padding_mask is not None:
            s = s.masked_fill(key_padding_mask[:, None, None, :], float("-inf"))
        w = nn.functional.dropout(s.softmax(-1), self.p, self.training)
        return self.out_proj((w @ v).transpose(1, 2).reshape(B, T, D)), w.mean(1) if need_weights else None
# %% from_the_book: d_in, d_out, context_length
class BookAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, n, d_in = x.shape
        keys = self.W_key(x).view(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        queries = self.W_query(x).view(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        values = self.W_value(x).view(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        att = queries @ keys.transpose(2, 3)
        att.masked_fill_(self.mask.bool()[:n, :n], -torch.inf)
        w = self.dropout(torch.softmax(att / keys.shape[-1] ** 0.5, dim=-1))
        return self.out_proj((w @ values).transpose(1, 2).contiguous().view(b, n, self.d_out))
# %% params_dict: NumPy, weights in a dict
def attend(x, params, n_heads):
    q, k, v = (x @ params[n] for n in ("wq", "wk", "wv"))
    cut = lambda m: np.stack(np.split(m, n_heads, axis=-1), axis=-3)
    s = cut(q) @ np.swapaxes(cut(k), -1, -2) / np.sqrt(x.shape[-1] // n_heads)
    s = np.exp(s - s.max(-1, keepdims=True))
    o = s / s.sum(-1, keepdims=True) @ cut(v)
    return np.concatenate(list(np.moveaxis(o, -3, 0)), axis=-1) @ params["wo"]
# %% sizes_of_heads: d_k and d_v, and a sequence without a batch
class Paper(nn.Module):
    def __init__(self, d_model, h, d_k, d_v):
        super().__init__()
        self.WQ = nn.ParameterList([nn.Parameter(torch.randn(d_model, d_k)) for _ in range(h)])
        self.WK = nn.ParameterList([nn.Parameter(torch.randn(d_model, d_k)) for _ in range(h)])
        self.WV = nn.ParameterList([nn.Parameter(torch.randn(d_model, d_v)) for _ in range(h)])
        self.WO = nn.Parameter(torch.randn(h * d_v, d_model))

    def forward(self, X):
        T, heads = X.shape[0], []
        for q, k, v in zip(self.WQ, self.WK, self.WV):
            s = (X @ q) @ (X @ k).T / q.shape[1] ** 0.5
            heads.append(torch.softmax(s, dim=1) @ (X @ v))
        return torch.cat(heads, dim=1) @ self.WO
# %% transposed_weights_function
def softmax(z):
    z = np.exp(z - z.max(-1, keepdims=True))
    return z / z.sum(-1, keepdims=True)

def multihead(X, W_Q, W_K, W_V, W_O, H, causal=True):
    B, T, D = X.shape
    Q, K, V = X @ W_Q.T, X @ W_K.T, X @ W_V.T
    dh = D // H
    out = np.empty_like(X)
    for b in range(B):
        for h in range(H):
            sl = np.s_[h * dh:(h + 1) * dh]
            S = Q[b][:, sl] @ K[b][:, sl].T / dh ** 0.5
            if causal:
                S[np.triu_indices(T, 1)] = -1e30
            out[b][:, sl] = softmax(S) @ V[b][:, sl]
    return out @ W_O.T
# %% dataclass_config
from dataclasses import dataclass
import torch, math
import torch.nn as nn

@dataclass
class Cfg:
    d_model: int = 32
    n_heads: int = 4

class Attention(nn.Module):
    def __init__(self, cfg: Cfg):
        super().__init__()
        self.cfg = cfg
        self.W_Q = nn.Parameter(torch.empty(cfg.n_heads, cfg.d_model, cfg.d_head))
        self.W_K = nn.Parameter(torch.empty(cfg.n_heads, cfg.d_model, cfg.d_head))
        self.W_V = nn.Parameter(torch.empty(cfg.n_heads, cfg.d_model, cfg.d_head))
        self.W_O = nn.Parameter(torch.empty(cfg.n_heads, cfg.d_head, cfg.d_model))
        self.b_Q = nn.Parameter(torch.zeros(cfg.n_heads, cfg.d_head))
        self.b_K = nn.Parameter(torch.zeros(cfg.n_heads, cfg.d_head))
        self.b_V = nn.Parameter(torch.zeros(cfg.n_heads, cfg.d_head))
        self.b_O = nn.Parameter(torch.zeros(cfg.d_model))

    def forward(self, normalized_resid_pre):
        x = normalized_resid_pre
        q = torch.einsum("bpd,hde->bphe", x, self.W_Q) + self.b_Q
        k = torch.einsum("bpd,hde->bphe", x, self.W_K) + self.b_K
        v = torch.einsum("bpd,hde->bphe", x, self.W_V) + self.b_V
        a = torch.einsum("bqhe,bkhe->bhqk", q, k) / math.sqrt(self.cfg.d_head)
        m = torch.triu(torch.ones(a.shape[-2:]), diagonal=1).bool()
        a = a.masked_fill(m, -1e5).softmax(-1)
        z = torch.einsum("bkhe,bhqk->bqhe", v, a)
        return torch.einsum("bqhe,hed->bqd", z, self.W_O) + self.b_O
# %% time_first
class Wrapper(nn.Module):
    def __init__(self, emb_size, heads, causal=False):
        super().__init__()
        self.keys = nn.Linear(emb_size, emb_size, bias=False)
        self.queries = nn.Linear(emb_size, emb_size, bias=False)
        self.values = nn.Linear(emb_size, emb_size, bias=False)
        self.unifyheads = nn.Linear(emb_size, emb_size)
        self.heads = heads

    def forward(self, x):
        b, t, k = x.size()
        h = self.heads
        s = k // h
        keys = self.keys(x).view(b, t, h, s).transpose(1, 2).contiguous().view(b * h, t, s)
        queries = self.queries(x).view(b, t, h, s).transpose(1, 2).contiguous().view(b * h, t, s)
        values = self.values(x).view(b, t, h, s).transpose(1, 2).contiguous().view(b * h, t, s)
        dot = torch.bmm(queries / s ** 0.25, keys.transpose(1, 2) / s ** 0.25)
        out = torch.bmm(dot.softmax(dim=2), values).view(b, h, t, s)
        return self.unifyheads(out.transpose(1, 2).contiguous().view(b, t, s * h))
# %% with_mask_required
class MHA(nn.Module):
    def __init__(self, h, d_model, dropout=0.1):
        super().__init__()
        self.d_k, self.h = d_model // h, h
        self.linears = nn.ModuleList([nn.Linear(d_model, d_model) for _ in range(4)])
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key, value, mask):
        if mask is not None:
            mask = mask.unsqueeze(1)
        n = query.size(0)
        query, key, value = [l(x).view(n, -1, self.h, self.d_k).transpose(1, 2) for l, x in zip(self.linears, (query, key, value))]
        scores = torch.matmul(query, key.transpose(-2, -1)) / self.d_k ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        x = torch.matmul(self.dropout(scores.softmax(-1)), value)
        x = x.transpose(1, 2).contiguous().view(n, -1, self.h * self.d_k)
        return self.linears[-1](x)
# %% two_step_kv
class CrossOrSelf(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.to_out = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.0))

    def forward(self, x, context=None):
        context = x if context is None else context
        q = self.to_q(x)
        k, v = self.to_kv(context).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for t in (q, k, v))
        att = torch.softmax(torch.einsum("bhid,bhjd->bhij", q, k) * q.size(-1) ** -0.5, dim=-1)
        return self.to_out(torch.einsum("bhij,bhjd->bhid", att, v).transpose(1, 2).flatten(2))
# %% scaling_first_numpy_layer
class NumpyMHA:
    def __init__(self, embed_dim, num_heads):
        self.E, self.N = embed_dim, num_heads
        s = 1 / np.sqrt(embed_dim)
        self.params = {k: np.random.uniform(-s, s, (embed_dim, embed_dim)) for k in ("Wq", "Wk", "Wv", "Wo")}
        self.params.update({k: np.zeros(embed_dim) for k in ("bq", "bk", "bv", "bo")})

    def forward(self, x):
        p = self.params
        B, T, _ = x.shape
        def proj(n):
            return (x @ p["W" + n] + p["b" + n]).reshape(B, T, self.N, -1).swapaxes(1, 2)
        q, k, v = proj("q") * (self.E // self.N) ** -0.5, proj("k"), proj("v")
        w = np.exp((s := q @ k.swapaxes(2, 3)) - s.max(-1, keepdims=True))
        w /= w.sum(-1, keepdims=True)
        return (w @ v).swapaxes(1, 2).reshape(B, T, -1) @ p["Wo"] + p["bo"]
# %% config_argument: a function that takes its settings as an object
class AttnConfig:
    n_embd = 48
    n_head = 6

def attention(x, wqkv, wo, cfg: AttnConfig):
    B, T, C = x.shape
    q, k, v = (x @ wqkv).split(C, dim=-1)
    q, k, v = (t.view(B, T, cfg.n_head, C // cfg.n_head).transpose(1, 2) for t in (q, k, v))
    s = q @ k.transpose(-2, -1) / (C // cfg.n_head) ** 0.5
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C) @ wo
# %% params_first: nested dicts of a weight (out, in) and a bias
def affine(layer, x):
    return x @ layer["weight"].T + layer["bias"]

def mhsa(p, x, n_heads):
    q, k, v = affine(p["query"], x), affine(p["key"], x), affine(p["value"], x)
    B, T, D = x.shape
    cut = lambda t: t.reshape(B, T, n_heads, D // n_heads).transpose(0, 2, 1, 3)
    s = cut(q) @ cut(k).swapaxes(-1, -2) / np.sqrt(D // n_heads)
    w = np.exp(s - s.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    return affine(p["output"], (w @ cut(v)).transpose(0, 2, 1, 3).reshape(B, T, D))
# %% held_list: the weights come in a list when it is made
class Attention:
    def __init__(self, weights, num_heads):
        self.Wq, self.Wk, self.Wv, self.Wo = weights
        self.n = num_heads

    def forward(self, x):
        T, D = x.shape
        d = D // self.n
        heads = []
        for h in range(self.n):
            q, k, v = (x @ W[:, h * d:(h + 1) * d] for W in (self.Wq, self.Wk, self.Wv))
            s = q @ k.T / d ** 0.5
            w = np.exp(s - s.max(1, keepdims=True))
            heads.append(w / w.sum(1, keepdims=True) @ v)
        return np.concatenate(heads, 1) @ self.Wo
# %% held_pairs: weights with biases under one name, given to a constructor
class MHA:
    def __init__(self, params, h):
        self.params, self.h = params, h

    def project(self, name, x):
        p = self.params[name]
        return x @ p["w"] + p["b"]

    def __call__(self, x):
        B, T, D = x.shape
        q, k, v = (self.project(n, x).view(B, T, self.h, D // self.h).transpose(1, 2) for n in "qkv")
        a = (q @ k.mT / (D // self.h) ** 0.5).softmax(-1)
        return self.project("o", (a @ v).transpose(1, 2).reshape(B, T, D))
# %% biases_by_name
def self_attention(x, params, heads):
    T, D = x.shape
    d = D // heads
    q = (x @ params["W_q"] + params["b_q"]).reshape(T, heads, d)
    k = (x @ params["W_k"] + params["b_k"]).reshape(T, heads, d)
    v = (x @ params["W_v"] + params["b_v"]).reshape(T, heads, d)
    s = np.einsum("ihd,jhd->hij", q, k) / d ** 0.5
    s = np.where(np.tri(T, dtype=bool), s, -np.inf)
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return np.einsum("hij,jhd->ihd", w, v).reshape(T, D) @ params["W_o"] + params["b_o"]
# %% dataclass_call: unannotated settings, with one that is no size
from dataclasses import dataclass
import torch

@dataclass
class Hyper:
    d_model: int = 32
    n_heads: int = 4
    temperature: float = 1.0

def attend(x, w_q, w_k, w_v, w_o, hparams):
    B, T, D = x.shape
    h, d = hparams.n_heads, hparams.d_model // hparams.n_heads
    q, k, v = ((x @ w).reshape(B, T, h, d).permute(0, 2, 1, 3) for w in (w_q, w_k, w_v))
    s = torch.einsum("bhid,bhjd->bhij", q, k) / (d**0.5 * hparams.temperature)
    return torch.einsum("bhij,bhjd->bihd", s.softmax(-1), v).reshape(B, T, D) @ w_o
# %% dropout_switched: dropout that is off in eval mode
class Attn(nn.Module):
    def __init__(self, dim, heads, attn_pdrop=0.2):
        super().__init__()
        self.heads, self.p = heads, attn_pdrop
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, D // self.heads).permute(2, 0, 3, 1, 4)
        w = F.dropout((q @ k.mT * (D // self.heads) ** -0.5).softmax(-1), self.p, self.training)
        return self.proj((w @ v).transpose(1, 2).flatten(2))
# %% mask_of_its_own_kind: an optional mask as a list of lengths per head, never needed
class Layer(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, block_mask=None):
        B, T, D = x.shape
        q, k, v = (f(x).view(B, T, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if block_mask is not None:
            s = block_mask.apply_to(s)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% numpy_dropout_flag: a function with dropout and training
def mha(x, Wq, Wk, Wv, Wo, n_head, dropout=0.1, training=True):
    T, D = x.shape
    d = D // n_head
    q, k, v = ((x @ W).reshape(T, n_head, d).swapaxes(0, 1) for W in (Wq, Wk, Wv))
    s = q @ k.swapaxes(1, 2) / np.sqrt(d)
    w = np.exp(s - s.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    if training:
        w = w * (np.random.rand(*w.shape) >= dropout) / (1 - dropout)
    return (w @ v).swapaxes(0, 1).reshape(T, D) @ Wo
# %% weights_record: a named tuple of matrices
from typing import NamedTuple
import torch

class Weights(NamedTuple):
    wq: torch.Tensor
    wk: torch.Tensor
    wv: torch.Tensor
    wo: torch.Tensor

def multihead(x, w: Weights, n_heads: int):
    B, T, D = x.shape
    q, k, v = ((x @ m).view(B, T, n_heads, -1).transpose(1, 2) for m in (w.wq, w.wk, w.wv))
    a = torch.softmax(q @ k.mT / (D // n_heads) ** 0.5, -1)
    return (a @ v).transpose(1, 2).reshape(B, T, D) @ w.wo
# %% hf_names: key_padding mask of ones, hidden states
class BertSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_attention_heads = config.num_attention_heads
        self.attention_head_size = config.hidden_size // config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def transpose_for_scores(self, x):
        return x.view(*x.shape[:2], self.num_attention_heads, self.attention_head_size).permute(0, 2, 1, 3)

    def forward(self, hidden_states, attention_mask=None, output_attentions=False):
        q = self.transpose_for_scores(self.query(hidden_states))
        k = self.transpose_for_scores(self.key(hidden_states))
        v = self.transpose_for_scores(self.value(hidden_states))
        scores = q @ k.transpose(-1, -2) / self.attention_head_size**0.5
        if attention_mask is not None:
            scores = scores + (1.0 - attention_mask[:, None, None, :]) * -10000.0
        probs = self.dropout(scores.softmax(-1))
        out = (probs @ v).permute(0, 2, 1, 3).flatten(2)
        out = self.dense(out)
        return (out, probs) if output_attentions else (out,)
# %% in_float32_with_a_mask_of_ten_thousand
def attention(x, Wq, Wk, Wv, Wo, n_heads):
    x, Wq, Wk, Wv, Wo = (one.astype(np.float32) for one in (x, Wq, Wk, Wv, Wo))
    B, T, D = x.shape
    heads = lambda w: (x @ w).reshape(B, T, n_heads, -1).transpose(0, 2, 1, 3)
    s = heads(Wq) @ heads(Wk).swapaxes(-1, -2) / np.sqrt(D // n_heads)
    s = np.where(np.tri(T, dtype=bool), s, np.float32(-1e4))
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ heads(Wv)).transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
