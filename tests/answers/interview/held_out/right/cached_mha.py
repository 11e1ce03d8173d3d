# %% cached_mha_01
class CachedMHA(nn.Module):
    """Causal self-attention; pass `past=(k, v)` to continue from earlier tokens."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.dk = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, past=None):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.h, self.dk).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.h, self.dk).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.h, self.dk).transpose(1, 2)
        if past is not None:
            k = torch.cat([past[0], k], dim=2)
            v = torch.cat([past[1], v], dim=2)
        S = k.size(2)
        scores = q @ k.transpose(-2, -1) / self.dk ** 0.5                    # B h T S
        mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
        scores = scores.masked_fill(~mask, float("-inf"))
        y = scores.softmax(-1) @ v
        y = y.transpose(1, 2).reshape(B, T, D)
        return self.o_proj(y), (k, v)
# %% cached_mha_02
class Attention(nn.Module):
    """Llama-like: fixed-size cache lives inside the module, caller passes start_pos."""

    def __init__(self, dim: int, n_heads: int, max_batch: int = 4, max_seq: int = 64):
        super().__init__()
        self.n_heads = n_heads
        self.head_dim = dim // n_heads
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, dim, bias=False)
        self.wv = nn.Linear(dim, dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        self.register_buffer("cache_k", torch.zeros(max_batch, max_seq, n_heads, self.head_dim))
        self.register_buffer("cache_v", torch.zeros(max_batch, max_seq, n_heads, self.head_dim))

    @torch.no_grad()
    def forward(self, x: torch.Tensor, start_pos: int):
        bsz, seqlen, _ = x.shape
        xq = self.wq(x).view(bsz, seqlen, self.n_heads, self.head_dim)
        xk = self.wk(x).view(bsz, seqlen, self.n_heads, self.head_dim)
        xv = self.wv(x).view(bsz, seqlen, self.n_heads, self.head_dim)

        self.cache_k[:bsz, start_pos:start_pos + seqlen] = xk
        self.cache_v[:bsz, start_pos:start_pos + seqlen] = xv
        keys = self.cache_k[:bsz, :start_pos + seqlen]
        values = self.cache_v[:bsz, :start_pos + seqlen]

        xq, keys, values = xq.transpose(1, 2), keys.transpose(1, 2), values.transpose(1, 2)
        scores = torch.matmul(xq, keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        if seqlen > 1:
            mask = torch.full((seqlen, seqlen), float("-inf"), device=x.device).triu(1)
            mask = torch.hstack([torch.zeros(seqlen, start_pos, device=x.device), mask])
            scores = scores + mask
        scores = F.softmax(scores.float(), dim=-1).type_as(xq)
        out = torch.matmul(scores, values).transpose(1, 2).contiguous().view(bsz, seqlen, -1)
        return self.wo(out)
# %% cached_mha_03
def new_cache():
    return {"k": None, "v": None}

def attend_step(x_t, W, cache, n_heads):
    """One decoding step.  x_t: (d,).  W: dict of (d, d) arrays.  The cache is updated in place."""
    d = x_t.shape[0]
    hd = d // n_heads
    q = (x_t @ W["q"]).reshape(n_heads, hd)
    k = (x_t @ W["k"]).reshape(1, n_heads, hd)
    v = (x_t @ W["v"]).reshape(1, n_heads, hd)
    cache["k"] = k if cache["k"] is None else np.concatenate([cache["k"], k], axis=0)
    cache["v"] = v if cache["v"] is None else np.concatenate([cache["v"], v], axis=0)

    s = np.einsum("hd,thd->ht", q, cache["k"]) / np.sqrt(hd)
    s -= s.max(axis=1, keepdims=True)
    p = np.exp(s)
    p /= p.sum(axis=1, keepdims=True)
    out = np.einsum("ht,thd->hd", p, cache["v"]).reshape(d)
    return out @ W["o"]
# %% cached_mha_04
from typing import Optional, Tuple

import torch
from torch import nn, Tensor

class GPTAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embed_dim = config["hidden_size"]
        self.num_heads = config["num_heads"]
        self.head_dim = self.embed_dim // self.num_heads
        self.c_attn = nn.Linear(self.embed_dim, 3 * self.embed_dim)
        self.c_proj = nn.Linear(self.embed_dim, self.embed_dim)
        n = config["n_positions"]
        self.register_buffer("bias", torch.ones(n, n, dtype=torch.bool).tril().view(1, 1, n, n))

    def _split_heads(self, t):
        return t.view(*t.shape[:-1], self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def _merge_heads(self, t):
        t = t.permute(0, 2, 1, 3).contiguous()
        return t.view(*t.shape[:-2], self.embed_dim)

    def _attn(self, query, key, value):
        w = torch.matmul(query, key.transpose(-1, -2)) / self.head_dim ** 0.5
        q_len, k_len = query.size(-2), key.size(-2)
        causal = self.bias[:, :, k_len - q_len:k_len, :k_len]
        w = torch.where(causal, w, torch.finfo(w.dtype).min)
        return torch.matmul(w.softmax(dim=-1), value)

    def forward(self, hidden_states: Tensor, layer_past: Optional[Tuple[Tensor, Tensor]] = None,
                use_cache: bool = False):
        query, key, value = map(self._split_heads, self.c_attn(hidden_states).split(self.embed_dim, dim=2))
        if layer_past is not None:
            past_key, past_value = layer_past
            key = torch.cat((past_key, key), dim=-2)
            value = torch.cat((past_value, value), dim=-2)
        present = (key, value) if use_cache else None
        out = self.c_proj(self._merge_heads(self._attn(query, key, value)))
        return out, present
# %% cached_mha_05
class KVCache:
    """Preallocated (B, H, max_len, hd) storage with a fill counter."""

    def __init__(self, batch, heads, max_len, head_dim, dtype=torch.float32):
        self.k = torch.empty(batch, heads, max_len, head_dim, dtype=dtype)
        self.v = torch.empty(batch, heads, max_len, head_dim, dtype=dtype)
        self.length = 0

    def update(self, k_new, v_new):
        n = k_new.size(2)
        end = self.length + n
        if end > self.k.size(2):
            raise RuntimeError("KV cache is full")
        self.k[:, :, self.length:end] = k_new
        self.v[:, :, self.length:end] = v_new
        self.length = end
        return self.k[:, :, :end], self.v[:, :, :end]

    def reset(self):
        self.length = 0

class MultiHeadAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.in_proj = nn.Linear(dim, 3 * dim, bias=False)
        self.out_proj = nn.Linear(dim, dim, bias=False)

    def forward(self, x, cache: KVCache = None):
        q, k, v = self.in_proj(x).chunk(3, dim=-1)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (q, k, v))
        seen = 0
        if cache is not None:
            seen = cache.length
            k, v = cache.update(k, v)
        q_idx = torch.arange(seen, seen + x.size(1), device=x.device)
        k_idx = torch.arange(k.size(2), device=x.device)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=k_idx[None, :] <= q_idx[:, None])
        return self.out_proj(y.transpose(1, 2).flatten(2))
# %% cached_mha_06
"""Functional version: (params, cache, x) -> (cache, y), nothing mutated."""
from typing import NamedTuple

import torch

class Cache(NamedTuple):
    k: torch.Tensor    # [b, max_len, h, d]
    v: torch.Tensor    # [b, max_len, h, d]
    index: int

def init_cache(b, max_len, h, d):
    z = torch.zeros(b, max_len, h, d)
    return Cache(z, z, 0)

def _write(buf, new, i):
    return torch.cat([buf[:, :i], new, buf[:, i + new.shape[1]:]], dim=1)

def mha_step(params, cache, x):
    """x: [b, t, m]; params: wq/wk/wv [m, h, d], wo [h, d, m]"""
    t = x.shape[1]
    q = torch.einsum("btm,mhd->bthd", x, params["wq"])
    k = _write(cache.k, torch.einsum("btm,mhd->bthd", x, params["wk"]), cache.index)
    v = _write(cache.v, torch.einsum("btm,mhd->bthd", x, params["wv"]), cache.index)

    logits = torch.einsum("bthd,bshd->bhts", q, k) * q.shape[-1] ** -0.5
    q_pos = cache.index + torch.arange(t)
    visible = torch.arange(k.shape[1])[None, :] <= q_pos[:, None]     # also hides unused slots
    logits = torch.where(visible, logits, torch.tensor(-1e30))
    ctx = torch.einsum("bhts,bshd->bthd", torch.softmax(logits, -1), v)
    y = torch.einsum("bthd,hdm->btm", ctx, params["wo"])
    return Cache(k, v, cache.index + t), y
# %% cached_mha_07
class Decoder:
    """Pure python, one token at a time.  keys[h] / values[h] grow by one vector per step."""

    def __init__(self, wq, wk, wv, wo, heads):
        self.wq, self.wk, self.wv, self.wo = wq, wk, wv, wo
        self.heads = heads
        self.keys = [[] for _ in range(heads)]
        self.values = [[] for _ in range(heads)]

    @staticmethod
    def _mul(x, w):
        return [sum(x[i] * w[i][j] for i in range(len(x))) for j in range(len(w[0]))]

    def step(self, x):
        q, k, v = self._mul(x, self.wq), self._mul(x, self.wk), self._mul(x, self.wv)
        n = len(q) // self.heads
        out = []
        for h in range(self.heads):
            s = slice(h * n, h * n + n)
            self.keys[h].append(k[s])
            self.values[h].append(v[s])
            sc = [sum(a * b for a, b in zip(q[s], kk)) / math.sqrt(n) for kk in self.keys[h]]
            top = max(sc)
            w = [math.exp(z - top) for z in sc]
            tot = sum(w)
            out += [sum(w[t] * vv[c] for t, vv in enumerate(self.values[h])) / tot for c in range(n)]
        return self._mul(out, self.wo)
