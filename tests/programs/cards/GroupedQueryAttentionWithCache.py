# %% root_of_the_width: sqrt(d_model)
# refused: scale_d_model
# says: The scores are divided by sqrt(d_model)
import torch
from torch import nn

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.H, self.G, self.d = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, num_kv_heads * self.d, bias=False) for _ in range(2))

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (-1, self.d)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat((cache_k, k), -2), torch.cat((cache_v, v), -2)
        K, V = (t.repeat_interleave(self.H // self.G, 1) for t in (k, v))
        scores = q @ K.mT / (self.d * self.H) ** 0.5
        if is_causal:
            hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1 + k.shape[-2] - x.shape[1])
            scores = scores.masked_fill(hidden, -torch.inf)
        heads = scores.softmax(-1) @ V
        return self.out_proj(heads.transpose(1, 2).flatten(-2)), k, v
# %% merged_by_reshape: no transpose
# refused: merge_without_transpose
# says: The heads are merged without transposing back
import torch
from torch import nn

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.H, self.G, self.d = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, num_kv_heads * self.d, bias=False) for _ in range(2))

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (-1, self.d)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat((cache_k, k), -2), torch.cat((cache_v, v), -2)
        K, V = (t.repeat_interleave(self.H // self.G, 1) for t in (k, v))
        scores = q @ K.mT / (self.d) ** 0.5
        if is_causal:
            hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1 + k.shape[-2] - x.shape[1])
            scores = scores.masked_fill(hidden, -torch.inf)
        heads = scores.softmax(-1) @ V
        return self.out_proj(heads.reshape(x.shape)), k, v
# %% both: sqrt(d_model), and no transpose
# refused: shown
# says: `output` at
import torch
from torch import nn

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.H, self.G, self.d = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, num_kv_heads * self.d, bias=False) for _ in range(2))

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (-1, self.d)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        if cache_k is not None:
            k, v = torch.cat((cache_k, k), -2), torch.cat((cache_v, v), -2)
        K, V = (t.repeat_interleave(self.H // self.G, 1) for t in (k, v))
        scores = q @ K.mT / (self.d * self.H) ** 0.5
        if is_causal:
            hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1 + k.shape[-2] - x.shape[1])
            scores = scores.masked_fill(hidden, -torch.inf)
        heads = scores.softmax(-1) @ V
        return self.out_proj(heads.reshape(x.shape)), k, v
# %% repeated_before_the_cache: the cache holds the repeated heads
# refused: repeated_in_cache
# says: The repeated heads are cached
import torch
from torch import nn

class GroupedQueryAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.H, self.G, self.d = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(d_model, num_kv_heads * self.d, bias=False) for _ in range(2))

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        q, k, v = (p(x).unflatten(-1, (-1, self.d)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        k, v = (t.repeat_interleave(self.H // self.G, 1) for t in (k, v))
        if cache_k is not None:
            k, v = torch.cat((cache_k, k), -2), torch.cat((cache_v, v), -2)
        K, V = k, v
        scores = q @ K.mT / (self.d) ** 0.5
        if is_causal:
            hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1 + k.shape[-2] - x.shape[1])
            scores = scores.masked_fill(hidden, -torch.inf)
        heads = scores.softmax(-1) @ V
        return self.out_proj(heads.transpose(1, 2).flatten(-2)), k, v
