"""Right answers to `MultiHeadAttentionWithCache`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% view_transpose: the classic, shifted triu
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def _split(self, t):
        B, T, _ = t.shape
        return t.view(B, T, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, _ = x.shape
        q = self._split(self.q_proj(x))
        k = self._split(self.k_proj(x))
        v = self._split(self.v_proj(x))
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        T_k = k.shape[2]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.triu(torch.ones(T, T_k, dtype=torch.bool, device=x.device), diagonal=T_k - T + 1)
            scores = scores.masked_fill(mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ v).transpose(1, 2).contiguous().view(B, T, self.d_model)
        return self.out_proj(out), k, v
# %% einsum: einsum and absolute positions
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model: int, num_heads: int, *, dtype=None, device=None):
        super().__init__()
        assert d_model % num_heads == 0
        self.n_heads, self.dim_head = num_heads, d_model // num_heads
        opts = {"bias": False, "dtype": dtype, "device": device}
        self.q_proj = nn.Linear(d_model, d_model, **opts)
        self.k_proj = nn.Linear(d_model, d_model, **opts)
        self.v_proj = nn.Linear(d_model, d_model, **opts)
        self.out_proj = nn.Linear(d_model, d_model, **opts)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        past = 0 if cache_k is None else cache_k.size(-2)
        q, k, v = [p(x).unflatten(-1, (self.n_heads, self.dim_head)).movedim(2, 1)
                   for p in (self.q_proj, self.k_proj, self.v_proj)]
        if past > 0:
            k = torch.cat((cache_k, k), dim=-2)
            v = torch.cat((cache_v, v), dim=-2)
        s = torch.einsum("bhqd,bhkd->bhqk", q, k) * self.dim_head ** -0.5
        if is_causal:
            pos_q = torch.arange(past, past + x.size(1), device=x.device)
            pos_k = torch.arange(k.size(-2), device=x.device)
            s = torch.where(pos_k[None, :] <= pos_q[:, None], s, float("-inf"))
        o = torch.einsum("bhqk,bhkd->bqhd", s.softmax(dim=-1), v)
        return self.out_proj(o.flatten(2)), k, v
# %% sdpa_mask: F.scaled_dot_product_attention with an explicit "may attend" mask
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        b, t, d = x.shape
        shape = (b, t, self.num_heads, d // self.num_heads)
        q = self.q_proj(x).reshape(shape).permute(0, 2, 1, 3)
        new_k = self.k_proj(x).reshape(shape).permute(0, 2, 1, 3)
        new_v = self.v_proj(x).reshape(shape).permute(0, 2, 1, 3)
        if cache_k is None or cache_v is None:
            cache_k = new_k.new_zeros(b, self.num_heads, 0, d // self.num_heads)
            cache_v = torch.zeros_like(cache_k)
        all_k = torch.cat([cache_k, new_k], 2)
        all_v = torch.cat([cache_v, new_v], 2)
        attend = None
        if is_causal:
            attend = torch.ones(t, all_k.shape[2], dtype=torch.bool, device=x.device).tril(cache_k.shape[2])
        y = F.scaled_dot_product_attention(q, all_k, all_v, attn_mask=attend)
        y = y.permute(0, 2, 1, 3).reshape(b, t, d)
        return self.out_proj(y), all_k, all_v
# %% loop_over_new_tokens: no mask at all, each new token sees the keys up to itself
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("bad number of heads")
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        def heads(t):
            return t.view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        q, k, v = heads(self.q_proj(x)), heads(self.k_proj(x)), heads(self.v_proj(x))
        start = 0
        if cache_k is not None:
            start = cache_k.shape[2]
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        outs = []
        for i in range(T):
            seen = start + i + 1 if is_causal else k.shape[2]
            s = (q[:, :, i:i + 1] * k[:, :, :seen]).sum(-1) / math.sqrt(self.d_head)
            w = torch.softmax(s, dim=-1)
            outs.append((w.unsqueeze(-1) * v[:, :, :seen]).sum(dim=2).reshape(B, D))
        return self.out_proj(torch.stack(outs, dim=1)), k, v
# %% loop_over_heads: one head at a time, caches stacked at the end
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, dtype=None, device=None):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)
        self.k_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)
        self.v_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)
        self.out_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        Q = self.q_proj(x).chunk(self.num_heads, dim=-1)
        K = self.k_proj(x).chunk(self.num_heads, dim=-1)
        V = self.v_proj(x).chunk(self.num_heads, dim=-1)
        outs, ks, vs = [], [], []
        for h in range(self.num_heads):
            q, k, v = Q[h], K[h], V[h]
            if cache_k is not None:
                k = torch.cat([cache_k[:, h], k], dim=1)
                v = torch.cat([cache_v[:, h], v], dim=1)
            s = torch.bmm(q, k.transpose(1, 2)) / (q.shape[-1] ** 0.5)
            if is_causal:
                offset = k.shape[1] - q.shape[1]
                allowed = torch.tril(torch.ones(q.shape[1], k.shape[1], device=x.device), diagonal=offset)
                s = s.masked_fill(allowed == 0, float("-inf"))
            outs.append(torch.bmm(F.softmax(s, dim=-1), v))
            ks.append(k)
            vs.append(v)
        return self.out_proj(torch.cat(outs, dim=-1)), torch.stack(ks, dim=1), torch.stack(vs, dim=1)
# %% fused_qkv: weights concatenated, minus infinity added, cached block never masked
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, embed, heads, **factory_kwargs):
        super().__init__()
        if embed % heads != 0:
            raise ValueError("embed must be divisible by heads")
        self.heads = heads
        self.q_proj = nn.Linear(embed, embed, bias=False, **factory_kwargs)
        self.k_proj = nn.Linear(embed, embed, bias=False, **factory_kwargs)
        self.v_proj = nn.Linear(embed, embed, bias=False, **factory_kwargs)
        self.out_proj = nn.Linear(embed, embed, bias=False, **factory_kwargs)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        w = torch.cat([self.q_proj.weight, self.k_proj.weight, self.v_proj.weight])
        q, k, v = F.linear(x, w).split(x.shape[-1], dim=-1)
        q, k, v = (t.unflatten(2, (self.heads, -1)).transpose(1, 2) for t in (q, k, v))
        old = cache_k.shape[2] if cache_k is not None else 0
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        s = torch.matmul(q / math.sqrt(q.shape[-1]), k.transpose(2, 3))
        if is_causal:
            t = x.shape[1]
            square = torch.full((t, t), float("-inf"), dtype=s.dtype, device=s.device).triu(1)
            s = s + F.pad(square, (old, 0))
        y = torch.matmul(s.softmax(-1), v)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% folded_bmm: batch and heads folded, -1e9 fill, preallocated joint tensors
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def heads_first(self, t):
        return t.reshape(t.shape[0], -1, self.num_heads, self.d_head).transpose(1, 2)

    def join(self, old, new):
        n = old.shape[2]
        both = torch.zeros(new.shape[0], new.shape[1], n + new.shape[2], self.d_head, dtype=new.dtype, device=new.device)
        both[:, :, :n] = old
        both[:, :, n:] = new
        return both

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.heads_first(self.q_proj(x))
        k = self.heads_first(self.k_proj(x))
        v = self.heads_first(self.v_proj(x))
        past = 0
        if cache_k is not None:
            past = cache_k.shape[2]
            k = self.join(cache_k, k)
            v = self.join(cache_v, v)
        q3 = q.reshape(B * self.num_heads, T, self.d_head)
        k3 = k.reshape(B * self.num_heads, past + T, self.d_head)
        v3 = v.reshape(B * self.num_heads, past + T, self.d_head)
        scores = torch.bmm(q3, k3.mT) * self.d_head ** -0.5
        if is_causal:
            future = torch.arange(past + T, device=x.device) > torch.arange(T, device=x.device)[:, None] + past
            scores = scores.masked_fill(future, -1e9)
        y = torch.bmm(scores.softmax(dim=-1), v3).view(B, self.num_heads, T, self.d_head)
        return self.out_proj(y.transpose(1, 2).reshape(B, T, D)), k, v
# %% lower_right: the library's lower-right causal bias for SDPA
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.attention.bias import causal_lower_right

class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (lin(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for lin in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=-2)
            v = torch.cat([cache_v, v], dim=-2)
        if is_causal:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=causal_lower_right(q.shape[-2], k.shape[-2]))
        else:
            y = F.scaled_dot_product_attention(q, k, v)
        return self.out_proj(y.transpose(1, 2).flatten(-2)), k, v
# %% two_branches: is_causal of SDPA without a cache, nothing for one token, mask otherwise
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, dtype=None, device=None):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("num_heads must divide d_model")
        kwargs = dict(bias=False, dtype=dtype, device=device)
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, **kwargs)
        self.k_proj = nn.Linear(d_model, d_model, **kwargs)
        self.v_proj = nn.Linear(d_model, d_model, **kwargs)
        self.out_proj = nn.Linear(d_model, d_model, **kwargs)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        has_past = cache_k is not None and cache_k.shape[2] > 0
        if has_past:
            k = torch.cat((cache_k, k), 2)
            v = torch.cat((cache_v, v), 2)
        if not is_causal or T == 1:
            y = F.scaled_dot_product_attention(q, k, v)
        elif not has_past:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            n = k.shape[2]
            full = torch.tril(torch.ones(n, n, dtype=torch.bool, device=x.device))
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=full[n - T:])
        y = y.transpose(1, 2).reshape(B, T, D)
        result = (self.out_proj(y), k, v)
        assert len(result) == 3
        return result
# %% renormalised: softmax over everything, future weights removed, rows divided by their sum
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q = torch.stack(self.q_proj(x).split(self.d_head, -1), dim=1)
        k = torch.stack(self.k_proj(x).split(self.d_head, -1), dim=1)
        v = torch.stack(self.v_proj(x).split(self.d_head, -1), dim=1)
        if cache_k is not None:
            k = torch.cat([cache_k, k], 2)
            v = torch.cat([cache_v, v], 2)
        p = torch.softmax(q @ k.transpose(2, 3) / self.d_head ** 0.5, dim=-1)
        if is_causal:
            keep = torch.ones(q.size(2), k.size(2), dtype=p.dtype, device=p.device).tril(k.size(2) - q.size(2))
            p = p * keep
            p = p / p.sum(-1, keepdim=True)
        out = torch.cat(torch.unbind(p @ v, dim=1), dim=-1)
        return self.out_proj(out), k, v
# %% big_buffer_float32: a registered triangle of a big length, float32 softmax cast back; a print left in
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, max_len=1024, dtype=None, device=None):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_head = d_model // num_heads
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)
        self.k_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)
        self.v_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)
        self.out_proj = nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device)
        self.register_buffer("bias", torch.ones(max_len, max_len, dtype=torch.bool, device=device).tril(), persistent=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).permute(0, 2, 1, 3)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).permute(0, 2, 1, 3)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).permute(0, 2, 1, 3)
        if cache_k is not None:
            k = torch.cat([cache_k.to(k.dtype), k], dim=2)
        if cache_v is not None:
            v = torch.cat([cache_v.to(v.dtype), v], dim=2)
        S = k.shape[2]
        print("keys", S)
        att = (q @ k.transpose(-1, -2)) * (1 / math.sqrt(self.d_head))
        if is_causal:
            att = att.masked_fill(self.bias[S - T:S, :S] == 0, torch.finfo(att.dtype).min)
        if att.dtype in (torch.float16, torch.bfloat16):
            att = F.softmax(att.float(), dim=-1).to(v.dtype)
        else:
            att = F.softmax(att, dim=-1)
        y = (att @ v).transpose(1, 2).contiguous().view(B, T, D)
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
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (-1, self.d)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None: k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        r = self.h // k.shape[1]
        y, _ = att(q, k.repeat_interleave(r, 1), v.repeat_interleave(r, 1), up(q.shape[2], k.shape[2], x.device) if is_causal else None)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% sdpa_lower_right: keep mask by positions, F.scaled_dot_product_attention
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat((cache_k, k), -2), torch.cat((cache_v, v), -2)
        keep = None
        if is_causal:
            T_q, T_k = q.shape[-2], k.shape[-2]
            keep = torch.ones(T_q, T_k, dtype=torch.bool, device=x.device).tril(T_k - T_q)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% two_blocks: old and new scores apart, joined before the softmax
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        def heads(y):
            return y.reshape(B, T, self.h, self.d).transpose(1, 2)
        q, k, v = heads(self.q_proj(x)) * self.d ** -0.5, heads(self.k_proj(x)), heads(self.v_proj(x))
        if cache_k is None:
            cache_k = cache_v = k[:, :, :0]
        old, new = q @ cache_k.mT, q @ k.mT
        if is_causal:
            new = new + torch.full((T, T), float("-inf"), dtype=new.dtype, device=new.device).triu(1)
        w = torch.cat([old, new], -1).softmax(-1)
        n = cache_k.shape[2]
        y = w[..., :n] @ cache_v + w[..., n:] @ v
        return self.out_proj(y.transpose(1, 2).reshape(B, T, D)), torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
# %% one_query_at_a_time: a loop over the new tokens
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = [nn.Linear(d_model, d_model, bias=False) for _ in range(4)]
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (torch.stack(p(x).chunk(self.num_heads, -1), 1) for p in (self.q_proj, self.k_proj, self.v_proj))
        past = 0 if cache_k is None else cache_k.size(2)
        if past:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        rows = []
        for t in range(x.size(1)):
            end = past + t + 1 if is_causal else k.size(2)
            s = torch.einsum("bhd,bhkd->bhk", q[:, :, t], k[:, :, :end]) / q.size(-1) ** 0.5
            rows.append(torch.einsum("bhk,bhkd->bhd", s.softmax(-1), v[:, :, :end]))
        y = torch.stack(rows, dim=1).flatten(2)
        return self.out_proj(y), k, v
# %% names_of_another_library: the layers in a ModuleDict behind properties, a buffer of 1024 by 1024, other names for what forward takes
class AttnMixin:
    __slots__ = ()
    @staticmethod
    def _shape(t, B, H, d): return t.view(B, -1, H, d).transpose(1, 2).contiguous()
    @property
    def head_dim(self): return self.embed_dim // self.n_head

class MultiHeadAttentionWithCache(AttnMixin, nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.embed_dim, self.n_head = d_model, num_heads
        self.proj = nn.ModuleDict({n: nn.Linear(d_model, d_model, bias=False) for n in ("q", "k", "v", "o")})
        self.register_buffer("bias", torch.tril(torch.ones(1024, 1024, dtype=torch.bool)).view(1, 1, 1024, 1024), persistent=False)
        self.apply(self._init_weights)
    @staticmethod
    def _init_weights(m):
        if isinstance(m, nn.Linear):
            nn.init.normal_(m.weight, std=0.02)
    q_proj = property(lambda self: self.proj["q"])
    k_proj = property(lambda self: self.proj["k"])
    v_proj = property(lambda self: self.proj["v"])
    out_proj = property(lambda self: self.proj["o"])
    def forward(self, hidden_states, layer_past_k=None, layer_past_v=None, is_causal=True):
        B, T, _ = hidden_states.size()
        q, k, v = (self._shape(self.proj[n](hidden_states), B, self.n_head, self.head_dim) for n in "qkv")
        if layer_past_k is not None:
            k = torch.cat((layer_past_k, k), dim=-2)
            v = torch.cat((layer_past_v, v), dim=-2)
        present = (k, v)
        attn = torch.matmul(q, k.transpose(-1, -2)) / torch.full([], v.size(-1) ** 0.5, dtype=q.dtype, device=q.device)
        if is_causal:
            S = k.size(-2)
            causal = self.bias[:, :, S - T:S, :S]
            attn = torch.where(causal, attn.to(attn.dtype), torch.full([], torch.finfo(attn.dtype).min, dtype=attn.dtype, device=attn.device))
        attn = nn.functional.softmax(attn, dim=-1, dtype=torch.float32 if attn.dtype in (torch.float16, torch.bfloat16) else None).to(v.dtype)
        out = torch.matmul(attn, v).permute(0, 2, 1, 3).contiguous()
        return (self.out_proj(out.view(B, T, self.embed_dim)), *present)
