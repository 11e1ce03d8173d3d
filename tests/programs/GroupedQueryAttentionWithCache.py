# %% expand_reshape: a group axis by expand, then reshape; SDPA with a mask
# taken
import torch
from torch import nn
import torch.nn.functional as F
def repeat_kv(t, n):
    b, g, s, d = t.shape
    return t[:, :, None].expand(b, g, n, s, d).reshape(b, g * n, s, d)

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model: int, num_heads: int, num_kv_heads: int, dtype=None, device=None):
        super().__init__()
        assert d_model % num_heads == 0 and num_heads % num_kv_heads == 0
        self.n_rep = num_heads // num_kv_heads
        self.hd = d_model // num_heads
        kw = dict(bias=False, dtype=dtype, device=device)
        self.q_proj = nn.Linear(d_model, num_heads * self.hd, **kw)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.hd, **kw)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.hd, **kw)
        self.out_proj = nn.Linear(num_heads * self.hd, d_model, **kw)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        b, t, _ = x.shape
        q, k, v = (p(x).view(b, t, -1, self.hd).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        past = 0
        if cache_k is not None:
            past = cache_k.size(2)
            k, v = torch.cat((cache_k, k), 2), torch.cat((cache_v, v), 2)
        keep = torch.ones(t, past + t, dtype=torch.bool, device=x.device)
        if is_causal:
            keep = keep.tril(past)
        y = F.scaled_dot_product_attention(q, repeat_kv(k, self.n_rep), repeat_kv(v, self.n_rep), attn_mask=keep)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% loop_over_query_heads: head h reads kv head h // groups
# taken
import torch
from torch import nn
import torch.nn.functional as F
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        if d_model % num_heads or num_heads % num_kv_heads:
            raise ValueError("bad head counts")
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, self.num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, self.num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        Q = self.q_proj(x).split(self.d_head, dim=-1)
        k = torch.stack(self.k_proj(x).split(self.d_head, dim=-1), dim=1)
        v = torch.stack(self.v_proj(x).split(self.d_head, dim=-1), dim=1)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        n_q, n_k = x.shape[1], k.shape[2]
        future = torch.arange(n_k, device=x.device)[None, :] > (n_k - n_q + torch.arange(n_q, device=x.device))[:, None]
        heads = []
        for h in range(self.num_heads):
            g = h // (self.num_heads // self.num_kv_heads)
            s = torch.bmm(Q[h], k[:, g].transpose(1, 2)) / self.d_head ** 0.5
            if is_causal:
                s = s.masked_fill(future, -1e9)
            heads.append(torch.bmm(F.softmax(s, dim=-1), v[:, g]))
        return self.out_proj(torch.cat(heads, dim=-1)), k, v
# %% grouped_einsum: a group axis for the queries, nothing repeated
# taken
import torch
from torch import nn, einsum

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, **kw):
        super().__init__()
        assert d_model % num_heads == 0, "d_model % num_heads"
        assert num_heads % num_kv_heads == 0, "num_heads % num_kv_heads"
        self.g, self.r, self.d = num_kv_heads, num_heads // num_kv_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False, **kw)
        self.k_proj = nn.Linear(d_model, self.g * self.d, bias=False, **kw)
        self.v_proj = nn.Linear(d_model, self.g * self.d, bias=False, **kw)
        self.out_proj = nn.Linear(d_model, d_model, bias=False, **kw)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = self.q_proj(x).unflatten(-1, (self.g, self.r, self.d)) * self.d ** -0.5
        k = self.k_proj(x).unflatten(-1, (self.g, self.d)).transpose(1, 2)
        v = self.v_proj(x).unflatten(-1, (self.g, self.d)).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[-2]
        if past:
            k, v = torch.cat([cache_k, k], -2), torch.cat([cache_v, v], -2)
        sim = einsum("bigrd,bgjd->bgrij", q, k)
        if is_causal:
            i = torch.arange(x.shape[1], device=x.device) + past
            j = torch.arange(k.shape[-2], device=x.device)
            sim = torch.where(j <= i[:, None], sim, -torch.inf)
        out = einsum("bgrij,bgjd->bigrd", sim.softmax(-1), v)
        return self.out_proj(out.flatten(2)), k, v
# %% enable_gqa: the library's own grouping
# taken
import torch
from torch import nn
import torch.nn.functional as F
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        if d_model % num_heads != 0 or num_heads % num_kv_heads != 0:
            raise ValueError("d_model, num_heads and num_kv_heads do not fit")
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def heads(self, t):
        return t.unflatten(2, (-1, self.d_head)).transpose(1, 2)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = self.heads(self.q_proj(x)), self.heads(self.k_proj(x)), self.heads(self.v_proj(x))
        if cache_k is not None:
            k = torch.cat((cache_k, k), dim=2)
            v = torch.cat((cache_v, v), dim=2)
        mask = None
        if is_causal:
            square = torch.full((q.shape[2], q.shape[2]), float("-inf"), dtype=q.dtype, device=q.device).triu(1)
            mask = F.pad(square, (k.shape[2] - q.shape[2], 0))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% index_select_fused: an index table of kv heads, fused projection, softmax by hand; a print left in
# taken
import math
import torch
from torch import nn
import torch.nn.functional as F
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, dtype=None, device=None):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads != 0")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads % num_kv_heads != 0")
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.d_head = d_model // num_heads
        self.kv_dim = num_kv_heads * self.d_head
        self.q_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)
        self.k_proj = nn.Linear(d_model, self.kv_dim, bias=False, dtype=dtype, device=device)
        self.v_proj = nn.Linear(d_model, self.kv_dim, bias=False, dtype=dtype, device=device)
        self.out_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        w = torch.cat([self.q_proj.weight, self.k_proj.weight, self.v_proj.weight], dim=0)
        q, k, v = F.linear(x, w).split([D, self.kv_dim, self.kv_dim], dim=-1)
        q = q.reshape(B, T, self.num_heads, self.d_head).permute(0, 2, 1, 3)
        k = k.reshape(B, T, self.num_kv_heads, self.d_head).permute(0, 2, 1, 3)
        v = v.reshape(B, T, self.num_kv_heads, self.d_head).permute(0, 2, 1, 3)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        S = k.size(2)
        which = torch.arange(self.num_heads, device=x.device) // (self.num_heads // self.num_kv_heads)
        s = torch.matmul(q, k.index_select(1, which).mT) / math.sqrt(self.d_head)
        if is_causal:
            blocked = torch.ones(S, S, device=x.device).tril()[S - T:] == 0
            s = s.masked_fill(blocked, torch.finfo(s.dtype).min)
        e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
        p = e / e.sum(-1, keepdim=True)
        print("query heads", self.num_heads, "kv heads", self.num_kv_heads, "keys", S)
        y = torch.matmul(p, v[:, which]).permute(0, 2, 1, 3).reshape(B, T, D)
        return self.out_proj(y), k, v
# %% folded_rows: the queries of a group become more rows of one bmm
# taken
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        assert num_heads % num_kv_heads == 0 and d_model % num_heads == 0
        self.G, self.R, self.dh = num_kv_heads, num_heads // num_kv_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, self.G * self.dh, bias=False)
        self.v_proj = nn.Linear(d_model, self.G * self.dh, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        G, R, d = self.G, self.R, self.dh
        k = self.k_proj(x).view(B, T, G, d).transpose(1, 2)
        v = self.v_proj(x).view(B, T, G, d).transpose(1, 2)
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        S = k.shape[2]
        q = self.q_proj(x).view(B, T, G, R, d).permute(0, 2, 3, 1, 4).reshape(B * G, R * T, d)
        s = torch.bmm(q, k.reshape(B * G, S, d).transpose(1, 2)) * d ** -0.5
        if is_causal:
            mask = torch.ones(T, S, dtype=torch.bool, device=x.device).triu(S - T + 1)
            s = s.masked_fill(mask.repeat(R, 1), float("-inf"))
        y = torch.bmm(torch.softmax(s, -1), v.reshape(B * G, S, d))
        y = y.view(B, G, R, T, d).permute(0, 3, 1, 2, 4).reshape(B, T, D)
        return self.out_proj(y), k, v
# %% token_loop: each new token sees the keys up to itself; a warning when no cache is handed in
# taken
import math
import warnings
import torch
import torch.nn as nn

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        if num_heads % num_kv_heads:
            raise ValueError("num_kv_heads must divide num_heads")
        self.h, self.g = num_heads, num_kv_heads
        self.d = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model * num_kv_heads // num_heads, bias=False)
        self.v_proj = nn.Linear(d_model, d_model * num_kv_heads // num_heads, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t, n):
        return t.reshape(t.shape[0], t.shape[1], n, self.d).transpose(1, 2)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = self.split(self.q_proj(x), self.h)
        k = self.split(self.k_proj(x), self.g)
        v = self.split(self.v_proj(x), self.g)
        if cache_k is None:
            warnings.warn("starting a new cache")
            start = 0
        else:
            start = cache_k.shape[2]
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        kk = torch.stack([k[:, h * self.g // self.h] for h in range(self.h)], dim=1)
        vv = torch.stack([v[:, h * self.g // self.h] for h in range(self.h)], dim=1)
        ys = []
        for t in range(x.shape[1]):
            n = start + t + 1 if is_causal else k.shape[2]
            s = torch.einsum("bhd,bhnd->bhn", q[:, :, t], kk[:, :, :n]) / math.sqrt(self.d)
            ys.append(torch.einsum("bhn,bhnd->bhd", s.softmax(-1), vv[:, :, :n]).flatten(1))
        return self.out_proj(torch.stack(ys, dim=1)), k, v
# %% renormalised: broadcast over a group axis, softmax, tril, divided by the row sums
# taken
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        assert d_model % num_heads == 0
        assert num_heads % num_kv_heads == 0
        self.num_kv_heads = num_kv_heads
        self.group = num_heads // num_kv_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        b, t, c = x.size()
        q = self.q_proj(x).reshape(b, t, self.num_kv_heads, self.group, self.d_head).permute(0, 2, 3, 1, 4)
        k = self.k_proj(x).reshape(b, t, self.num_kv_heads, self.d_head).movedim(2, 1)
        v = self.v_proj(x).reshape(b, t, self.num_kv_heads, self.d_head).movedim(2, 1)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=-2)
            v = torch.cat([cache_v, v], dim=-2)
        p = torch.softmax(q @ k.unsqueeze(2).mT / self.d_head ** 0.5, dim=-1)
        if is_causal:
            p = torch.tril(p, diagonal=k.size(2) - t)
            p = p / p.sum(dim=-1, keepdim=True)
        y = (p @ v.unsqueeze(2)).permute(0, 3, 1, 2, 4).flatten(2)
        return self.out_proj(y), k, v
# %% hf_float32_softmax: softmax(dtype=torch.float32).to(dtype), as Hugging Face writes it
# taken
import torch
from torch import nn
def att(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / torch.sqrt(torch.tensor(q.size(-1)))
    if mask is not None:
        s = s.masked_fill(mask, torch.finfo(s.dtype).min)
    w = nn.functional.softmax(s, dim=-1, dtype=torch.float32).to(q.dtype)
    return w @ v, w
def cut(t, h): return t.unflatten(-1, (h, -1)).transpose(1, 2)
def up(T, S, dev): return torch.ones(T, S, dtype=torch.bool, device=dev).triu(S - T + 1)
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, g):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model // num_heads * g, bias=False)
        self.v_proj = nn.Linear(d_model, d_model // num_heads * g, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (-1, self.d)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None: k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        r = self.h // k.shape[1]
        y, _ = att(q, k.repeat_interleave(r, 1), v.repeat_interleave(r, 1), up(q.shape[2], k.shape[2], x.device) if is_causal else None)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% grouped_einsum_again: no expansion at all
# taken
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.G, self.d, self.R = num_kv_heads, d_model // num_heads, num_heads // num_kv_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, self.G * self.d, bias=False)
        self.v_proj = nn.Linear(d_model, self.G * self.d, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.G, self.R, self.d)
        k, v = (p(x).view(B, T, self.G, self.d).transpose(1, 2) for p in (self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        s = torch.einsum("bqgrd,bgkd->bgrqk", q, k) / self.d ** 0.5
        if is_causal:
            s = s.masked_fill(torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).triu(k.shape[2] - T + 1), -torch.inf)
        y = torch.einsum("bgrqk,bgkd->bqgrd", s.softmax(-1), v)
        return self.out_proj(y.reshape(B, T, D)), k, v
# %% full_width_keys: gives k_proj and v_proj the full width and keeps the first kv heads
# refused: layer_shape
import math
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def _split(self, t):
        return t.unflatten(-1, (self.num_heads, self.d_head)).transpose(1, 2)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self._split(self.q_proj(x))
        k = self._split(self.k_proj(x))[:, :self.num_kv_heads]
        v = self._split(self.v_proj(x))[:, :self.num_kv_heads]
        offset = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        reps = self.num_heads // self.num_kv_heads
        scores = q @ k.repeat_interleave(reps, 1).mT / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.triu(torch.ones(T, offset + T, device=x.device), diagonal=1 + offset).bool()
            scores = scores.masked_fill(mask, float("-inf"))
        out = scores.softmax(-1) @ v.repeat_interleave(reps, 1)
        return self.out_proj(out.transpose(1, 2).reshape(B, T, D)), k, v
# %% head_index_divided_by_kv_heads: uses kv head h // num_kv_heads instead of h // group size, clipped to stay inside
# refused: shown
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv_heads, self.d_head).transpose(1, 2)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        T_k = k.shape[2]
        mask = torch.zeros(T, T_k, dtype=torch.bool, device=x.device)
        if is_causal:
            mask = torch.ones(T_k, T_k, dtype=torch.bool, device=x.device).triu(1)[-T:]
        outs = []
        for h in range(self.num_heads):
            g = min(h // self.num_kv_heads, self.num_kv_heads - 1)
            s = q[:, h] @ k[:, g].transpose(1, 2) / self.d_head ** 0.5
            outs.append(torch.softmax(s.masked_fill(mask, -1e9), dim=-1) @ v[:, g])
        return self.out_proj(torch.cat(outs, dim=-1)), k, v
# %% sdpa_with_enable_gqa_top_left: lets PyTorch group the heads, but its is_causal ignores the cache
# refused: shown
import torch
from torch import nn
import torch.nn.functional as F
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = self.q_proj(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        k = self.k_proj(x).unflatten(-1, (self.num_kv_heads, -1)).transpose(1, 2)
        v = self.v_proj(x).unflatten(-1, (self.num_kv_heads, -1)).transpose(1, 2)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=is_causal and x.shape[1] > 1, enable_gqa=True)
        return self.out_proj(out.transpose(1, 2).flatten(2)), k, v
# %% values_interleaved_keys_repeated_new_first: two mistakes, values are grouped unlike the keys and new tokens go before old ones
# refused: v_repeated_otherwise
import math
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.h, self.kv = num_heads, num_kv_heads
        self.dh = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.dh, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.dh, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.h, self.dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.kv, self.dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.kv, self.dh).transpose(1, 2)
        past = 0
        if cache_k is not None:
            past = cache_k.size(2)
            k = torch.cat([k, cache_k], dim=2)
            v = torch.cat([v, cache_v], dim=2)
        r = self.h // self.kv
        keys = k.repeat_interleave(r, dim=1)
        values = v.repeat(1, r, 1, 1)
        scores = q @ keys.mT / math.sqrt(self.dh)
        if is_causal:
            m = torch.ones(T, T + past, dtype=torch.bool, device=x.device).triu(1 + past)
            scores = scores.masked_fill(m, -1e9)
        out = torch.softmax(scores, -1) @ values
        return self.out_proj(out.transpose(1, 2).reshape(B, T, D)), k, v
# %% first_call_always_causal: reads is_causal only when there is a cache
# refused, 3.867: shown
import torch
from torch import nn
import torch.nn.functional as F
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.d_head, self.group = d_model // num_heads, num_heads // num_kv_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (-1, self.d_head)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        T, S = q.size(2), k.size(2)
        allowed = torch.ones(T, S, dtype=torch.bool, device=x.device)
        if is_causal or cache_k is None:
            allowed = allowed.tril(S - T)
        y = F.scaled_dot_product_attention(q, k.repeat_interleave(self.group, 1), v.repeat_interleave(self.group, 1), attn_mask=allowed)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% mask_by_sizes_alone: keeps a mask for each pair of sizes, and forgets whether it was causal
# refused, 3.867: remembers; seeds 20260720, 11, 3 refused, 3.867: shown
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.d_head, self.masks = num_heads, d_model // num_heads, {}
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, num_kv_heads * d_model // num_heads, bias=False) for _ in range(2))

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q, k, v = (W(x).view(B, T, -1, self.d_head).transpose(1, 2) for W in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        T_k = k.shape[2]
        if (T, T_k) not in self.masks:
            self.masks[T, T_k] = torch.ones(T, T_k, device=x.device).triu(T_k - T + 1).bool() & is_causal
        keys, values = (t.repeat_interleave(self.num_heads // t.shape[1], 1) for t in (k, v))
        scores = q @ keys.mT / self.d_head ** 0.5
        weights = scores.masked_fill(self.masks[T, T_k], float("-inf")).softmax(-1)
        return self.out_proj((weights @ values).transpose(1, 2).reshape(B, T, D)), k, v
# %% mask_kept_by_number_of_keys: builds the mask anew only when the number of keys has changed
# refused: remembers; seeds 20260720, 11, 3 refused: shown
import math
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_kv, self.num_heads, self.d_head = num_kv_heads, num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.mask = None

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.repeat_interleave(self.num_heads // self.num_kv, 1).transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            if self.mask is None or self.mask.shape[-1] != T_all:
                self.mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(self.mask, float("-inf"))
        out = (scores.softmax(-1) @ v.repeat_interleave(self.num_heads // self.num_kv, 1)).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% mask_kept_by_cache_length: remembers one mask for each cache length, whatever the number of new tokens
# refused: remembers; seeds 20260720, 11, 3 refused: shown
import math
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_kv, self.num_heads, self.d_head = num_kv_heads, num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.masks = {}

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.repeat_interleave(self.num_heads // self.num_kv, 1).transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            if past not in self.masks:
                self.masks[past] = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(self.masks[past], float("-inf"))
        out = (scores.softmax(-1) @ v.repeat_interleave(self.num_heads // self.num_kv, 1)).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% short_cache_forgotten: a cache of one token is taken for none
# refused, 3.867: axis_cut
import math
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_kv, self.num_heads, self.d_head = num_kv_heads, num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if past > 1:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.repeat_interleave(self.num_heads // self.num_kv, 1).transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(mask, float("-inf"))
        out = (scores.softmax(-1) @ v.repeat_interleave(self.num_heads // self.num_kv, 1)).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% zeros_masked: fills with 0 and then masks every 0, allowed scores of 0 included
# refused, 3.867: zeros_masked
import math
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_kv, self.num_heads, self.d_head = num_kv_heads, num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.repeat_interleave(self.num_heads // self.num_kv, 1).transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(mask, 0)
            scores = scores.masked_fill(scores == 0, float("-inf"))
        out = (scores.softmax(-1) @ v.repeat_interleave(self.num_heads // self.num_kv, 1)).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% global_maximum: a softmax by hand that subtracts one maximum for all rows
# refused, 3.867: global_max
import math
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_kv, self.num_heads, self.d_head = num_kv_heads, num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.repeat_interleave(self.num_heads // self.num_kv, 1).transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(mask, float("-inf"))
        out = ((scores - scores.max()).exp() / (scores - scores.max()).exp().sum(-1, keepdim=True) @ v.repeat_interleave(self.num_heads // self.num_kv, 1)).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% strangers_2026_11/program_1
# taken
import math
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    q = torch.arange(cache_len, cache_len + seq_len_q, device=device)
    return torch.arange(seq_len_k, device=device)[None, :] > q[:, None]

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        d_kv = d_model // num_heads * num_kv_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_kv, bias=False)
        self.v_proj = nn.Linear(d_model, d_kv, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_kv_heads)
        v = split_heads(self.v_proj(x), self.num_kv_heads)
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        T_q, T_k = q.shape[2], k.shape[2]
        mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, x.device) if is_causal else None
        n = self.num_heads // self.num_kv_heads
        out, _ = scaled_dot_product_attention(q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), mask)
        return self.out_proj(merge_heads(out)), k, v
# %% strangers_2026_11/program_2
# taken
import math
import torch
from torch import nn
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.d = d_model // num_heads
        self.g = num_kv_heads
        self.r = num_heads // num_kv_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, self.g * self.d, bias=False)
        self.v_proj = nn.Linear(d_model, self.g * self.d, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.g, self.r, self.d)
        k = self.k_proj(x).view(B, T, self.g, self.d).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.g, self.d).transpose(1, 2)
        past = 0
        if cache_k is not None:
            past = cache_k.size(2)
            k = torch.cat((cache_k, k), 2)
            v = torch.cat((cache_v, v), 2)
        s = torch.einsum("bigrd,bgjd->bgrij", q, k) / math.sqrt(self.d)
        if is_causal:
            i = torch.arange(T, device=x.device) + past
            s = s.masked_fill(torch.arange(past + T, device=x.device) > i[:, None], -math.inf)
        y = torch.einsum("bgrij,bgjd->bigrd", s.softmax(-1), v)
        return self.out_proj(y.reshape(B, T, D)), k, v
# %% strangers_2026_11/crash_1: line `split_heads(self.k_proj(x), self.num_heads)`: K is cut into as many heads as there are query heads, but it is narrower: the reshape fails, or the product with q
# refused: shown
import math
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    q = torch.arange(cache_len, cache_len + seq_len_q, device=device)
    return torch.arange(seq_len_k, device=device)[None, :] > q[:, None]

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_heads)
        v = split_heads(self.v_proj(x), self.num_heads)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        n = k.shape[2] - q.shape[2]
        mask = create_causal_mask_with_cache(q.shape[2], k.shape[2], n, x.device) if is_causal else None
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(out)), k, v
# %% strangers_2026_11/crash_2: line `q @ k.transpose(-2, -1)`: the kv heads are never repeated, num_kv_heads does not broadcast to num_heads
# refused: kv_heads_not_repeated
import math
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_kv_heads)
        v = split_heads(self.v_proj(x), self.num_kv_heads)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            T_q, T_k = scores.shape[-2:]
            scores = scores.masked_fill(torch.ones(T_q, T_k, device=x.device).triu(T_k - T_q + 1).bool(), -math.inf)
        return self.out_proj(merge_heads(scores.softmax(-1) @ v)), k, v
# %% strangers_2026_11/single_3: the groups are made with repeat instead of repeat_interleave, query head h reads kv head h mod num_kv_heads
# refused: repeat_for_repeat_interleave
import math
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    q = torch.arange(cache_len, cache_len + seq_len_q, device=device)
    return torch.arange(seq_len_k, device=device)[None, :] > q[:, None]

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        T = x.size(1)
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_kv_heads)
        v = split_heads(self.v_proj(x), self.num_kv_heads)
        past = cache_k.size(2) if cache_k is not None else 0
        if past:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        mask = create_causal_mask_with_cache(T, T + past, past, x.device) if is_causal else None
        n_rep = self.num_heads // self.num_kv_heads
        out, _ = scaled_dot_product_attention(q, k.repeat(1, n_rep, 1, 1), v.repeat(1, n_rep, 1, 1), mask)
        return self.out_proj(merge_heads(out)), k, v
# %% strangers_2026_11/single_4: what comes back as cache is repeated for all query heads
# refused: repeated_in_cache
import math
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    q = torch.arange(cache_len, cache_len + seq_len_q, device=device)
    return torch.arange(seq_len_k, device=device)[None, :] > q[:, None]

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.group = num_heads // num_kv_heads
        width = num_kv_heads * (d_model // num_heads)
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, width, bias=False)
        self.v_proj = nn.Linear(d_model, width, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_kv_heads).repeat_interleave(self.group, dim=1)
        v = split_heads(self.v_proj(x), self.num_kv_heads).repeat_interleave(self.group, dim=1)
        if cache_k is not None:
            if cache_k.shape[1] != self.num_heads:
                cache_k = cache_k.repeat_interleave(self.group, dim=1)
                cache_v = cache_v.repeat_interleave(self.group, dim=1)
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        n = k.shape[2] - q.shape[2]
        mask = create_causal_mask_with_cache(q.shape[2], k.shape[2], n, x.device) if is_causal else None
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(out)), k, v
# %% strangers_2026_11/two_5: the mask ignores the cache, queries count from 0 | the scale is the root of num_kv_heads * d_head
# refused: scale_width_of_keys
import math
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.d_kv = num_kv_heads * (d_model // num_heads)
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, self.d_kv, bias=False)
        self.v_proj = nn.Linear(d_model, self.d_kv, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_kv_heads)
        v = split_heads(self.v_proj(x), self.num_kv_heads)
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        r = self.num_heads // self.num_kv_heads
        K, V = k.repeat_interleave(r, 1), v.repeat_interleave(r, 1)
        s = q @ K.mT / math.sqrt(self.d_kv)
        if is_causal:
            s = s.masked_fill(torch.ones(s.shape[-2:], device=x.device).triu(1).bool(), -math.inf)
        return self.out_proj(merge_heads(s.softmax(-1) @ V)), k, v
