"""Programs for the interview topic gqa. tests/course_utils/interview/test_programs.py explains the format."""

# %% repeat_interleave, part 1: right
# taken
import torch

def gqa(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    K, V = K.repeat_interleave(g, dim=1), V.repeat_interleave(g, dim=1)
    return torch.softmax(Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5, dim=-1) @ V

# %% repeat_kv, part 1: a layer, as in transformers
# taken
import math
from torch import nn

def repeat_kv(x, n_rep):
    b, h, t, d = x.shape
    return x[:, :, None].expand(b, h, n_rep, t, d).reshape(b, h * n_rep, t, d)

class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads):
        super().__init__()
        self.nh, self.nkv, self.hd = n_heads, n_kv_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, n_heads * self.hd, bias=False)
        self.k_proj = nn.Linear(d_model, n_kv_heads * self.hd, bias=False)
        self.v_proj = nn.Linear(d_model, n_kv_heads * self.hd, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        B, T, _ = x.shape
        q = self.q_proj(x).view(B, T, self.nh, self.hd).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.nkv, self.hd).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.nkv, self.hd).transpose(1, 2)
        k, v = repeat_kv(k, self.nh // self.nkv), repeat_kv(v, self.nh // self.nkv)
        s = q @ k.transpose(2, 3) / math.sqrt(self.hd)
        if mask is not None:
            s = s + mask
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1))

interview.check(GroupedQueryAttention, layers={"W_q": "q_proj", "W_k": "k_proj", "W_v": "v_proj", "W_o": "out_proj"})

# %% numpy_heads, part 1: one head after the other
# taken
import numpy as np

def attention(Q, K, V):
    out = np.zeros_like(Q)
    B, H = Q.shape[:2]
    group = H // K.shape[1]
    for b in range(B):
        for h in range(H):
            s = Q[b, h] @ K[b, h // group].T / np.sqrt(Q.shape[-1])
            w = np.exp(s - s.max(1, keepdims=True))
            out[b, h] = w / w.sum(1, keepdims=True) @ V[b, h // group]
    return out

# %% function_with_weights, part 1: right
# taken
import torch

def gqa_forward(x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads):
    B, T, D = x.shape
    hd = D // n_heads
    q = (x @ W_q).view(B, T, n_heads, hd).transpose(1, 2)
    k = (x @ W_k).view(B, T, n_kv_heads, hd).transpose(1, 2)
    v = (x @ W_v).view(B, T, n_kv_heads, hd).transpose(1, 2)
    idx = torch.arange(n_heads) // (n_heads // n_kv_heads)
    w = torch.softmax(q @ k[:, idx].mT / hd**0.5, -1)
    return (w @ v[:, idx]).transpose(1, 2).reshape(B, T, D) @ W_o

# %% gqa_01_b, part 1: right
# taken
import math
import torch
from torch import nn

def repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    """(B, n_kv, T, hd) -> (B, n_kv * n_rep, T, hd)"""
    b, n_kv, t, hd = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None, :, :].expand(b, n_kv, n_rep, t, hd).reshape(b, n_kv * n_rep, t, hd)

class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int):
        super().__init__()
        assert d_model % n_heads == 0 and n_heads % n_kv_heads == 0
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.head_dim = d_model // n_heads
        self.q_proj = nn.Linear(d_model, n_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, n_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, n_kv_heads * self.head_dim, bias=False)
        self.out_proj = nn.Linear(n_heads * self.head_dim, d_model, bias=False)

    def forward(self, x, mask=None):
        B, T, _ = x.shape
        q = self.q_proj(x).view(B, T, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.n_kv_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_kv_heads, self.head_dim).transpose(1, 2)
        k = repeat_kv(k, self.n_heads // self.n_kv_heads)
        v = repeat_kv(v, self.n_heads // self.n_kv_heads)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores + mask          # additive
        out = scores.softmax(dim=-1) @ v
        return self.out_proj(out.transpose(1, 2).reshape(B, T, -1))

interview.check(GroupedQueryAttention, layers={"W_q": "q_proj", "W_k": "k_proj", "W_v": "v_proj", "W_o": "out_proj"})

# %% gqa_01_c, part 1: right
# taken
import torch

def grouped_query_attention(Q, K, V, causal=True):
    """q (B, Hq, T, d); k, v (B, Hkv, S, d); Hq a multiple of Hkv. -> (B, Hq, T, d)"""
    B, Hq, T, d = Q.shape
    Hkv, S = K.shape[1], K.shape[2]
    if Hq % Hkv:
        raise ValueError("number of query heads must be a multiple of kv heads")
    rep = Hq // Hkv
    K = K.repeat_interleave(rep, dim=1)
    V = V.repeat_interleave(rep, dim=1)
    s = Q @ K.transpose(-1, -2) / d ** 0.5
    if causal:
        # the queries are the last T of the S positions
        ok = torch.ones(T, S, dtype=torch.bool, device=Q.device).tril(S - T)
        s = s.masked_fill(~ok, float("-inf"))
    return s.softmax(-1) @ V

interview.check(lambda Q, K, V: grouped_query_attention(Q, K, V, causal=False))

# %% scale_of_all, part 1: scale d model
# refused: scale_d_model
def f(Q, K, V):
    B, H, T, d = Q.shape
    g = H // K.shape[1]
    K, V = K.repeat_interleave(g, 1), V.repeat_interleave(g, 1)
    s = Q @ K.transpose(-1, -2) / (H * d)**0.5
    return s.softmax(-1) @ V

# %% over_queries, part 1: softmax over queries
# refused: softmax_over_queries
def f(Q, K, V):
    B, H, T, d = Q.shape
    g = H // K.shape[1]
    K, V = K.repeat_interleave(g, 1), V.repeat_interleave(g, 1)
    s = Q @ K.transpose(-1, -2) / d**0.5
    return s.softmax(-2) @ V

# %% no_softmax, part 1: no softmax
# refused: no_softmax
def f(Q, K, V):
    B, H, T, d = Q.shape
    g = H // K.shape[1]
    K, V = K.repeat_interleave(g, 1), V.repeat_interleave(g, 1)
    s = Q @ K.transpose(-1, -2) / d**0.5
    return s @ V

# %% summed_groups, part 1: queries averaged
# refused: queries_averaged
def f(Q, K, V):
    B, H, T, d = Q.shape
    G = K.shape[1]
    Q = Q.view(B, G, H // G, T, d).mean(2)
    o = (Q @ K.mT / d ** 0.5).softmax(-1) @ V
    return o.repeat_interleave(H // G, 1)

# %% keys_for_values, part 1: ignores argument
# refused: ignores_argument
import torch

def f(Q, K, V):
    B, H, T, d = Q.shape
    g = H // K.shape[1]
    K, V = K.repeat_interleave(g, 1), V.repeat_interleave(g, 1)
    s = Q @ K.transpose(-1, -2) / d**0.5
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
    return s.softmax(-1) @ K

# %% layer_by_the_stub, part 1: right
# taken
import torch
import torch.nn as nn

class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads):
        super().__init__()
        self.n_heads, self.n_kv_heads, self.d = n_heads, n_kv_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, n_kv_heads * self.d)
        self.v_proj = nn.Linear(d_model, n_kv_heads * self.d)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.n_heads, self.d).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.n_kv_heads, self.d).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_kv_heads, self.d).transpose(1, 2)
        n = self.n_heads // self.n_kv_heads
        k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
        out = (q @ k.mT / self.d**0.5).softmax(-1) @ v
        return self.out_proj(out.transpose(1, 2).reshape(B, T, D))

# %% tiled, part 1: kv heads in the order 0, 1, 0, 1
# refused: repeat_for_repeat_interleave
import torch

def gqa(Q, K, V):
    g = Q.shape[1] // K.shape[1]
    K, V = K.repeat(1, g, 1, 1), V.repeat(1, g, 1, 1)
    return (Q @ K.mT / Q.shape[-1] ** 0.5).softmax(-1) @ V

# %% cached_function, part 3: right
# taken
import torch

def gqa(x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, cache=None):
    B, T, D = x.shape
    d = D // n_heads
    q = (x @ W_q).view(B, T, n_heads, d).transpose(1, 2)
    k, v = ((x @ W).view(B, T, n_kv_heads, d).transpose(1, 2) for W in (W_k, W_v))
    if cache:
        k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
    K, V = (t.repeat_interleave(n_heads // n_kv_heads, 1) for t in (k, v))
    mask = torch.ones(T, K.shape[2]).triu(K.shape[2] - T + 1).bool()
    y = (q @ K.mT * d**-0.5).masked_fill(mask, float("-inf")).softmax(-1) @ V
    return y.transpose(1, 2).reshape(B, T, D) @ W_o, (k, v)

# %% all_heads_cached, part 3: the repeated heads are cached (numbers right)
# refused: cache_of_other_size
import torch

def gqa(x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, cache=None):
    B, T, D = x.shape
    d, g = D // n_heads, n_heads // n_kv_heads
    q = (x @ W_q).view(B, T, n_heads, d).transpose(1, 2)
    k = (x @ W_k).view(B, T, n_kv_heads, d).transpose(1, 2).repeat_interleave(g, 1)
    v = (x @ W_v).view(B, T, n_kv_heads, d).transpose(1, 2).repeat_interleave(g, 1)
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    S = k.shape[2]
    s = q @ k.mT / d ** 0.5
    s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ W_o, (k, v)

# %% divided_by_d_head, part 3: scores divided by d_head, not by its root
# refused: scale_d_head_no_root
import torch

def gqa(x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, cache=None):
    B, T, D = x.shape
    d, g = D // n_heads, n_heads // n_kv_heads
    q = (x @ W_q).view(B, T, n_heads, d).transpose(1, 2)
    k = (x @ W_k).view(B, T, n_kv_heads, d).transpose(1, 2)
    v = (x @ W_v).view(B, T, n_kv_heads, d).transpose(1, 2)
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    S = k.shape[2]
    s = q @ k.repeat_interleave(g, 1).mT / d
    s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
    return (s.softmax(-1) @ v.repeat_interleave(g, 1)).transpose(1, 2).reshape(B, T, D) @ W_o, (k, v)
