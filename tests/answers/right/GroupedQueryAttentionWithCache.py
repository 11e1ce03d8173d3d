"""Right answers to `GroupedQueryAttentionWithCache`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% repeat_interleave: the classic
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.d_model = d_model
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, _ = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv_heads, self.d_head).transpose(1, 2)
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        groups = self.num_heads // self.num_kv_heads
        k_all = k.repeat_interleave(groups, dim=1)
        v_all = v.repeat_interleave(groups, dim=1)
        T_k = k.shape[2]
        scores = q @ k_all.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.triu(torch.ones(T, T_k, dtype=torch.bool, device=x.device), diagonal=T_k - T + 1)
            scores = scores.masked_fill(mask, float("-inf"))
        out = torch.softmax(scores, dim=-1) @ v_all
        out = out.transpose(1, 2).contiguous().view(B, T, self.d_model)
        return self.out_proj(out), k, v
# %% expand_reshape: a group axis by expand, then reshape; SDPA with a mask
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
# %% sdpa_with_enable_gqa: torch repeats the heads
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        d_head = d_model // num_heads
        self.d_head = d_head
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (-1, self.d_head)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        keep = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=x.device)
        if is_causal:
            keep = keep.tril(k.shape[2] - q.shape[2])
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=keep, enable_gqa=True)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% loop_over_query_heads_again: indexes kv head h // group
class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        if num_heads % num_kv_heads or d_model % num_heads:
            raise ValueError("divisors wanted")
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
    @property
    def group(self):
        return self.num_heads // self.num_kv_heads
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = self.q_proj(x).split(self.d_head, -1)
        k = torch.stack(self.k_proj(x).split(self.d_head, -1), 1)
        v = torch.stack(self.v_proj(x).split(self.d_head, -1), 1)
        k = torch.cat([t for t in (cache_k, k) if t is not None], 2)
        v = torch.cat([t for t in (cache_v, v) if t is not None], 2)
        T_q, T_k = x.shape[1], k.shape[2]
        late = torch.arange(T_k, device=x.device)[None] > torch.arange(T_k - T_q, T_k, device=x.device)[:, None]
        outs = []
        for h in range(self.num_heads):
            s = q[h] @ k[:, h // self.group].mT / self.d_head ** 0.5
            if is_causal:
                s = s.masked_fill(late, -torch.inf)
            outs.append(s.softmax(-1) @ v[:, h // self.group])
        return self.out_proj(torch.cat(outs, -1)), k, v
