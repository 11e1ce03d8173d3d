"""Wrong answers for LatentAttentionWithCache, one mistake a cell."""

# %% latents_detached: old latents and new ones are cut from the graph
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

# %% no_mask_within_a_chunk: every query gets the mask of the last one
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
        scores = (q @ k.mT / self.d_head ** 0.5).masked_fill(mask[-1:], -torch.inf)
        out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d_model)
        return self.out_proj(out), c

# %% added_in_place: the cache that came in is written to
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

# %% causal_without_a_cache: SDPA's is_causal=cache is None, so a chunk behind a cache is not masked
import torch.nn.functional as F
import torch
from torch import nn

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.H = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], dim=1)
        q, k, v = (t.unflatten(-1, (self.H, -1)).transpose(1, 2) for t in (self.q_proj(x), self.k_up(c), self.v_up(c)))
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
        return self.out_proj(heads.transpose(1, 2).flatten(2)), c

# %% always_top_left: SDPA's is_causal=True, which aligns the mask to the first key
import torch.nn.functional as F
import torch
from torch import nn

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.H = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], dim=1)
        q, k, v = (t.unflatten(-1, (self.H, -1)).transpose(1, 2) for t in (self.q_proj(x), self.k_up(c), self.v_up(c)))
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out_proj(heads.transpose(1, 2).flatten(2)), c
