# %% cached_mha_01
import math
from typing import Optional, Tuple

import torch
import torch.nn as nn

class CachedSelfAttention(nn.Module):
    """out, past = attn(x, past)   -- past is None on the first call."""

    def __init__(self, hidden_size: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.v_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)

    def _shape(self, t):
        b, n, _ = t.shape
        return t.view(b, n, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(
        self,
        hidden_states: torch.Tensor,
        past_key_value: Optional[Tuple[torch.Tensor, torch.Tensor]] = None,
    ):
        b, n, c = hidden_states.shape
        q = self._shape(self.q_proj(hidden_states))
        k = self._shape(self.k_proj(hidden_states))
        v = self._shape(self.v_proj(hidden_states))

        past_len = 0
        if past_key_value is not None:
            past_len = past_key_value[0].shape[2]
            k = torch.cat([past_key_value[0], k], dim=2)
            v = torch.cat([past_key_value[1], v], dim=2)
        present = (k, v)

        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(self.head_dim)
        keep = torch.ones(n, past_len + n, dtype=torch.bool, device=q.device).tril(past_len)
        scores = scores.masked_fill(~keep, float("-inf"))
        probs = torch.softmax(scores, dim=-1)
        out = torch.matmul(probs, v).transpose(1, 2).reshape(b, n, c)
        return self.o_proj(out), present
# %% cached_mha_02
class KVStore:
    """Keeps the chunks it was handed and glues them on request."""

    def __init__(self):
        self.ks, self.vs = [], []

    def __len__(self):
        return sum(k.shape[1] for k in self.ks)

    def push(self, k, v):
        self.ks.append(k)
        self.vs.append(v)

    def all(self):
        return torch.cat(self.ks, dim=1), torch.cat(self.vs, dim=1)

class Attention(nn.Module):
    # remembers between calls; call reset() before a new text
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.h = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        self.store = KVStore()

    def reset(self):
        self.store = KVStore()

    def forward(self, x):
        B, T, D = x.shape
        # (B, T, 3, H, d)
        q, k, v = self.qkv(x).reshape(B, T, 3, self.h, D // self.h).unbind(dim=2)
        seen = len(self.store)
        self.store.push(k, v)
        k, v = self.store.all()
        s = torch.einsum("bthd,bshd->bhts", q, k) * (D // self.h) ** -0.5
        q_pos = seen + torch.arange(T, device=x.device)
        k_pos = torch.arange(k.shape[1], device=x.device)
        s = s.masked_fill(k_pos > q_pos[:, None], float("-inf"))
        y = torch.einsum("bhts,bshd->bthd", s.softmax(-1), v)
        return self.out(y.reshape(B, T, D))
# %% cached_mha_03
"""y, cache = step(params, x, cache, n_heads): nothing is changed in place."""
import numpy as np

def init(rng, d):
    mk = lambda: rng.standard_normal((d, d)) / np.sqrt(d)
    return dict(q=mk(), k=mk(), v=mk(), o=mk())

def empty_cache(params, batch, n_heads):
    d = params["k"].shape[1] // n_heads
    z = np.zeros((batch, n_heads, 0, d))
    return {"k": z, "v": z}

def step(params, x, cache=None, n_heads=1):
    B, T, D = x.shape
    if cache is None:
        cache = empty_cache(params, B, n_heads)
    split = lambda a: a.reshape(B, T, n_heads, -1).transpose(0, 2, 1, 3)
    q = split(x @ params["q"])
    k = np.concatenate([cache["k"], split(x @ params["k"])], axis=2)
    v = np.concatenate([cache["v"], split(x @ params["v"])], axis=2)
    S = k.shape[2]
    w = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(q.shape[-1])
    w = np.where(np.arange(S)[None, :] <= np.arange(S - T, S)[:, None], w, -np.inf)
    w = np.exp(w - w.max(axis=-1, keepdims=True))
    w /= w.sum(axis=-1, keepdims=True)
    y = np.einsum("bhij,bhjd->bihd", w, v).reshape(B, T, -1)
    return y @ params["o"], {"k": k, "v": v}
# %% cached_mha_04
import math
from dataclasses import dataclass

import torch
from torch import nn

@dataclass
class ModelArgs:
    dim: int
    n_heads: int
    max_batch_size: int
    max_seq_len: int

class LlamaStyleAttention(nn.Module):
    """forward(x, start_pos): start_pos = how many tokens went before (0 starts a new text). Inference only."""

    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_heads = args.n_heads
        self.head_dim = args.dim // args.n_heads
        inner = self.n_heads * self.head_dim
        self.wq = nn.Linear(args.dim, inner, bias=False)
        self.wk = nn.Linear(args.dim, inner, bias=False)
        self.wv = nn.Linear(args.dim, inner, bias=False)
        self.wo = nn.Linear(inner, args.dim, bias=False)
        shape = (args.max_batch_size, args.max_seq_len, self.n_heads, self.head_dim)
        self.register_buffer("cache_k", torch.zeros(shape), persistent=False)
        self.register_buffer("cache_v", torch.zeros(shape), persistent=False)

    @torch.no_grad()
    def forward(self, x: torch.Tensor, start_pos: int = 0):
        bsz, seqlen, _ = x.shape
        end = start_pos + seqlen
        if end > self.cache_k.shape[1]:
            raise ValueError("text is longer than max_seq_len")
        xq = self.wq(x).view(bsz, seqlen, self.n_heads, self.head_dim)
        xk = self.wk(x).view(bsz, seqlen, self.n_heads, self.head_dim)
        xv = self.wv(x).view(bsz, seqlen, self.n_heads, self.head_dim)

        self.cache_k[:bsz, start_pos:end] = xk
        self.cache_v[:bsz, start_pos:end] = xv
        keys = self.cache_k[:bsz, :end].transpose(1, 2)
        values = self.cache_v[:bsz, :end].transpose(1, 2)
        xq = xq.transpose(1, 2)

        scores = torch.matmul(xq, keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        if seqlen > 1:
            mask = torch.full((seqlen, seqlen), float("-inf"), device=x.device)
            mask = torch.triu(mask, diagonal=1)
            mask = torch.hstack([torch.zeros((seqlen, start_pos), device=x.device), mask])
            scores = scores + mask.type_as(scores)
        scores = torch.softmax(scores, dim=-1)
        out = torch.matmul(scores, values)
        return self.wo(out.transpose(1, 2).contiguous().view(bsz, seqlen, -1))
