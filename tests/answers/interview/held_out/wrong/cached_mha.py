# %% cached_mha_01: new keys and values are put in front of the cached ones, so the causal mask hides the wrong keys.
class CachedAttention(nn.Module):
    def __init__(self, d_model, n_head):
        super().__init__()
        self.n_head = n_head
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, kv_cache=None):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=-1)
        q, k, v = [t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (q, k, v)]
        if kv_cache is not None:
            k = torch.cat((k, kv_cache[0]), dim=2)
            v = torch.cat((v, kv_cache[1]), dim=2)
        new_cache = (k, v)
        S = k.shape[2]
        att = q @ k.mT / (C // self.n_head) ** 0.5
        allowed = torch.tril(torch.ones(T, S, device=x.device), diagonal=S - T)
        att = att.masked_fill(allowed == 0, float("-inf")).softmax(dim=-1)
        return self.proj((att @ v).transpose(1, 2).reshape(B, T, C)), new_cache
# %% cached_mha_02: the causal mask for a chunk is tril with diagonal 0, ignoring the keys already in the cache.
class MHAWithCache(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.Wq = nn.Linear(embed_dim, embed_dim)
        self.Wk = nn.Linear(embed_dim, embed_dim)
        self.Wv = nn.Linear(embed_dim, embed_dim)
        self.Wo = nn.Linear(embed_dim, embed_dim)
        self.k_cache = None
        self.v_cache = None

    def forward(self, x):
        b, t, e = x.shape
        heads = lambda z: z.view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        q, k, v = heads(self.Wq(x)), heads(self.Wk(x)), heads(self.Wv(x))
        if self.k_cache is not None:
            k = torch.cat([self.k_cache, k], dim=2)
            v = torch.cat([self.v_cache, v], dim=2)
        self.k_cache, self.v_cache = k, v
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.head_dim)
        causal = torch.tril(torch.ones(t, k.size(2), device=x.device)).bool()
        scores = scores.masked_fill(~causal, -1e9)
        out = (scores.softmax(-1) @ v).transpose(1, 2).contiguous().view(b, t, e)
        return self.Wo(out)
# %% cached_mha_03: the write position moves on by 1 per call, even when the call wrote T tokens.
def make_cache(max_len, H, hd):
    return {"k": np.zeros((max_len, H, hd)), "v": np.zeros((max_len, H, hd)), "pos": 0}

def attention(x, w, cache):
    """x: (T, D) new tokens; w: wq, wk, wv of shape (D, H, hd), wo (H, hd, D)"""
    T = len(x)
    p = cache["pos"]
    q = np.einsum("td,dhk->thk", x, w["wq"])
    cache["k"][p:p + T] = np.einsum("td,dhk->thk", x, w["wk"])
    cache["v"][p:p + T] = np.einsum("td,dhk->thk", x, w["wv"])
    K, V = cache["k"][:p + T], cache["v"][:p + T]
    s = np.einsum("thk,shk->hts", q, K) / np.sqrt(K.shape[-1])
    ok = np.arange(p + T)[None, :] <= np.arange(p, p + T)[:, None]
    s = np.where(ok, s, -np.inf)
    s = np.exp(s - s.max(-1, keepdims=True))
    s /= s.sum(-1, keepdims=True)
    cache["pos"] += 1
    return np.einsum("hts,shk,hkd->td", s, V, w["wo"])
# %% cached_mha_04: it hands back the old past, not the extended keys and values, once a past exists.
class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, dim * 2, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x, past_kv=None):
        def rearrange(t):
            return t.reshape(t.shape[0], t.shape[1], self.heads, -1).permute(0, 2, 1, 3)

        q = rearrange(self.to_q(x))
        k, v = map(rearrange, self.to_kv(x).chunk(2, dim=-1))
        if past_kv is None:
            past_kv = (k, v)
        else:
            k = torch.cat([past_kv[0], k], dim=2)
            v = torch.cat([past_kv[1], v], dim=2)
        n, m = q.shape[2], k.shape[2]
        mask = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        o = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.to_out(o.permute(0, 2, 1, 3).flatten(2)), past_kv
# %% cached_mha_05: it attends over the whole preallocated buffer, so empty zero slots also get softmax weight.
class DecodeAttention(nn.Module):
    """Single-token decode with a static cache (good for torch.compile)."""

    def __init__(self, dim, n_heads, max_len, batch=1):
        super().__init__()
        self.n_heads, self.hd = n_heads, dim // n_heads
        self.wqkv = nn.Linear(dim, 3 * dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        self.register_buffer("k_cache", torch.zeros(batch, n_heads, max_len, self.hd))
        self.register_buffer("v_cache", torch.zeros(batch, n_heads, max_len, self.hd))
        self.pos = 0

    @torch.no_grad()
    def forward(self, x):
        # x: (B, 1, D)
        B = x.shape[0]
        q, k, v = self.wqkv(x).view(B, 3, self.n_heads, self.hd).unbind(1)      # (B, H, hd)
        self.k_cache[:, :, self.pos] = k
        self.v_cache[:, :, self.pos] = v
        self.pos += 1
        s = torch.einsum("bhd,bhtd->bht", q, self.k_cache) / self.hd ** 0.5
        y = torch.einsum("bht,bhtd->bhd", s.softmax(-1), self.v_cache)
        return self.wo(y.reshape(B, 1, -1))
# %% cached_mha_06: the value cache is extended with the new key where it should get the new value.
def step(x, state, Wq, Wk, Wv, Wo, n_heads):
    """
    x      [B, D]            the current token
    state  (K, V) or None,   each [B, H, t, d]
    """
    B, D = x.shape
    d = D // n_heads
    q = (x @ Wq).view(B, n_heads, 1, d)
    k = (x @ Wk).view(B, n_heads, 1, d)
    v = (x @ Wv).view(B, n_heads, 1, d)
    if state is None:
        K, V = k, v
    else:
        K = torch.cat([state[0], k], dim=-2)
        V = torch.cat([state[1], k], dim=-2)
    w = torch.softmax(q @ K.transpose(-1, -2) * d ** -0.5, dim=-1)      # [B,H,1,t+1]
    y = (w @ V).reshape(B, D)
    return y @ Wo, (K, V)
# %% cached_mha_07: the read slice stops at pos, so the current token cannot see itself.
class Attn:
    def __init__(self, Wq, Wk, Wv, Wo, n_heads, max_len=64):
        self.W = (Wq, Wk, Wv, Wo)
        self.H = n_heads
        d = Wq.shape[1]
        self.K = np.zeros((n_heads, max_len, d // n_heads))
        self.V = np.zeros_like(self.K)
        self.pos = 0

    def forward_token(self, x):
        Wq, Wk, Wv, Wo = self.W
        q = (x @ Wq).reshape(self.H, -1)
        self.K[:, self.pos] = (x @ Wk).reshape(self.H, -1)
        self.V[:, self.pos] = (x @ Wv).reshape(self.H, -1)
        n = max(self.pos, 1)
        s = np.einsum("hd,hnd->hn", q, self.K[:, :n]) / np.sqrt(q.shape[1])
        a = np.exp(s - s.max(1, keepdims=True))
        a /= a.sum(1, keepdims=True)
        self.pos += 1
        return np.einsum("hn,hnd->hd", a, self.V[:, :n]).ravel() @ Wo
# %% cached_mha_08: the returned present holds only this call's keys and values, so everything before the last call is forgotten.
from typing import Optional
import torch
import torch.nn as nn

class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd: int, n_head: int):
        super().__init__()
        self.n_head = n_head
        self.n_embd = n_embd
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)

    def forward(self, x, layer_past: Optional[torch.Tensor] = None):
        B, T, C = x.size()
        qkv = self.c_attn(x).view(B, T, 3, self.n_head, C // self.n_head).permute(2, 0, 3, 1, 4)
        q, k, v = qkv
        present = torch.stack((k, v))
        if layer_past is not None:
            k = torch.cat((layer_past[0], k), dim=-2)
            v = torch.cat((layer_past[1], v), dim=-2)
        nk = k.size(-2)
        att = (q @ k.transpose(-2, -1)) / (k.size(-1) ** 0.5)
        i = torch.arange(nk - T, nk).unsqueeze(1)
        att = att.masked_fill(torch.arange(nk).unsqueeze(0) > i, float("-inf"))
        y = att.softmax(-1) @ v
        return self.c_proj(y.transpose(1, 2).reshape(B, T, C)), present
# %% cached_mha_09: the scale uses k.shape[-2], the number of cached keys, where the head width is meant.
def split_heads(t, h):
    b, n, d = t.shape
    return t.view(b, n, h, d // h).transpose(1, 2)

def mha_decode(x, weights, heads, cache):
    """x (b, 1, d).  cache is a dict that gets 'k' and 'v' of shape (b, h, n, d/h)."""
    wq, wk, wv, wo = weights
    q, k, v = split_heads(x @ wq, heads), split_heads(x @ wk, heads), split_heads(x @ wv, heads)
    if cache:
        k = torch.cat([cache["k"], k], 2)
        v = torch.cat([cache["v"], v], 2)
    cache["k"], cache["v"] = k, v
    attn = F.softmax(q @ k.transpose(-1, -2) / (k.shape[-2] ** 0.5), dim=-1)
    return (attn @ v).transpose(1, 2).flatten(2) @ wo
# %% cached_mha_10: the flat (B, T, D) cache is viewed as (B, H, T, hd) with no transpose, so keys mix positions and heads.
class MultiHeadAttention(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.hidden, self.heads, self.hd = hidden, heads, hidden // heads
        self.q = nn.Linear(hidden, hidden)
        self.k = nn.Linear(hidden, hidden)
        self.v = nn.Linear(hidden, hidden)
        self.o = nn.Linear(hidden, hidden)

    def forward(self, x, cache=None):
        # x: (B, 1, D); the cache keeps unsplit keys/values: 2 x (B, t, D)
        B = x.size(0)
        k_new, v_new = self.k(x), self.v(x)
        if cache is None:
            k_all, v_all = k_new, v_new
        else:
            k_all = torch.cat([cache[0], k_new], dim=1)
            v_all = torch.cat([cache[1], v_new], dim=1)
        S = k_all.size(1)
        q = self.q(x).view(B, self.heads, 1, self.hd)
        k = k_all.view(B, self.heads, S, self.hd)
        v = v_all.view(B, self.heads, S, self.hd)
        p = torch.softmax(q @ k.transpose(2, 3) / self.hd ** 0.5, dim=-1)
        return self.o((p @ v).reshape(B, 1, self.hidden)), (k_all, v_all)
# %% cached_mha_11: the key and value lists are class attributes, so every layer in the model shares one cache.
class CachedMultiHead(nn.Module):
    keys = []
    values = []

    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.wq = nn.Linear(d, d, bias=False)
        self.wk = nn.Linear(d, d, bias=False)
        self.wv = nn.Linear(d, d, bias=False)
        self.wo = nn.Linear(d, d, bias=False)

    def forward(self, x):
        """x: (batch, d), one token"""
        b, d = x.shape
        q = self.wq(x).view(b, self.h, d // self.h)
        self.keys.append(self.wk(x).view(b, self.h, d // self.h))
        self.values.append(self.wv(x).view(b, self.h, d // self.h))
        k = torch.stack(self.keys, dim=2)       # b h t d
        v = torch.stack(self.values, dim=2)
        s = (q.unsqueeze(2) * k).sum(-1) / (d // self.h) ** 0.5
        w = torch.softmax(s, dim=-1)
        return self.wo((w.unsqueeze(-1) * v).sum(2).reshape(b, d))
# %% cached_mha_12: reset() zeroes the buffers but leaves the position, so the next sequence attends to zero keys.
class Attention(torch.nn.Module):
    def __init__(self, d_model=32, n_heads=4, ctx=64):
        super().__init__()
        self.H, self.Dh = n_heads, d_model // n_heads
        self.Wqkv = torch.nn.Linear(d_model, 3 * d_model, bias=False)
        self.Wout = torch.nn.Linear(d_model, d_model, bias=False)
        self.register_buffer("kv", torch.zeros(2, n_heads, ctx, self.Dh))
        self.pos = 0

    def reset(self):
        self.kv.zero_()

    @torch.no_grad()
    def forward(self, x):
        """x: (T, D), one sequence, appended to whatever came before"""
        T, D = x.shape
        q, k, v = self.Wqkv(x).view(T, 3, self.H, self.Dh).permute(1, 2, 0, 3)
        end = self.pos + T
        self.kv[0, :, self.pos:end] = k
        self.kv[1, :, self.pos:end] = v
        mask = torch.ones(T, end).tril(self.pos).bool()
        y = F.scaled_dot_product_attention(q[None], self.kv[:1, :, :end], self.kv[1:, :, :end], attn_mask=mask)
        self.pos = end
        return self.Wout(y[0].transpose(0, 1).reshape(T, D))
# %% cached_mha_13: is_causal=True with one query and many keys aligns the mask top-left, so the new token sees only the first key.
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

class FastAttention(nn.Module):
    def __init__(self, dim: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.wqkv = nn.Linear(dim, 3 * dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        self.cache = None

    def forward(self, x, use_cache=True):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.n_heads, -1).transpose(1, 2) for t in self.wqkv(x).chunk(3, dim=-1))
        if use_cache:
            if self.cache is not None:
                k = torch.cat([self.cache[0], k], dim=2)
                v = torch.cat([self.cache[1], v], dim=2)
            self.cache = (k.detach(), v.detach())
        y = scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.wo(y.transpose(1, 2).reshape(B, T, D))
# %% cached_mha_14: no causal mask is used during prefill, so prompt tokens see later prompt tokens.
def _attn(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v

def prefill_and_decode(prompt, new_tokens, wq, wk, wv, wo, h):
    """
    prompt     (P, D) embeddings processed in one go
    new_tokens (N, D) embeddings fed one at a time with the cache
    returns    (P + N, D) causal attention outputs
    """
    heads = lambda t: t.view(t.shape[0], h, -1).transpose(0, 1)      # (h, T, hd)
    merge = lambda t: t.transpose(0, 1).flatten(1)

    K, V = heads(prompt @ wk), heads(prompt @ wv)
    outs = [merge(_attn(heads(prompt @ wq), K, V)) @ wo]
    for x in new_tokens.split(1):
        K = torch.cat([K, heads(x @ wk)], dim=1)
        V = torch.cat([V, heads(x @ wv)], dim=1)
        outs.append(merge(_attn(heads(x @ wq), K, V)) @ wo)
    return torch.cat(outs)
# %% cached_mha_15: [[]] * n_heads makes every head share one list, so each head attends to all heads' keys.
class KVAttention:
    def __init__(self, wq, wk, wv, wo, n_heads):
        self.wq, self.wk, self.wv, self.wo = wq, wk, wv, wo
        self.n_heads = n_heads
        self.ks = [[]] * n_heads
        self.vs = [[]] * n_heads

    def __call__(self, x):
        q = np.split(x @ self.wq, self.n_heads)
        k = np.split(x @ self.wk, self.n_heads)
        v = np.split(x @ self.wv, self.n_heads)
        out = []
        for h in range(self.n_heads):
            self.ks[h].append(k[h])
            self.vs[h].append(v[h])
            s = np.array(self.ks[h]) @ q[h] / np.sqrt(len(q[h]))
            e = np.exp(s - s.max())
            out.append((e / e.sum()) @ np.array(self.vs[h]))
        return np.concatenate(out) @ self.wo
