# %% gqa_01
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
        self.wq = nn.Linear(d_model, n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(d_model, n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(d_model, n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(n_heads * self.head_dim, d_model, bias=False)

    def forward(self, x, mask=None):
        B, T, _ = x.shape
        q = self.wq(x).view(B, T, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.wk(x).view(B, T, self.n_kv_heads, self.head_dim).transpose(1, 2)
        v = self.wv(x).view(B, T, self.n_kv_heads, self.head_dim).transpose(1, 2)
        k = repeat_kv(k, self.n_heads // self.n_kv_heads)
        v = repeat_kv(v, self.n_heads // self.n_kv_heads)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores + mask          # additive
        out = scores.softmax(dim=-1) @ v
        return self.wo(out.transpose(1, 2).reshape(B, T, -1))
# %% gqa_02
def gqa(q, k, v, is_causal=True):
    """
    q: [B, T, Hq, D]    k, v: [B, S, Hkv, D]    Hq = Hkv * G
    query head h reads kv head h // G.  Nothing is copied: the group is its own axis.
    """
    B, T, Hq, D = q.shape
    S, Hkv = k.shape[1], k.shape[2]
    G = Hq // Hkv
    qg = q.view(B, T, Hkv, G, D)                                    # [B,T,K,G,D]
    s = torch.einsum("btkgd,bskd->bkgts", qg, k) * D ** -0.5        # [B,K,G,T,S]
    if is_causal:
        keep = torch.ones(T, S, dtype=torch.bool, device=q.device).tril(S - T)
        s = s.masked_fill(~keep, -torch.inf)
    p = s.softmax(-1)
    o = torch.einsum("bkgts,bskd->btkgd", p, v)                     # [B,T,K,G,D]
    return o.reshape(B, T, Hq, D)
# %% gqa_03
def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)

def grouped_query_attention(x, Wq, Wk, Wv, Wo, num_q_heads, num_kv_heads):
    """x (T, d); Wq (d, Hq*hd); Wk, Wv (d, Hkv*hd); Wo (Hq*hd, d).  Bidirectional."""
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    hd = Wq.shape[1] // num_q_heads
    group = num_q_heads // num_kv_heads
    outputs = []
    for h in range(num_q_heads):
        g = h // group
        q = Q[:, h * hd:(h + 1) * hd]
        k = K[:, g * hd:(g + 1) * hd]
        v = V[:, g * hd:(g + 1) * hd]
        outputs.append(softmax(q @ k.T / np.sqrt(hd)) @ v)
    return np.concatenate(outputs, axis=1) @ Wo
# %% gqa_04
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

@dataclass
class ModelArgs:
    dim: int = 64
    n_heads: int = 8
    n_kv_heads: int = 2

class GQA(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.a = args
        self.hd = args.dim // args.n_heads
        self.qkv = nn.Linear(args.dim, (args.n_heads + 2 * args.n_kv_heads) * self.hd, bias=False)
        self.out = nn.Linear(args.n_heads * self.hd, args.dim, bias=False)

    def forward(self, x):
        a, hd = self.a, self.hd
        q, k, v = self.qkv(x).split([a.n_heads * hd, a.n_kv_heads * hd, a.n_kv_heads * hd], dim=-1)
        q, k, v = (t.unflatten(-1, (-1, hd)).transpose(1, 2) for t in (q, k, v))
        rep = a.n_heads // a.n_kv_heads
        y = F.scaled_dot_product_attention(
            q, k.repeat_interleave(rep, dim=1), v.repeat_interleave(rep, dim=1), is_causal=True
        )
        return self.out(y.transpose(1, 2).flatten(2))
# %% gqa_05
import torch
from torch.func import vmap

def _one_head(q, k, v, bias):
    # q [T,d] k [S,d] v [S,d]
    return torch.softmax(q @ k.T / q.shape[-1] ** 0.5 + bias, dim=-1) @ v

def attention(q, k, v, bias):
    """q [Hq,T,d], k/v [Hkv,S,d], bias [T,S] (0 / -inf)."""
    groups = q.unflatten(0, (k.shape[0], -1))                        # [Hkv, G, T, d]
    over_group = vmap(_one_head, in_dims=(0, None, None, None))      # the group shares k, v
    over_kv = vmap(over_group, in_dims=(0, 0, 0, None))
    return over_kv(groups, k, v, bias).flatten(0, 1)
# %% gqa_06
import torch
from torch import nn, Tensor

class GroupedAttention(nn.Module):
    """Query heads gather their kv head through an index table."""

    def __init__(self, width: int, q_heads: int, kv_heads: int, head_dim: int = None):
        super().__init__()
        if q_heads % kv_heads:
            raise ValueError(f"{q_heads=} is not a multiple of {kv_heads=}")
        self.q_heads, self.kv_heads = q_heads, kv_heads
        self.head_dim = head_dim if head_dim is not None else width // q_heads
        self.query = nn.Linear(width, q_heads * self.head_dim)
        self.key_value = nn.Linear(width, 2 * kv_heads * self.head_dim)
        self.output = nn.Linear(q_heads * self.head_dim, width)
        self.register_buffer("kv_of", torch.arange(q_heads) // (q_heads // kv_heads), persistent=False)

    def forward(self, x: Tensor, attn_mask: Tensor = None) -> Tensor:
        """attn_mask: bool, True = blocked, broadcastable to (B, Hq, T, T)"""
        B, T, _ = x.shape
        q = self.query(x).view(B, T, self.q_heads, self.head_dim)
        k, v = self.key_value(x).view(B, T, 2, self.kv_heads, self.head_dim).unbind(2)
        k = k.index_select(2, self.kv_of)
        v = v.index_select(2, self.kv_of)
        logits = torch.einsum("bqhd,bkhd->bhqk", q, k).div(self.head_dim ** 0.5)
        if attn_mask is not None:
            logits = logits.masked_fill(attn_mask, torch.finfo(logits.dtype).min)
        ctx = torch.einsum("bhqk,bkhd->bqhd", logits.softmax(-1), v)
        return self.output(ctx.flatten(-2))
# %% gqa_07
def gqa(q, k, v, causal=True):
    """q[hq][t][d], k[hkv][t][d], v[hkv][t][d] nested lists -> out[hq][t][d]"""
    HQ, HKV = len(q), len(k)
    T, D = len(q[0]), len(q[0][0])
    per = HQ // HKV
    scale = 1.0 / math.sqrt(D)
    out = [[[0.0] * D for _ in range(T)] for _ in range(HQ)]
    for kv in range(HKV):
        for h in range(kv * per, (kv + 1) * per):
            for i in range(T):
                end = i + 1 if causal else T
                p = [0.0] * end
                best = -math.inf
                for j in range(end):
                    p[j] = scale * sum(q[h][i][c] * k[kv][j][c] for c in range(D))
                    best = max(best, p[j])
                z = 0.0
                for j in range(end):
                    p[j] = math.exp(p[j] - best)
                    z += p[j]
                for j in range(end):
                    for c in range(D):
                        out[h][i][c] += p[j] / z * v[kv][j][c]
    return out
