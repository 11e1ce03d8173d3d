# %% cached_mha_01: the module itself owns a growing cache (torch.cat), reset() clears it
class CachedMHA(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.k_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.v_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.o_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.reset()

    def reset(self):
        self.k_cache = None
        self.v_cache = None

    def forward(self, x, use_cache=False):
        b, t, c = x.shape
        shape = (b, t, self.num_heads, self.head_dim)
        q = self.q_proj(x).view(shape).transpose(1, 2)
        k = self.k_proj(x).view(shape).transpose(1, 2)
        v = self.v_proj(x).view(shape).transpose(1, 2)
        past = 0
        if use_cache:
            if self.k_cache is not None:
                past = self.k_cache.shape[2]
                k = torch.cat([self.k_cache, k], dim=2)
                v = torch.cat([self.v_cache, v], dim=2)
            self.k_cache, self.v_cache = k, v
        i = torch.arange(t, device=x.device).unsqueeze(1) + past
        j = torch.arange(past + t, device=x.device).unsqueeze(0)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=(j <= i))
        return self.o_proj(out.transpose(1, 2).reshape(b, t, c))
# %% cached_mha_02: numpy, single token at a time, no batch, no mask needed; cache is a dict of python lists which is mutated
def new_cache():
    return dict(K=[], V=[])

def step(x_t, W, cache, n_head):
    """x_t: (D,). W: dict with q,k,v,o each (D,D), applied as x @ W."""
    D = x_t.size
    hd = D // n_head
    q = (x_t @ W["q"]).reshape(n_head, hd)
    cache["K"].append((x_t @ W["k"]).reshape(n_head, hd))
    cache["V"].append((x_t @ W["v"]).reshape(n_head, hd))
    K = np.stack(cache["K"], axis=1)  # (h, T, hd)
    V = np.stack(cache["V"], axis=1)
    ctx = np.empty((n_head, hd))
    for h in range(n_head):
        s = K[h] @ q[h] / np.sqrt(hd)
        p = np.exp(s - s.max())
        p /= p.sum()
        ctx[h] = p @ V[h]
    return ctx.reshape(D) @ W["o"]
# %% cached_mha_03: preallocated (B,Tmax,H,d) buffers written at start_pos, llama-like call signature
class PreallocAttention(nn.Module):
    def __init__(self, *, dim: int, n_heads: int, max_batch_size: int = 4, max_seq_len: int = 64):
        super().__init__()
        self.n_heads = n_heads
        self.head_dim = dim // n_heads
        self.wqkv = nn.Linear(dim, 3 * dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        kv = torch.zeros(2, max_batch_size, max_seq_len, n_heads, self.head_dim)
        self.register_buffer("kv", kv, persistent=False)

    @torch.no_grad()
    def forward(self, x: torch.Tensor, start_pos: int) -> torch.Tensor:
        bsz, seqlen, dim = x.shape
        xq, xk, xv = self.wqkv(x).view(bsz, seqlen, 3, self.n_heads, self.head_dim).unbind(2)
        end = start_pos + seqlen
        self.kv[0, :bsz, start_pos:end] = xk
        self.kv[1, :bsz, start_pos:end] = xv
        keys = self.kv[0, :bsz, :end]
        values = self.kv[1, :bsz, :end]
        scores = torch.einsum("bqhd,bkhd->bhqk", xq, keys) / math.sqrt(self.head_dim)
        if seqlen > 1:
            mask = torch.full((seqlen, seqlen), float("-inf"), device=x.device).triu_(1)
            mask = torch.hstack([torch.zeros(seqlen, start_pos, device=x.device), mask])
            scores = scores + mask
        probs = torch.softmax(scores.float(), dim=-1).type_as(xq)
        out = torch.einsum("bhqk,bkhd->bqhd", probs, values)
        return self.wo(out.reshape(bsz, seqlen, dim))
# %% cached_mha_04: JAX-like: pure function, numpy, packed kv (2,B,T,H,d) and an index; returns dict with a NEW cache
import numpy as np
from collections import namedtuple

Cache = namedtuple("Cache", ["kv", "index"])

def init_cache(batch, max_len, n_heads, head_dim, dtype=np.float32):
    return Cache(np.zeros((2, batch, max_len, n_heads, head_dim), dtype), 0)

def mha_with_cache(params, x, cache):
    H, d = cache.kv.shape[-2:]
    B, S, D = x.shape
    q, k, v = (np.einsum("bsD,Dhd->bshd", x, params[n].reshape(D, H, d)) for n in ("wq", "wk", "wv"))
    kv = cache.kv.copy()
    i = cache.index
    kv[0, :, i:i + S] = k
    kv[1, :, i:i + S] = v
    T = kv.shape[2]
    att = np.einsum("bshd,bthd->bhst", q, kv[0]) / d ** 0.5
    visible = np.arange(T)[None, :] <= (i + np.arange(S))[:, None]
    att = np.where(visible, att, -1e10)
    att = np.exp(att - att.max(-1, keepdims=True))
    att = att / att.sum(-1, keepdims=True)
    y = np.einsum("bhst,bthd->bshd", att, kv[1]).reshape(B, S, H * d) @ params["wo"]
    return {"out": y, "cache": Cache(kv, i + S)}
# %% cached_mha_05: separate cache object with per-layer update(), left-padding mask covering past and new keys (1 = real)
class KeyValueStore:
    def __init__(self, nLayers):
        self.keys = [None] * nLayers
        self.values = [None] * nLayers

    def lengthOf(self, layer):
        return 0 if self.keys[layer] is None else self.keys[layer].shape[-2]

    def update(self, layer, k, v):
        if self.keys[layer] is None:
            self.keys[layer], self.values[layer] = k, v
        else:
            self.keys[layer] = torch.cat((self.keys[layer], k), -2)
            self.values[layer] = torch.cat((self.values[layer], v), -2)
        return self.keys[layer], self.values[layer]

class LayerAttn(nn.Module):
    def __init__(self, dModel, nHeads, layerIdx=0):
        super().__init__()
        self.nHeads, self.layerIdx = nHeads, layerIdx
        self.toQ = nn.Linear(dModel, dModel)
        self.toKV = nn.Linear(dModel, 2 * dModel)
        self.toOut = nn.Linear(dModel, dModel)

    def forward(self, hidden, store=None, attentionMask=None):
        B, T, D = hidden.shape
        split = lambda z: z.reshape(B, T, self.nHeads, D // self.nHeads).permute(0, 2, 1, 3)
        q = split(self.toQ(hidden))
        k, v = map(split, self.toKV(hidden).split(D, dim=-1))
        past = 0
        if store is not None:
            past = store.lengthOf(self.layerIdx)
            k, v = store.update(self.layerIdx, k, v)
        total = past + T
        allowed = torch.tril(torch.ones(total, total, dtype=torch.bool, device=hidden.device))[past:]
        allowed = allowed[None, None]
        if attentionMask is not None:
            allowed = allowed & (attentionMask[:, None, None, :total] == 1)
        logit = (q @ k.transpose(-1, -2)) * (D // self.nHeads) ** -0.5
        logit = logit.masked_fill(~allowed, torch.finfo(logit.dtype).min)
        mixed = logit.softmax(-1) @ v
        return self.toOut(mixed.permute(0, 2, 1, 3).reshape(B, T, D))
