"""Programs for the interview topic cached_mha. tests/course_utils/interview/test_programs.py explains the format."""

# %% pair_of_tensors, part 1: cache=None, (output, (k, v))
# taken
import math
import torch
from torch import nn

class Attn(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.head_dim = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.n_heads, self.head_dim).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        if cache is not None:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        S = k.size(2)
        mask = torch.ones(T, S, dtype=torch.bool).tril(S - T)
        w = (q @ k.transpose(-1, -2) / math.sqrt(self.head_dim)).masked_fill(~mask, float("-inf")).softmax(-1)
        return self.out((w @ v).transpose(1, 2).reshape(B, T, D)), (k, v)

interview.check(Attn, layers={"W_q W_k W_v": "qkv", "W_o": "out"})

# %% function, part 1: weights and cache come in
# taken
import torch

def cached_attention(x, W_q, W_k, W_v, W_o, n_heads, cache=None):
    B, T, D = x.shape
    split = lambda t: t.reshape(B, -1, n_heads, D // n_heads).transpose(1, 2)
    k, v = x @ W_k, x @ W_v
    if cache:
        k, v = torch.cat([cache["k"], k], 1), torch.cat([cache["v"], v], 1)
    s = split(x @ W_q) @ split(k).mT / (D // n_heads) ** 0.5
    s = s.masked_fill(torch.ones(s.shape[-2:]).triu(1 + k.shape[1] - T).bool(), -torch.inf)
    out = (s.softmax(-1) @ split(v)).transpose(1, 2).reshape(B, T, D)
    return out @ W_o, {"k": k, "v": v}

# %% kv_cache_pair, part 1: a pair called kv_cache
# taken
import torch
from torch import nn

class Attn(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s + torch.full((T, S), float("-inf")).triu(S - T + 1)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), (k, v)

interview.check(Attn, layers={"W_q W_k W_v": "qkv", "W_o": "out"})

# %% key_value_cache_dict, part 1: with a place to write at
# taken
import torch
from torch import nn

class Cached(nn.Module):
    def __init__(self, d_model, n_heads, max_len=64):
        super().__init__()
        self.h, self.d, self.max_len = n_heads, d_model // n_heads, max_len
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        if cache is None:
            cache = {"k": torch.zeros(B, self.max_len, D), "v": torch.zeros(B, self.max_len, D), "n": 0}
        n = cache["n"]
        cache["k"][:, n:n + T], cache["v"][:, n:n + T] = self.k_proj(x), self.v_proj(x)
        cache["n"] = n + T
        k, v = cache["k"][:, :n + T], cache["v"][:, :n + T]
        q, k, v = (t.view(B, -1, self.h, self.d).transpose(1, 2) for t in (self.q_proj(x), k, v))
        s = q @ k.mT / self.d**0.5
        s = s.masked_fill(torch.arange(n + T)[None] > torch.arange(n, n + T)[:, None], float("-inf"))
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), cache

interview.check(lambda d_model, n_heads: Cached(d_model, n_heads, max_len=64), layers={"W_q": "q_proj", "W_k": "k_proj", "W_v": "v_proj", "W_o": "out_proj"})

# %% unknown_cache_name, part 1: kept=None
# taken
import torch
from torch import nn

class Attn(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        T = x.size(1)
        split = lambda t: t.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.size(2)
        open_ = torch.ones(T, S, dtype=torch.bool).tril(S - T)
        s = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(~open_, -torch.inf)
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).flatten(2)), (k, v)

# %% cached_mha_01_b, part 1: right
# taken
import torch
from torch import nn

class CachedMHA(nn.Module):
    """Causal self-attention; pass `past=(k, v)` to continue from earlier tokens."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.dk = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.h, self.dk).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.h, self.dk).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.h, self.dk).transpose(1, 2)
        if cache is not None:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        S = k.size(2)
        scores = q @ k.transpose(-2, -1) / self.dk ** 0.5                    # B h T S
        mask = torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
        scores = scores.masked_fill(~mask, float("-inf"))
        y = scores.softmax(-1) @ v
        y = y.transpose(1, 2).reshape(B, T, D)
        return self.out_proj(y), (k, v)

# %% cached_mha_01_c, part 1: right
# taken
import math
from typing import Optional, Tuple

import torch
import torch.nn as nn

class CachedSelfAttention(nn.Module):
    """out, past = attn(x, past)   -- past is None on the first call."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.num_heads = n_heads
        self.head_dim = d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def _shape(self, t):
        b, n, _ = t.shape
        return t.view(b, n, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(
        self,
        x: torch.Tensor,
        cache: Optional[Tuple[torch.Tensor, torch.Tensor]] = None,
    ):
        b, n, c = x.shape
        q = self._shape(self.q_proj(x))
        k = self._shape(self.k_proj(x))
        v = self._shape(self.v_proj(x))

        past_len = 0
        if cache is not None:
            past_len = cache[0].shape[2]
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        present = (k, v)

        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(self.head_dim)
        keep = torch.ones(n, past_len + n, dtype=torch.bool, device=q.device).tril(past_len)
        scores = scores.masked_fill(~keep, float("-inf"))
        probs = torch.softmax(scores, dim=-1)
        out = torch.matmul(probs, v).transpose(1, 2).reshape(b, n, c)
        return self.out_proj(out), present

# %% cached_mha_04_c, part 1: right
# taken
import math
from dataclasses import dataclass

import torch
from torch import nn

@dataclass
class ModelArgs:
    dim: int
    n_heads: int
    max_batch_size: int
    max_seq_len: int

class LlamaStyleAttention(nn.Module):
    """forward(x, start_pos): start_pos = how many tokens went before (0 starts a new text). Inference only."""

    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_heads = args.n_heads
        self.head_dim = args.dim // args.n_heads
        inner = self.n_heads * self.head_dim
        self.q_proj = nn.Linear(args.dim, inner, bias=False)
        self.k_proj = nn.Linear(args.dim, inner, bias=False)
        self.v_proj = nn.Linear(args.dim, inner, bias=False)
        self.out_proj = nn.Linear(inner, args.dim, bias=False)
        shape = (args.max_batch_size, args.max_seq_len, self.n_heads, self.head_dim)
        self.register_buffer("cache_k", torch.zeros(shape), persistent=False)
        self.register_buffer("cache_v", torch.zeros(shape), persistent=False)

    @torch.no_grad()
    def forward(self, x: torch.Tensor, start_pos: int = 0):
        bsz, seqlen, _ = x.shape
        end = start_pos + seqlen
        if end > self.cache_k.shape[1]:
            raise ValueError("text is longer than max_seq_len")
        xq = self.q_proj(x).view(bsz, seqlen, self.n_heads, self.head_dim)
        xk = self.k_proj(x).view(bsz, seqlen, self.n_heads, self.head_dim)
        xv = self.v_proj(x).view(bsz, seqlen, self.n_heads, self.head_dim)

        self.cache_k[:bsz, start_pos:end] = xk
        self.cache_v[:bsz, start_pos:end] = xv
        keys = self.cache_k[:bsz, :end].transpose(1, 2)
        values = self.cache_v[:bsz, :end].transpose(1, 2)
        xq = xq.transpose(1, 2)

        scores = torch.matmul(xq, keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        if seqlen > 1:
            mask = torch.full((seqlen, seqlen), float("-inf"), device=x.device)
            mask = torch.triu(mask, diagonal=1)
            mask = torch.hstack([torch.zeros((seqlen, start_pos), device=x.device), mask])
            scores = scores + mask.type_as(scores)
        scores = torch.softmax(scores, dim=-1)
        out = torch.matmul(scores, values)
        return self.out_proj(out.transpose(1, 2).contiguous().view(bsz, seqlen, -1))

interview.check(LlamaStyleAttention, layers={"W_q": "q_proj", "W_k": "k_proj", "W_v": "v_proj", "W_o": "out_proj"})

# %% cache_not_used, part 1: cached keys masked
# refused: cached_keys_masked
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.q_proj, self.k_proj, self.v_proj))
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(o), (k, v)

# %% no_mask, part 1: mask ignored
# refused: mask_ignored
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.q_proj, self.k_proj, self.v_proj))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(o), (k, v)

# %% new_first, part 1: cache new before old
# refused: cache_new_before_old
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.q_proj, self.k_proj, self.v_proj))
        if cache is not None:
            k, v = torch.cat([k, cache[0]], 2), torch.cat([v, cache[1]], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.out_proj(o), (k, v)

# %% function_with_a_dict, part 1: right, with a cache of its own kind
# taken
import torch

def mha(x, W_q, W_k, W_v, W_o, n_heads, cache=None):
    B, T, D = x.shape
    k_new, v_new = x @ W_k, x @ W_v
    old = cache or {"k": k_new[:, :0], "v": v_new[:, :0]}
    cache = {"k": torch.cat([old["k"], k_new], 1), "v": torch.cat([old["v"], v_new], 1)}
    q, k, v = (t.view(B, -1, n_heads, D // n_heads).transpose(1, 2) for t in (x @ W_q, cache["k"], cache["v"]))
    S = k.shape[2]
    rows = torch.arange(S - T, S)[:, None]
    s = (q @ k.transpose(2, 3) / (D // n_heads) ** 0.5).masked_fill(torch.arange(S) > rows, -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ W_o, cache

# %% llama, part 1: right, with float32 buffers of its own
# taken
import math

import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.n_heads, self.head_dim = args.n_heads, args.dim // args.n_heads
        self.wq = nn.Linear(args.dim, args.dim, bias=False)
        self.wk = nn.Linear(args.dim, args.dim, bias=False)
        self.wv = nn.Linear(args.dim, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.dim, bias=False)
        shape = (args.max_batch_size, args.max_seq_len, self.n_heads, self.head_dim)
        self.cache_k, self.cache_v = torch.zeros(shape), torch.zeros(shape)

    def forward(self, x, start_pos):
        bsz, seqlen, _ = x.shape
        xq, xk, xv = (f(x).view(bsz, seqlen, self.n_heads, self.head_dim) for f in (self.wq, self.wk, self.wv))
        self.cache_k[:bsz, start_pos : start_pos + seqlen] = xk
        self.cache_v[:bsz, start_pos : start_pos + seqlen] = xv
        keys = self.cache_k[:bsz, : start_pos + seqlen].transpose(1, 2)
        values = self.cache_v[:bsz, : start_pos + seqlen].transpose(1, 2)
        scores = xq.transpose(1, 2) @ keys.transpose(2, 3) / math.sqrt(self.head_dim)
        if seqlen > 1:
            mask = torch.triu(torch.full((seqlen, seqlen), float("-inf")), diagonal=1)
            scores = scores + torch.hstack([torch.zeros((seqlen, start_pos)), mask])
        output = torch.softmax(scores, dim=-1) @ values
        return self.wo(output.transpose(1, 2).contiguous().view(bsz, seqlen, -1))

# %% own_names, part 1: the printed line with its dots filled in; an instance stands beside it
# taken
import torch
import torch.nn as nn

class Cached(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n = n_heads
        self.query, self.key = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.value, self.output = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, x, past=None):
        q, k, v = (f(x).unflatten(-1, (self.n, -1)).transpose(1, 2) for f in (self.query, self.key, self.value))
        if past is not None:
            k, v = torch.cat([past[0], k], -2), torch.cat([past[1], v], -2)
        T, S = q.shape[-2], k.shape[-2]
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones(T, S, dtype=torch.bool).triu(S - T + 1), -torch.inf)
        return self.output((s.softmax(-1) @ v).transpose(1, 2).flatten(2)), (k, v)

mine = Cached(8, 2)
interview.check(Cached, layers={"W_q": "query", "W_k": "key", "W_v": "value", "W_o": "output"})

# %% no_cache, part 1: it keeps nothing between calls
# asked
import torch
import torch.nn as nn

class Layer(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n = n_heads
        self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.v_proj, self.out_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (self.n, -1)).transpose(1, 2) for f in (self.q_proj, self.k_proj, self.v_proj))
        s = q @ k.mT / q.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones_like(s[0, 0]).triu(1).bool(), -torch.inf)
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).flatten(2))

# %% llama_without_a_new_text, part 1: start_pos = 0 does not begin a new text, old keys stay
# refused: old_text_remains
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.n_heads, self.hd = args.n_heads, args.dim // args.n_heads
        self.wq = nn.Linear(args.dim, args.dim, bias=False)
        self.wk = nn.Linear(args.dim, args.dim, bias=False)
        self.wv = nn.Linear(args.dim, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.dim, bias=False)
        self.k = self.v = None

    def forward(self, x, start_pos):
        B, T, D = x.shape
        q, k, v = (l(x).view(B, T, self.n_heads, self.hd).transpose(1, 2) for l in (self.wq, self.wk, self.wv))
        if self.k is not None:
            k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        self.k, self.v = k, v
        S = k.shape[2]
        s = (q @ k.mT / self.hd ** 0.5).masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
        return self.wo((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))

# %% growing_buffer, part 1: a buffer that doubles, and a count of its tokens
# taken
import torch

def mha(x, W_q, W_k, W_v, W_o, n_heads, cache=None):
    B, T, D = x.shape
    buffer, count = cache or (torch.zeros(B, 2, 2, D, dtype=x.dtype), 0)
    while buffer.shape[2] < count + T:
        buffer = torch.cat([buffer, torch.zeros_like(buffer)], dim=2)
    buffer = buffer.clone()
    buffer[:, 0, count : count + T], buffer[:, 1, count : count + T] = x @ W_k, x @ W_v
    S = count + T
    q, k, v = (t.reshape(B, -1, n_heads, D // n_heads).transpose(1, 2) for t in (x @ W_q, buffer[:, 0, :S], buffer[:, 1, :S]))
    s = (q @ k.mT / (D // n_heads) ** 0.5).masked_fill(torch.ones(T, S, dtype=torch.bool).triu(count + 1), -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ W_o, (buffer, S)
