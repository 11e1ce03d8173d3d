# %% naive: keys and values are made again from all latents
# taken
import math
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.view(t.shape[0], t.shape[1], self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], dim=1)
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_up(c)), self.split(self.v_up(c))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        T_k = c.shape[1]
        mask = torch.triu(torch.ones(T, T_k, dtype=torch.bool, device=x.device), diagonal=T_k - T + 1)
        weights = scores.masked_fill(mask, float("-inf")).softmax(dim=-1)
        out = (weights @ v).transpose(1, 2).reshape(B, T, self.d_model)
        return self.out_proj(out), c
# %% torch's operator
# taken
import torch
from torch import nn
import torch.nn.functional as F
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent, **kw):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False, **kw)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False, **kw)
        self.k_up = nn.Linear(d_latent, d_model, bias=False, **kw)
        self.v_up = nn.Linear(d_latent, d_model, bias=False, **kw)
        self.out_proj = nn.Linear(d_model, d_model, bias=False, **kw)

    def forward(self, x, cache=None):
        latents = self.down_proj(x)
        if cache is not None and cache.size(1) > 0:
            latents = torch.cat([cache, latents], dim=1)
        heads = [t.unflatten(2, (self.num_heads, -1)).transpose(1, 2)
                 for t in (self.q_proj(x), self.k_up(latents), self.v_up(latents))]
        n, m = x.size(1), latents.size(1)
        keep = torch.ones(n, m, dtype=torch.bool, device=x.device).tril(m - n)
        y = F.scaled_dot_product_attention(*heads, attn_mask=keep)
        return self.out_proj(y.transpose(1, 2).flatten(2)), latents
# %% a loop over heads
# taken
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        linear = lambda i, o: nn.Linear(i, o, bias=False)
        self.num_heads = num_heads
        self.q_proj, self.out_proj = linear(d_model, d_model), linear(d_model, d_model)
        self.down_proj = linear(d_model, d_latent)
        self.k_up, self.v_up = linear(d_latent, d_model), linear(d_latent, d_model)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        offset = 0 if cache is None else cache.shape[1]
        c = c if cache is None else torch.cat([cache, c], dim=1)
        future = torch.arange(c.shape[1], device=x.device)[None, :] > torch.arange(offset, c.shape[1], device=x.device)[:, None]
        outs = []
        trio = zip(*(t.chunk(self.num_heads, dim=-1) for t in (self.q_proj(x), self.k_up(c), self.v_up(c))))
        for q, k, v in trio:
            s = torch.bmm(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
            s = torch.where(future, torch.full_like(s, -1e9), s)
            outs.append(torch.bmm(torch.softmax(s, -1), v))
        return self.out_proj(torch.cat(outs, -1)), c
# %% one fused product for keys and values, token by token
# taken
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.H, self.d = num_heads, d_model // num_heads
        for name, sizes in {"q_proj": (d_model, d_model), "down_proj": (d_model, d_latent), "k_up": (d_latent, d_model),
                            "v_up": (d_latent, d_model), "out_proj": (d_model, d_model)}.items():
            setattr(self, name, nn.Linear(*sizes, bias=False))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        old = x.new_zeros(B, 0, self.down_proj.out_features) if cache is None else cache
        c = torch.hstack([old, self.down_proj(x)])
        kv = c @ torch.cat([self.k_up.weight, self.v_up.weight]).T
        k, v = kv.view(B, -1, 2, self.H, self.d).unbind(2)
        q = self.q_proj(x).view(B, T, self.H, self.d)
        rows = []
        for t in range(T):
            n = old.shape[1] + t + 1
            s = torch.einsum("bhd,bnhd->bhn", q[:, t], k[:, :n]) / self.d ** 0.5
            rows.append(torch.einsum("bhn,bnhd->bhd", s.softmax(-1), v[:, :n]).reshape(B, D))
        return self.out_proj(torch.stack(rows, 1)), c
# %% keys absorbed only, an additive mask
# taken
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model: int, num_heads: int, d_latent: int):
        super().__init__()
        self.n, self.dh, self.dl = num_heads, d_model // num_heads, d_latent
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        b, t, _ = x.shape
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], -2)
        s = c.shape[1]
        q = self.q_proj(x).reshape(b, t, self.n, self.dh).permute(0, 2, 1, 3)
        q = torch.matmul(q, self.k_up.weight.reshape(self.n, self.dh, self.dl))
        scores = torch.matmul(q, c.unsqueeze(1).transpose(2, 3)) / self.dh ** 0.5
        bias = torch.full((t, s), float("-inf"), dtype=x.dtype, device=x.device).triu(s - t + 1)
        v = self.v_up(c).reshape(b, s, self.n, self.dh).permute(0, 2, 1, 3)
        y = torch.softmax(scores + bias, dim=-1) @ v
        return self.out_proj(y.permute(0, 2, 1, 3).reshape(b, t, -1)), c
# %% hand-made softmax and modules in a dict
# taken
import torch
from torch import nn
def softmax(s):
    e = torch.exp(s - s.max(-1, keepdim=True)[0])
    return e / e.sum(-1, keepdim=True)

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def heads(self, t):
        return torch.stack(t.chunk(self.num_heads, -1), 1)

    def forward(self, x, cache=None):
        latents = self.down_proj(x) if cache is None else torch.cat([cache, self.down_proj(x)], 1)
        q, k, v = map(self.heads, (self.q_proj(x), self.k_up(latents), self.v_up(latents)))
        s = torch.einsum("bhqd,bhkd->bhqk", q, k) / k.size(-1) ** 0.5
        first = latents.size(1) - x.size(1)
        for i in range(x.size(1)):
            gone = torch.arange(latents.size(1), device=x.device) > first + i
            s = torch.cat([s[:, :, :i], s[:, :, i:i + 1].masked_fill(gone, -torch.inf), s[:, :, i + 1:]], 2)
        y = torch.einsum("bhqk,bhkd->bhqd", softmax(s), v)
        return self.out_proj(torch.cat(y.unbind(1), -1)), latents
# %% latents_detached: old latents and new ones are cut from the graph
# taken, one left 3.85: detached
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.view(t.shape[0], t.shape[1], self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache=None):
        B, T, d_model = x.shape
        new = self.down_proj(x)
        c = new if cache is None else torch.cat([cache, new], dim=1)
        c = c.detach()
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_up(c)), self.split(self.v_up(c))
        T_k = c.shape[1]
        mask = torch.ones(T, T_k, dtype=torch.bool, device=x.device).triu(T_k - T + 1)
        scores = (q @ k.mT / self.d_head ** 0.5).masked_fill(mask, -torch.inf)
        out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d_model)
        return self.out_proj(out), c
# %% cache_scaled_down: the cache keeps latents of half their size, and uses them so
# refused: constant_factor
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.view(t.shape[0], t.shape[1], self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache=None):
        B, T, d_model = x.shape
        new = self.down_proj(x)
        c = new if cache is None else torch.cat([cache, new], dim=1)
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_up(c)), self.split(self.v_up(c))
        T_k = c.shape[1]
        mask = torch.ones(T, T_k, dtype=torch.bool, device=x.device).triu(T_k - T + 1)
        scores = (q @ k.mT / self.d_head ** 0.5).masked_fill(mask, -torch.inf)
        out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d_model)
        return self.out_proj(out), c / 2
# %% added_in_place: the cache that came in is written to
# refused: changes_input
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.view(t.shape[0], t.shape[1], self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache=None):
        B, T, d_model = x.shape
        new = self.down_proj(x)
        if cache is None:
            c = new
        else:
            cache *= 1.0001
            c = torch.cat([cache, new], dim=1)
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_up(c)), self.split(self.v_up(c))
        T_k = c.shape[1]
        mask = torch.ones(T, T_k, dtype=torch.bool, device=x.device).triu(T_k - T + 1)
        scores = (q @ k.mT / self.d_head ** 0.5).masked_fill(mask, -torch.inf)
        out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d_model)
        return self.out_proj(out), c
# %% values_of_turned_latents: the values are made of the latents with their features turned round
# refused: shown
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.view(t.shape[0], t.shape[1], self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache=None):
        B, T, d_model = x.shape
        new = self.down_proj(x)
        c = new if cache is None else torch.cat([cache, new], dim=1)
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_up(c)), self.split(self.v_up(c))
        T_k = c.shape[1]
        mask = torch.ones(T, T_k, dtype=torch.bool, device=x.device).triu(T_k - T + 1)
        scores = (q @ k.mT / self.d_head ** 0.5).masked_fill(mask, -torch.inf)
        out = (scores.softmax(-1) @ self.split(self.v_up(c.flip(-1)))).transpose(1, 2).reshape(B, T, d_model)
        return self.out_proj(out), c
# %% window_of_four: only the last four latents are kept
# refused: axis_cut
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.view(t.shape[0], t.shape[1], self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, cache=None):
        B, T, d_model = x.shape
        new = self.down_proj(x)
        c = new if cache is None else torch.cat([cache, new], dim=1)[:, -4:]
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_up(c)), self.split(self.v_up(c))
        T_k = c.shape[1]
        mask = torch.ones(T, T_k, dtype=torch.bool, device=x.device).triu(T_k - T + 1)
        scores = (q @ k.mT / self.d_head ** 0.5).masked_fill(mask, -torch.inf)
        out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d_model)
        return self.out_proj(out), c
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

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], dim=1)
        q, k, v = (split_heads(t, self.num_heads) for t in (self.q_proj(x), self.k_up(c), self.v_up(c)))
        T_q, T_k = x.shape[1], c.shape[1]
        mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, device=x.device)
        return self.out_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])), c
# %% strangers_2026_11/program_2
# taken
import math
import torch
from torch import nn
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.H, self.d = num_heads, d_model // num_heads
        linear = lambda i, o: nn.Linear(i, o, bias=False)
        self.q_proj, self.out_proj = linear(d_model, d_model), linear(d_model, d_model)
        self.down_proj = linear(d_model, d_latent)
        self.k_up, self.v_up = linear(d_latent, d_model), linear(d_latent, d_model)

    def forward(self, x, cache=None):
        B, T, D = x.shape
        new = self.down_proj(x)
        latents = new if cache is None else torch.cat((cache, new), 1)
        N = latents.shape[1]
        q = self.q_proj(x).view(B, T, self.H, self.d)
        k = self.k_up(latents).view(B, N, self.H, self.d)
        v = self.v_up(latents).view(B, N, self.H, self.d)
        s = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(self.d)
        later = torch.arange(N, device=x.device) > torch.arange(N - T, N, device=x.device)[:, None]
        w = s.masked_fill(later, -math.inf).softmax(-1)
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", w, v).reshape(B, T, D)), latents
# %% strangers_2026_11/crash_1: line `torch.cat([cache, c], dim=2)`: latents are joined along the features, not the tokens
# refused: cache_joined_on_features
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

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        n = 0
        if cache is not None:
            n = cache.shape[1]
            c = torch.cat([cache, c], dim=2)
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_up(c), self.num_heads)
        v = split_heads(self.v_up(c), self.num_heads)
        mask = create_causal_mask_with_cache(x.shape[1], n + x.shape[1], n, x.device)
        y, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(y)), c
# %% strangers_2026_11/crash_2: line `self.down_proj(x)`: the layers of the latent are made with in and out exchanged (written as the shapes of the weights), x does not fit
# refused: layer_shape
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

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_latent, d_model, bias=False)
        self.k_up = nn.Linear(d_model, d_latent, bias=False)
        self.v_up = nn.Linear(d_model, d_latent, bias=False)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], 1)
        q, k, v = (split_heads(t, self.num_heads) for t in (self.q_proj(x), self.k_up(c), self.v_up(c)))
        n = c.shape[1] - x.shape[1]
        mask = create_causal_mask_with_cache(x.shape[1], c.shape[1], n, x.device)
        return self.out_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])), c
# %% strangers_2026_11/single_3: scaled by the root of d_latent instead of d_head
# refused: scale_latent
import math
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.scale = 1 / math.sqrt(d_latent)
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], dim=1)
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_up(c), self.num_heads)
        v = split_heads(self.v_up(c), self.num_heads)
        T, N = q.shape[2], k.shape[2]
        s = q @ k.mT * self.scale
        s = s.masked_fill(torch.ones(T, N, dtype=torch.bool, device=x.device).triu(N - T + 1), -math.inf)
        return self.out_proj(merge_heads(s.softmax(-1) @ v)), c
# %% strangers_2026_11/single_4: only the new latents are returned as the cache
# refused: only_new_returned
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

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        new = self.down_proj(x)
        everything = new if cache is None else torch.cat([cache, new], dim=1)
        q = split_heads(self.q_proj(x), self.num_heads)
        k = split_heads(self.k_up(everything), self.num_heads)
        v = split_heads(self.v_up(everything), self.num_heads)
        T, N = new.shape[1], everything.shape[1]
        y, _ = scaled_dot_product_attention(q, k, v, create_causal_mask_with_cache(T, N, N - T, x.device))
        return self.out_proj(merge_heads(y)), new
# %% strangers_2026_11/two_5: no causal mask in a chunk with a cache | values are made with k_up
# refused: v_from_k_up
import torch
from torch import nn
import torch.nn.functional as F
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        first = cache is None
        c = self.down_proj(x) if first else torch.cat([cache, self.down_proj(x)], dim=1)
        q, k = split_heads(self.q_proj(x), self.num_heads), split_heads(self.k_up(c), self.num_heads)
        v = split_heads(self.k_up(c), self.num_heads)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=first)
        return self.out_proj(merge_heads(y)), c
