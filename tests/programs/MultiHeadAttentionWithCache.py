# %% view_transpose: the classic, shifted triu
# taken
import math
import torch
from torch import nn
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
# taken
import torch
from torch import nn
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
# %% loop_over_new_tokens: no mask at all, each new token sees the keys up to itself
# taken
import math
import torch
from torch import nn
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
# taken
import torch
from torch import nn
import torch.nn.functional as F
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
# taken
import math
import torch
from torch import nn
import torch.nn.functional as F
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
# taken
import torch
from torch import nn
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
# %% two_branches: is_causal of SDPA without a cache, nothing for one token, mask otherwise
# taken
import torch
from torch import nn
import torch.nn.functional as F
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
# taken
import torch
from torch import nn
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
# taken
import math
import torch
from torch import nn
import torch.nn.functional as F
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
# taken
import torch
from torch import nn
import torch.nn.functional as F
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
# taken
import torch
from torch import nn
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
# taken
import torch
from torch import nn
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
# taken
import torch
from torch import nn
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
# %% scaled_keys_go_into_cache: divides all keys by sqrt(d_head) and returns them, so cached keys are scaled again at each call
# refused: shown
import math
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        offset = 0
        if cache_k is not None:
            offset = cache_k.size(2)
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        k = k / math.sqrt(self.d_head)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
        if is_causal:
            rows = torch.arange(T, device=x.device).unsqueeze(1) + offset
            cols = torch.arange(k.size(2), device=x.device).unsqueeze(0)
            scores = scores.masked_fill(cols > rows, float("-inf"))
        weights = scores.softmax(-1)
        context = torch.einsum("bhqk,bhkd->bqhd", weights, v).reshape(B, T, D)
        return self.out_proj(context), k, v
# %% cache_before_transpose: caches keys and values as (B, T, H, d_head), before the heads are moved forward
# refused: shown
import math
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head)
        past = 0
        if cache_k is not None:
            past = cache_k.shape[1]
            k = torch.cat([cache_k, k], dim=1)
            v = torch.cat([cache_v, v], dim=1)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(self.d_head)
        if is_causal:
            pos_q = torch.arange(past, past + T, device=x.device)
            pos_k = torch.arange(past + T, device=x.device)
            scores = scores.masked_fill(pos_k[None, :] > pos_q[:, None], -1e9)
        out = torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v)
        return self.out_proj(out.reshape(B, T, D)), k, v
# %% only_last_query_when_cached: keeps only the last query whenever there is a cache, so a chunk gives one output
# refused: shown
import math
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B = x.shape[0]
        def heads(t):
            return t.view(B, -1, self.num_heads, self.d_head).transpose(1, 2)
        q, k, v = heads(self.q_proj(x)), heads(self.k_proj(x)), heads(self.v_proj(x))
        decoding = cache_k is not None
        if decoding:
            q = q[:, :, -1:, :]
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal and not decoding:
            T = x.shape[1]
            scores = scores.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), float("-inf"))
        out = torch.softmax(scores, dim=-1) @ v
        out = out.transpose(1, 2).reshape(B, -1, self.num_heads * self.d_head)
        return self.out_proj(out), k, v
# %% keys_detached: detaches keys and values before they are used, because a cache needs no gradient
# taken, one left 3.85: detached
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.H = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        d = D // self.H
        q = self.q_proj(x).view(B, T, self.H, d).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H, d).transpose(1, 2).detach()
        v = self.v_proj(x).view(B, T, self.H, d).transpose(1, 2).detach()
        P = 0
        if cache_k is not None:
            P = cache_k.size(2)
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        s = q @ k.mT / d ** 0.5
        if is_causal:
            s = s + torch.full((T, P + T), float("-inf"), dtype=s.dtype, device=s.device).triu(P + 1)
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), k, v
# %% grows_callers_cache: makes the tensors that the caller handed in longer instead of returning new ones
# taken, one left 3.85: changes_input
import math
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
            cache_k.data, cache_v.data = k.data, v.data      # update the cache
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.triu(torch.ones(T, past + T, device=x.device), diagonal=past + 1) == 1
            scores = scores.masked_fill(mask, float("-inf"))
        out = torch.matmul(torch.softmax(scores, dim=-1), v)
        out = out.transpose(1, 2).contiguous().view(B, T, D)
        return self.out_proj(out), k, v
# %% always_causal_and_new_only: two mistakes, is_causal is never read and only the new keys and values come back
# refused: only_new_returned
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        new_k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        new_v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        if cache_k is not None:
            k = torch.cat([cache_k, new_k], dim=2)
            v = torch.cat([cache_v, new_v], dim=2)
        else:
            k, v = new_k, new_v
        T_k = k.size(2)
        mask = torch.ones(T, T_k, dtype=torch.bool, device=x.device).tril(diagonal=T_k - T)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        out = out.transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), new_k, new_v
# %% mask_kept_by_chunk_size: remembers one mask for each number of new tokens, whatever the cache holds
# refused: remembers; seeds 20260720, 11, 3 refused: shown
import math
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.masks = {}

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q, k, v = (p(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal and T > 1:
            if T not in self.masks:
                self.masks[T] = torch.ones(T, k.size(2), dtype=torch.bool, device=x.device).triu(k.size(2) - T + 1)
            scores = scores.masked_fill(self.masks[T], float("-inf"))
        y = scores.softmax(-1) @ v
        return self.out_proj(y.transpose(1, 2).reshape(B, T, D)), k, v
# %% first_call_always_causal: reads is_causal only when there is a cache
# refused, 3.85: is_causal_ignored
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
            T, S = q.size(2), k.size(2)
            allowed = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T) if is_causal else None
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% no_mask_in_eval: generation is thought to need no mask, so eval mode has none
# refused, 3.85: shown
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        allowed = None
        if is_causal and self.training:
            allowed = torch.ones(q.size(2), k.size(2), dtype=torch.bool, device=x.device).tril(k.size(2) - q.size(2))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        return self.out_proj(y.transpose(1, 2).flatten(2)), k, v
# %% new_first_topleft: new before old and top-left mask
# refused: cached_keys_masked
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, x):
        B, T, D = x.shape
        return x.view(B, T, self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        past = 0
        if cache_k is not None:
            past = cache_k.shape[2]
            k = torch.cat([k, cache_k], dim=2)
            v = torch.cat([v, cache_v], dim=2)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if is_causal:
            mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(mask, float("-inf"))
        out = scores.softmax(-1) @ v
        out = out.transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% mask_by_sizes_alone: keeps a mask for each pair of sizes, and forgets whether it was causal
# refused, 3.85: remembers; seeds 20260720, 11, 3 refused, 3.85: is_causal_ignored
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head, self.masks = num_heads, d_model // num_heads, {}
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q, k, v = (W(x).view(B, T, -1, self.d_head).transpose(1, 2) for W in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], 2), torch.cat([cache_v, v], 2)
        T_k = k.shape[2]
        if (T, T_k) not in self.masks:
            self.masks[T, T_k] = torch.ones(T, T_k, device=x.device).triu(T_k - T + 1).bool() & is_causal
        scores = q @ k.mT / self.d_head ** 0.5
        weights = scores.masked_fill(self.masks[T, T_k], float("-inf")).softmax(-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, D)), k, v
# %% mask_kept_by_number_of_keys: builds the mask anew only when the number of keys has changed
# refused: remembers; seeds 20260720, 11, 3 refused: shown
import math
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.mask = None

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            if self.mask is None or self.mask.shape[-1] != T_all:
                self.mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(self.mask, float("-inf"))
        out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% zeros_masked: fills with 0 and then masks every 0, allowed scores of 0 included
# refused, 3.85: zeros_masked; seed 3 refused, 3.7: zeros_masked
import math
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(mask, 0)
            scores = scores.masked_fill(scores == 0, float("-inf"))
        out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(out), k, v
# %% global_maximum: a softmax by hand that subtracts one maximum for all rows
# refused, 3.85: global_max
import math
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        past = 0 if cache_k is None else cache_k.shape[2]
        if cache_k is not None:
            k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        T_all = k.shape[2]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.ones(T, T_all, dtype=torch.bool, device=x.device).triu(past + 1)
            scores = scores.masked_fill(mask, float("-inf"))
        out = ((scores - scores.max()).exp() / (scores - scores.max()).exp().sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, T, D)
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

class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        T = x.shape[1]
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_heads)
        v = split_heads(self.v_proj(x), self.num_heads)
        cached = 0
        if cache_k is not None:
            cached = cache_k.shape[2]
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        mask = create_causal_mask_with_cache(T, cached + T, cached, x.device) if is_causal else None
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(out)), k, v
# %% strangers_2026_11/program_2
# taken
import torch
from torch import nn
class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        for n in ["q_proj", "k_proj", "v_proj", "out_proj"]:
            self.add_module(n, nn.Linear(d_model, d_model, bias=False))

    def heads(self, t):
        return t.unflatten(2, (self.h, self.d)).movedim(2, 1)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = self.heads(self.q_proj(x)), self.heads(self.k_proj(x)), self.heads(self.v_proj(x))
        if cache_k is None:
            cache_k, cache_v = k[:, :, :0], v[:, :, :0]
        k, v = torch.cat((cache_k, k), -2), torch.cat((cache_v, v), -2)
        T_q, T_k = q.shape[-2], k.shape[-2]
        att = q @ k.mT / self.d ** 0.5
        if is_causal:
            att = att + torch.full((T_q, T_k), float("-inf"), dtype=att.dtype, device=x.device).triu(T_k - T_q + 1)
        y = att.softmax(-1) @ v
        return self.out_proj(y.movedim(1, 2).flatten(2)), k, v
# %% strangers_2026_11/crash_1: line `scores.masked_fill(mask, ...)`: the mask is (T, T) and the scores (T, T_cached + T)
# refused: mask_is_square
import math
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        T = x.shape[1]
        q, k, v = (split_heads(p(x), self.num_heads) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k = torch.cat([cache_k, k], dim=2)
            v = torch.cat([cache_v, v], dim=2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            mask = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(mask, -math.inf)
        return self.out_proj(merge_heads(scores.softmax(-1) @ v)), k, v
# %% strangers_2026_11/single_2: the cache is kept in self between calls and used when none is given
# refused: unsteady
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

class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.cache_k = None
        self.cache_v = None

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        if cache_k is not None:
            self.cache_k, self.cache_v = cache_k, cache_v
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_proj(x), self.num_heads)
        v = split_heads(self.v_proj(x), self.num_heads)
        if self.cache_k is not None and self.cache_k.shape[0] == x.shape[0]:
            k = torch.cat([self.cache_k, k], dim=2)
            v = torch.cat([self.cache_v, v], dim=2)
        self.cache_k, self.cache_v = k, v
        n = k.shape[2] - q.shape[2]
        mask = create_causal_mask_with_cache(q.shape[2], k.shape[2], n, x.device) if is_causal else None
        return self.out_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])), k, v
# %% strangers_2026_11/two_3: new keys are put before the old ones | is_causal is ignored, always causal
# refused: cache_new_before_old
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

class MultiHeadAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (split_heads(l(x), self.num_heads) for l in (self.q_proj, self.k_proj, self.v_proj))
        n = 0 if cache_k is None else cache_k.shape[-2]
        if n:
            k = torch.cat([k, cache_k], dim=-2)
            v = torch.cat([v, cache_v], dim=-2)
        mask = create_causal_mask_with_cache(x.shape[1], x.shape[1] + n, n, x.device)
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(out)), k, v
