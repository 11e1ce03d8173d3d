# %% mha_01
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

@dataclass
class GPTConfig:
    n_embd: int
    n_head: int
    dropout: float = 0.0
    bias: bool = True

class CausalSelfAttention(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.attn_dropout = nn.Dropout(config.dropout)
        self.resid_dropout = nn.Dropout(config.dropout)
        self.n_head = config.n_head
        self.n_embd = config.n_embd

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)

        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        att = att.masked_fill(future, float("-inf"))
        att = F.softmax(att, dim=-1)
        att = self.attn_dropout(att)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.resid_dropout(self.c_proj(y))
# %% mha_02
import torch
from torch import nn, einsum

class MHA(nn.Module):
    """One weight per head, everything with einsum. No mask unless asked for."""

    def __init__(self, dim, heads, dim_head=None, causal=False):
        super().__init__()
        dh = dim_head if dim_head is not None else dim // heads
        self.causal = causal
        self.scale = dh ** -0.5
        self.Wq = nn.Parameter(torch.randn(heads, dim, dh) * dim ** -0.5)
        self.Wk = nn.Parameter(torch.randn(heads, dim, dh) * dim ** -0.5)
        self.Wv = nn.Parameter(torch.randn(heads, dim, dh) * dim ** -0.5)
        self.Wo = nn.Parameter(torch.randn(heads, dh, dim) * (heads * dh) ** -0.5)

    def forward(self, x):
        q = einsum("bnd,hde->bhne", x, self.Wq)
        k = einsum("bnd,hde->bhne", x, self.Wk)
        v = einsum("bnd,hde->bhne", x, self.Wv)
        sim = einsum("bhie,bhje->bhij", q, k) * self.scale
        if self.causal:
            i = torch.arange(x.shape[1], device=x.device)
            sim = sim.masked_fill(i[None, :] > i[:, None], -torch.finfo(sim.dtype).max)
        attn = sim.softmax(dim=-1)
        return einsum("bhij,bhje,hed->bid", attn, v, self.Wo)
# %% mha_03
"""NumPy, functional: params are a dict, no state anywhere."""
import numpy as np

def init_params(rng, d_model):
    s = 1.0 / np.sqrt(d_model)
    return {name: rng.normal(0.0, s, (d_model, d_model)) for name in ("wq", "wk", "wv", "wo")}

def _softmax(a):
    a = a - a.max(-1, keepdims=True)
    e = np.exp(a)
    return e / e.sum(-1, keepdims=True)

def mha(params, x, n_heads, causal=True):
    # x: (..., T, D)
    *lead, T, D = x.shape
    d = D // n_heads

    def heads(w):
        return np.swapaxes((x @ w).reshape(*lead, T, n_heads, d), -2, -3)

    q, k, v = heads(params["wq"]), heads(params["wk"]), heads(params["wv"])
    logits = q @ np.swapaxes(k, -1, -2) / np.sqrt(d)
    if causal:
        logits = np.where(np.tri(T, dtype=bool), logits, -np.inf)
    ctx = _softmax(logits) @ v
    ctx = np.swapaxes(ctx, -2, -3).reshape(*lead, T, D)
    return ctx @ params["wo"]
# %% mha_04
def matmul(a, b):
    cols = list(zip(*b))
    return [[sum(p * q for p, q in zip(row, col)) for col in cols] for row in a]

def softmax(row):
    m = max(row)
    e = [math.exp(r - m) for r in row]
    s = sum(e)
    return [t / s for t in e]

def self_attention(x, w_q, w_k, w_v, w_o, n_heads, causal=True):
    """x: T rows of D numbers; w_*: D x D lists, used as x @ w. Returns T rows of D numbers."""
    q, k, v = matmul(x, w_q), matmul(x, w_k), matmul(x, w_v)
    T = len(x)
    dim = len(w_q[0])
    hd = dim // n_heads
    out = [[0.0] * dim for _ in range(T)]
    for h in range(n_heads):
        lo, hi = h * hd, (h + 1) * hd
        for i in range(T):
            last = i + 1 if causal else T
            qi = q[i][lo:hi]
            scores = [
                sum(a * b for a, b in zip(qi, k[j][lo:hi])) / math.sqrt(hd)
                for j in range(last)
            ]
            p = softmax(scores)
            for c in range(lo, hi):
                out[i][c] = sum(p[j] * v[j][c] for j in range(last))
    return matmul(out, w_o)
