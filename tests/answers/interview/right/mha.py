"""Right answers to the topic mha."""
# %% four_linears: causal
import math
import torch
import torch.nn as nn

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
import math
import torch
from torch import nn
from torch.nn import functional as F

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
import numpy as np

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
import torch
import torch.nn as nn

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
import torch
from torch import nn

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
import torch

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
import numpy as np

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
import torch
import torch.nn as nn

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
import torch

def multi_head(q, k, v, heads, mask=None):
    b, t, d = q.shape
    q, k, v = (m.view(b, t, heads, -1).transpose(1, 2) for m in (q, k, v))
    s = q @ k.transpose(2, 3) / (d // heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    return (torch.softmax(s, -1) @ v).transpose(1, 2).reshape(b, t, d)

# %% features_across: the heads lie across the features, (d h)
import torch
from torch import nn

class Across(nn.Module):
    def __init__(self, dim, num_heads=8):
        super().__init__()
        self.to_qkv, self.to_out, self.h = nn.Linear(dim, dim * 3, bias=False), nn.Linear(dim, dim), num_heads

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2) for t in self.to_qkv(x).chunk(3, -1))
        y = (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
        return self.to_out(y.permute(0, 2, 3, 1).flatten(2))

# %% functional_fused: one weight for q, k, v
import torch

def attention(x, w_qkv, w_out, num_heads):
    B, T, D = x.shape
    q, k, v = (x @ w_qkv).reshape(B, T, 3, num_heads, D // num_heads).permute(2, 0, 3, 1, 4)
    s = q @ k.mT / (D // num_heads) ** 0.5 + torch.full((T, T), float("-inf")).triu(1)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_out

# %% as_torch: the signature of nn.MultiheadAttention
import torch
from torch import nn

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
import torch
import torch.nn as nn

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
import numpy as np

def attend(x, params, n_heads):
    q, k, v = (x @ params[n] for n in ("wq", "wk", "wv"))
    cut = lambda m: np.stack(np.split(m, n_heads, axis=-1), axis=-3)
    s = cut(q) @ np.swapaxes(cut(k), -1, -2) / np.sqrt(x.shape[-1] // n_heads)
    s = np.exp(s - s.max(-1, keepdims=True))
    o = s / s.sum(-1, keepdims=True) @ cut(v)
    return np.concatenate(list(np.moveaxis(o, -3, 0)), axis=-1) @ params["wo"]

# %% sizes_of_heads: d_k and d_v, and a sequence without a batch
import torch
from torch import nn

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
