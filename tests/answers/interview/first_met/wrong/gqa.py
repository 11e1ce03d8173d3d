# %% gqa_01: kv heads are tiled (0,1,0,1) with repeat where each should be repeated in place (0,0,1,1)
class GQA(nn.Module):
    def __init__(self, embed_dim, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim)
        self.k_proj = nn.Linear(embed_dim, num_kv_heads * self.head_dim)
        self.v_proj = nn.Linear(embed_dim, num_kv_heads * self.head_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        B, L, E = x.shape
        q = self.q_proj(x).view(B, L, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, L, self.num_kv_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, L, self.num_kv_heads, self.head_dim).transpose(1, 2)
        rep = self.num_heads // self.num_kv_heads
        k = k.repeat(1, rep, 1, 1)
        v = v.repeat(1, rep, 1, 1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(y.transpose(1, 2).reshape(B, L, E))
# %% gqa_02: query head h takes kv head h % n_kv instead of h // group size
def grouped_attention(Q, K, V):
    """Q (Hq, T, d), K and V (Hkv, T, d); causal"""
    nq, T, d = Q.shape
    nkv = len(K)
    out = np.zeros_like(Q)
    for h in range(nq):
        kh = h % nkv
        for t in range(T):
            s = [float(np.dot(Q[h, t], K[kh, u])) / d ** 0.5 for u in range(t + 1)]
            m = max(s)
            e = [np.exp(a - m) for a in s]
            z = sum(e)
            for u in range(t + 1):
                out[h, t] += e[u] / z * V[kh, u]
    return out
# %% gqa_03: query heads are split as (group, kv) instead of (kv, group), so heads meet the wrong keys
def attention(x, params, n_heads, n_kv):
    b, t, _ = x.shape
    g = n_heads // n_kv
    d = params["wq"].shape[1] // n_heads
    q = (x @ params["wq"]).reshape(b, t, g, n_kv, d)
    k = (x @ params["wk"]).reshape(b, t, n_kv, d)
    v = (x @ params["wv"]).reshape(b, t, n_kv, d)
    s = torch.einsum("btgkd,bukd->bgktu", q, k) / d ** 0.5
    future = torch.ones(t, t).triu(1).bool()
    s = s.masked_fill(future, float("-inf")).softmax(-1)
    y = torch.einsum("bgktu,bukd->btgkd", s, v)
    return y.reshape(b, t, n_heads * d) @ params["wo"]
# %% gqa_04: the scale uses the width over the number of kv heads, not the head width
from dataclasses import dataclass
import math
import torch
from torch import nn

@dataclass
class ModelArgs:
    dim: int = 32
    n_heads: int = 4
    n_kv_heads: int = 2

class AttentionBlock(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.args = args
        hd = args.dim // args.n_heads
        self.wq = nn.Linear(args.dim, args.n_heads * hd, bias=False)
        self.wkv = nn.Linear(args.dim, 2 * args.n_kv_heads * hd, bias=False)
        self.wo = nn.Linear(args.n_heads * hd, args.dim, bias=False)
        self.scale = 1 / math.sqrt(args.dim // args.n_kv_heads)

    def forward(self, x, mask=None):
        a = self.args
        B, T, C = x.shape
        q = self.wq(x).view(B, T, a.n_heads, -1).transpose(1, 2)
        k, v = self.wkv(x).view(B, T, 2, a.n_kv_heads, -1).permute(2, 0, 3, 1, 4)
        n = a.n_heads // a.n_kv_heads
        k = torch.repeat_interleave(k, n, dim=1)
        v = torch.repeat_interleave(v, n, dim=1)
        s = (q @ k.transpose(-1, -2)) * self.scale
        if mask is not None:
            s = s + mask
        y = torch.softmax(s, -1) @ v
        return self.wo(y.transpose(1, 2).flatten(2))
# %% gqa_05: the heads come out in the order (group, kv) when joined, though they went in as (kv, group)
def gqa_einsum(q, k, v, wo, mask=None):
    """q: b t h d / k, v: b s n d / wo: (h d) D / mask: True = open"""
    b, t, h, d = q.shape
    n = k.shape[2]
    q = q.reshape(b, t, n, h // n, d)
    sim = np.einsum("btngd,bsnd->bngts", q, k) * d ** -0.5
    if mask is not None:
        sim = np.where(mask, sim, -1e9)
    sim = np.exp(sim - sim.max(-1, keepdims=True))
    sim = sim / sim.sum(-1, keepdims=True)
    o = np.einsum("bngts,bsnd->btgnd", sim, v)
    return o.reshape(b, t, h * d) @ wo
# %% gqa_06: with group and time folded into one axis, the causal mask counts the folded row as the position
def folded_gqa(q, k, v):
    # q [B, Hq, T, d], k/v [B, Hkv, T, d]
    B, Hq, T, d = q.shape
    Hkv = k.shape[1]
    G = Hq // Hkv
    qf = q.reshape(B, Hkv, G * T, d)
    s = torch.matmul(qf, k.transpose(2, 3)) / d ** 0.5
    rowPos = torch.arange(G * T)
    colPos = torch.arange(T)
    s = s.masked_fill(colPos[None, :] > rowPos[:, None], float("-inf"))
    o = torch.matmul(torch.softmax(s, dim=-1), v)
    return o.reshape(B, Hq, T, d)
# %% gqa_07: the padding mask is said to be True for padding, but the real keys are the ones filled
class AtencionAgrupada(nn.Module):
    def __init__(self, dim, cabezas, cabezas_kv):
        super().__init__()
        self.c, self.ckv = cabezas, cabezas_kv
        self.d = dim // cabezas
        self.Wq = nn.Parameter(torch.randn(dim, cabezas * self.d) * dim ** -0.5)
        self.Wk = nn.Parameter(torch.randn(dim, cabezas_kv * self.d) * dim ** -0.5)
        self.Wv = nn.Parameter(torch.randn(dim, cabezas_kv * self.d) * dim ** -0.5)
        self.Wo = nn.Parameter(torch.randn(cabezas * self.d, dim) * dim ** -0.5)

    def forward(self, x, relleno=None):
        """relleno: (B, T) bool, True = padding"""
        B, T, _ = x.shape
        salidas = []
        for h in range(self.c):
            g = h * self.ckv // self.c
            q = x @ self.Wq[:, h * self.d:(h + 1) * self.d]
            k = x @ self.Wk[:, g * self.d:(g + 1) * self.d]
            v = x @ self.Wv[:, g * self.d:(g + 1) * self.d]
            p = torch.bmm(q, k.transpose(1, 2)) / self.d ** 0.5
            if relleno is not None:
                p = p.masked_fill(~relleno[:, None, :], -1e9)
            salidas.append(torch.bmm(p.softmax(-1), v))
        return torch.cat(salidas, -1) @ self.Wo
