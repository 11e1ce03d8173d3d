# %% mha_01
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_k = d_model // num_heads

        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def split_heads(self, x):
        batch_size, seq_length, _ = x.size()
        return x.view(batch_size, seq_length, self.num_heads, self.d_k).transpose(1, 2)

    def combine_heads(self, x):
        batch_size, _, seq_length, _ = x.size()
        return x.transpose(1, 2).contiguous().view(batch_size, seq_length, self.d_model)

    def forward(self, x, mask=None):
        Q = self.split_heads(self.W_q(x))
        K = self.split_heads(self.W_k(x))
        V = self.split_heads(self.W_v(x))

        attn_scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            attn_scores = attn_scores.masked_fill(mask == 0, -1e9)
        attn_probs = torch.softmax(attn_scores, dim=-1)
        return self.W_o(self.combine_heads(torch.matmul(attn_probs, V)))
# %% mha_02
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

@dataclass
class Config:
    n_embd: int = 64
    n_head: int = 4
    block_size: int = 128
    dropout: float = 0.0
    bias: bool = False

class CausalSelfAttention(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.attn_dropout = nn.Dropout(config.dropout)
        self.resid_dropout = nn.Dropout(config.dropout)
        self.n_head = config.n_head
        self.n_embd = config.n_embd
        self.register_buffer(
            "bias",
            torch.tril(torch.ones(config.block_size, config.block_size)).view(
                1, 1, config.block_size, config.block_size
            ),
        )

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)  # (B, nh, T, hs)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)

        att = (q @ k.transpose(-2, -1)) * (k.size(-1) ** -0.5)
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        att = self.attn_dropout(att)
        y = att @ v                                                      # (B, nh, T, hs)
        y = y.transpose(1, 2).reshape(B, T, C)
        return self.resid_dropout(self.c_proj(y))
# %% mha_03
def _softmax(z):
    z = z - z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)

def multi_head_attention(X, params, h, causal=False):
    """
    X       (n, d)
    params  dict with 'Wq', 'Wk', 'Wv', 'Wo', each (d, d), used as X @ W
    """
    n, d = X.shape
    dh = d // h
    Q = (X @ params["Wq"]).reshape(n, h, dh).transpose(1, 0, 2)   # (h, n, dh)
    K = (X @ params["Wk"]).reshape(n, h, dh).transpose(1, 2, 0)   # (h, dh, n)
    V = (X @ params["Wv"]).reshape(n, h, dh).transpose(1, 0, 2)   # (h, n, dh)
    S = Q @ K / np.sqrt(dh)                                       # (h, n, n)
    if causal:
        S = np.where(np.tri(n, dtype=bool), S, -np.inf)
    out = _softmax(S) @ V                                         # (h, n, dh)
    return out.transpose(1, 0, 2).reshape(n, d) @ params["Wo"]
# %% mha_04
class Head(nn.Module):
    """One head of self-attention."""

    def __init__(self, n_embd, head_size, causal):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.causal = causal

    def forward(self, x):
        T = x.shape[1]
        k, q, v = self.key(x), self.query(x), self.value(x)     # (B,T,hs) each
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5     # (B,T,T)
        if self.causal:
            tril = torch.tril(torch.ones(T, T, device=x.device))
            wei = wei.masked_fill(tril == 0, float("-inf"))
        return F.softmax(wei, dim=-1) @ v

class MultiHead(nn.Module):
    def __init__(self, n_head, n_embd, causal=True):
        super().__init__()
        hs = n_embd // n_head
        self.heads = nn.ModuleList([Head(n_embd, hs, causal) for _ in range(n_head)])
        self.proj = nn.Linear(n_head * hs, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([head(x) for head in self.heads], dim=-1))
# %% mha_05
from functools import partial
from typing import NamedTuple

import torch
from torch.func import vmap

class MHAParams(NamedTuple):
    wq: torch.Tensor  # [h, d, k]
    wk: torch.Tensor  # [h, d, k]
    wv: torch.Tensor  # [h, d, k]
    wo: torch.Tensor  # [h, k, d]

def init_mha(gen, d_model, n_heads):
    k = d_model // n_heads
    def mk(*s):
        return torch.randn(*s, generator=gen) / d_model ** 0.5
    return MHAParams(mk(n_heads, d_model, k), mk(n_heads, d_model, k),
                     mk(n_heads, d_model, k), mk(n_heads, k, d_model))

def _mha_single(params, x):
    q = torch.einsum("td,hdk->htk", x, params.wq)
    k = torch.einsum("sd,hdk->hsk", x, params.wk)
    v = torch.einsum("sd,hdk->hsk", x, params.wv)
    logits = torch.einsum("htk,hsk->hts", q, k) / params.wq.shape[-1] ** 0.5
    weights = torch.softmax(logits, -1)
    return torch.einsum("hts,hsk,hkd->td", weights, v, params.wo)

def mha(params, xs):
    """xs: [b, t, d]"""
    return vmap(partial(_mha_single, params))(xs)
# %% mha_06
def matmul(A, B):
    n, k, m = len(A), len(B), len(B[0])
    C = [[0.0] * m for _ in range(n)]
    for i in range(n):
        for t in range(k):
            a = A[i][t]
            for j in range(m):
                C[i][j] += a * B[t][j]
    return C

def self_attention(x, Wq, Wk, Wv, Wo, H):
    """x: list of T rows of D floats; the weights are D x D lists of rows."""
    T, D = len(x), len(x[0])
    dh = D // H
    q, k, v = matmul(x, Wq), matmul(x, Wk), matmul(x, Wv)
    concat = [[0.0] * D for _ in range(T)]
    for h in range(H):
        lo, hi = h * dh, (h + 1) * dh
        for i in range(T):
            scores = []
            for j in range(T):
                dot = 0.0
                for c in range(lo, hi):
                    dot += q[i][c] * k[j][c]
                scores.append(dot / math.sqrt(dh))
            mx = max(scores)
            ws = [math.exp(s - mx) for s in scores]
            z = sum(ws)
            for j in range(T):
                w = ws[j] / z
                for c in range(lo, hi):
                    concat[i][c] += w * v[j][c]
    return matmul(concat, Wo)
# %% mha_07
from typing import Optional

import torch
from torch import Tensor, nn

class MultiheadSelfAttention(nn.Module):
    """
    Args:
        embed_dim: input and output width
        num_heads: number of heads
        head_dim:  width of a head (defaults to embed_dim // num_heads)
    """

    def __init__(self, embed_dim: int, num_heads: int, head_dim: Optional[int] = None, bias: bool = True):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = head_dim or embed_dim // num_heads
        inner = self.num_heads * self.head_dim
        self.to_qkv = nn.Linear(embed_dim, 3 * inner, bias=bias)
        self.to_out = nn.Linear(inner, embed_dim, bias=bias)
        self.scale = self.head_dim ** -0.5

    def forward(self, x: Tensor, key_padding_mask: Optional[Tensor] = None):
        """x: (B, N, E); key_padding_mask: (B, N), True = ignore that key. Returns (out, attn)."""
        B, N, _ = x.shape
        qkv = self.to_qkv(x)                                          # (B, N, 3*H*Dh)
        qkv = qkv.reshape(B, N, 3, self.num_heads, self.head_dim)     # (B, N, 3, H, Dh)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)                # 3 x (B, H, N, Dh)

        attn = (q * self.scale) @ k.mT                                # (B, H, N, N)
        if key_padding_mask is not None:
            attn = attn.masked_fill(key_padding_mask[:, None, None, :], float("-inf"))
        attn = attn.softmax(dim=-1)

        out = (attn @ v).transpose(1, 2).flatten(2)                   # (B, N, H*Dh)
        return self.to_out(out), attn
# %% mha_08
class NumpyMHA:
    def __init__(self, dim, heads, seed=0):
        rng = np.random.default_rng(seed)
        self.h, self.dk = heads, dim // heads
        # stored like torch: (out, in)
        self.w_in = rng.normal(0, dim ** -0.5, (3 * dim, dim))
        self.b_in = np.zeros(3 * dim)
        self.w_out = rng.normal(0, dim ** -0.5, (dim, dim))
        self.b_out = np.zeros(dim)

    def __call__(self, x, blocked=None):
        """x (B, T, D); blocked: bool, broadcastable to (B, H, T, T), True = cannot attend."""
        B, T, D = x.shape
        proj = x @ self.w_in.T + self.b_in
        q, k, v = np.split(proj, 3, axis=-1)

        def heads(a):
            return np.swapaxes(a.reshape(B, T, self.h, self.dk), 1, 2)

        q, k, v = heads(q), heads(k), heads(v)
        logits = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(self.dk)
        if blocked is not None:
            logits[np.broadcast_to(blocked, logits.shape)] = -1e30
        logits -= logits.max(-1, keepdims=True)
        p = np.exp(logits)
        p /= p.sum(-1, keepdims=True)
        y = np.einsum("bhij,bhjd->bihd", p, v).reshape(B, T, D)
        return y @ self.w_out.T + self.b_out
