"""Wrong answers to the topic cached_mha."""

# %% top_left
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% top_left_finite
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(1).bool(), -1e9)
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% new_first
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([k, cache[0]], 2), torch.cat([v, cache[1]], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% no_mask
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% cache_not_used
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% cache_never_grows
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v) if cache is None else cache


# %% only_the_new_kept
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        new = k, v
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), new


# %% own_key_masked
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T).bool(), -1e9)
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% one_ahead
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 2).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% no_scale
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% scale_of_D
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(D)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% only_keys_kept
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k = torch.cat([cache[0], k], 2)
            v = torch.cat([v] * (k.shape[2] // v.shape[2]) + [v[:, :, : k.shape[2] % v.shape[2]]], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% k_and_v_exchanged
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (v, k)


# %% filled_with_zero
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), 0.0)
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% view_alone
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, self.h, T, self.d) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% merge_alone
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% no_output
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return o, (k, v)


# %% along_the_heads
import math
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
        S = k.shape[2]
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), float('-inf'))
        o = (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        return self.wo(o), (k, v)


# %% step_without_itself: the new key comes into the cache after it was needed
import numpy as np

class Decoder:
    def __init__(self, d_model, n_heads):
        self.n = n_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (np.random.randn(d_model, d_model) for _ in range(4))
        self.keys, self.values = [], []

    def step(self, x):
        keys, values = (self.keys or [x @ self.Wk]), (self.values or [x @ self.Wv])
        q = (x @ self.Wq).reshape(self.n, -1)
        K = np.stack(keys).reshape(len(keys), self.n, -1)
        V = np.stack(values).reshape(len(values), self.n, -1)
        self.keys, self.values = self.keys + [x @ self.Wk], self.values + [x @ self.Wv]
        s = np.einsum("hd,thd->ht", q, K) / np.sqrt(q.shape[-1])
        p = np.exp(s - s.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        return np.einsum("ht,thd->hd", p, V).reshape(-1) @ self.Wo

# %% cache_of_scores
import torch
from torch import nn

class M(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.cache = None

    def forward(self, x):
        B, T, D = x.shape
        s = lambda t: t.view(B, -1, self.h, D // self.h).transpose(1, 2)
        k, v = self.k(x), self.v(x)
        if self.cache is not None:
            k, v = torch.cat([self.cache[0], k], 1), torch.cat([v, self.cache[1]], 1)
        self.cache = (k, v)
        a = s(self.q(x)) @ s(k).mT / (D // self.h) ** 0.5
        a = a.masked_fill(torch.ones(T, k.shape[1]).triu(k.shape[1] - T + 1).bool(), -torch.inf)
        return self.o((a.softmax(-1) @ s(v)).transpose(1, 2).reshape(B, T, D))

# %% shared_between_calls_wrong_start
import torch
from torch import nn

class M(nn.Module):
    def __init__(self, dim, n_heads, max_seq_len=32):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))
        self.K = torch.zeros(8, max_seq_len, dim)
        self.V = torch.zeros(8, max_seq_len, dim)

    def forward(self, x, start_pos):
        B, T, D = x.shape
        s = lambda t: t.reshape(B, -1, self.h, D // self.h).transpose(1, 2)
        self.K[:B, start_pos:start_pos + T], self.V[:B, start_pos:start_pos + T] = self.k(x), self.v(x)
        k, v = self.K[:B], self.V[:B]
        a = s(self.q(x)) @ s(k).mT / (D // self.h) ** 0.5
        return self.o((a.softmax(-1) @ s(v)).transpose(1, 2).reshape(B, T, D))

# %% w8
import torch
from torch import nn

class M(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))
        self.kc, self.vc = None, None

    def forward(self, x):
        B, T, D = x.shape
        sp = lambda t: t.view(B, -1, self.h, D // self.h).transpose(1, 2)
        k, v = self.k(x), self.v(x)
        if self.kc is not None:
            k, v = torch.cat([self.kc, k], 1), torch.cat([self.vc, v], 1)
        self.kc, self.vc = k, v
        w = (sp(self.q(x)) @ sp(k).mT).softmax(-1) / (D // self.h) ** 0.5
        return self.o((w @ sp(v)).transpose(1, 2).reshape(B, T, D))

# %% w9
import torch
from torch import nn

class M(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))

    def forward(self, x, kv=None):
        B, T, D = x.shape
        sp = lambda t: t.view(B, -1, self.h, D // self.h).transpose(1, 2)
        k, v = self.k(x), self.v(x)
        old = kv
        if kv is not None:
            k, v = torch.cat([kv[0], k], 1), torch.cat([kv[1], v], 1)
        S = k.shape[1]
        w = sp(self.q(x)) @ sp(k).mT / (D // self.h) ** 0.5
        m = torch.zeros(T, S).bool()
        m[:, S - T:] = torch.ones(T, T).triu(0).bool()
        m[:, : S - T] = False
        w = w.masked_fill(m, -1e9).softmax(-1)
        return self.o((w @ sp(v)).transpose(1, 2).reshape(B, T, D)), (k, v)

# %% keys_for_values
import torch
from torch import nn

class C(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.past = None

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        K, V = (k, v) if self.past is None else (torch.cat([self.past[0], k], 2), torch.cat([self.past[1], v], 2))
        self.past = (K, K)
        S = K.shape[2]
        s = (q @ K.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
        return self.out((s.softmax(-1) @ V).transpose(1, 2).reshape(B, T, D))

# %% scaled_once_more
import torch

def attn(x, wq, wk, wv, wo, n_heads, kv_cache=None):
    B, T, D = x.shape
    d = D // n_heads
    q, k, v = ((x @ w).view(B, T, n_heads, d).transpose(1, 2) for w in (wq, wk, wv))
    if kv_cache is not None:
        k, v = torch.cat([kv_cache[0], k], 2), torch.cat([kv_cache[1], v], 2)
    k = k / d**0.5
    S = k.shape[2]
    s = (q @ k.mT).masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ wo, (k, v)

# %% empty_for_one
import torch
from torch import nn

class S(nn.Module):
    def __init__(self, dim, heads, max_len=32):
        super().__init__()
        self.h, self.max_len, self.n = heads, max_len, 0
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        if self.n == 0:
            self.k, self.v = (torch.zeros(B, self.h, self.max_len, D // self.h) for _ in range(2))
        self.k[:, :, self.n:self.n + T], self.v[:, :, self.n:self.n + T] = k, v
        s = q @ self.k.mT / (D // self.h) ** 0.5
        if T > 1:
            s = s.masked_fill(torch.arange(self.max_len)[None] > self.n + torch.arange(T)[:, None], -torch.inf)
        self.n += T
        return self.out((s.softmax(-1) @ self.v).transpose(1, 2).reshape(B, T, D))

# %% shared_by_methods
import numpy as np

class M:
    def __init__(self, Wq, Wk, Wv, Wo, heads):
        self.W, self.h = (Wq, Wk, Wv, Wo), heads

    def step(self, x, cache={}):
        Wq, Wk, Wv, Wo = self.W
        cache.setdefault("k", []).append(x @ Wk)
        cache.setdefault("v", []).append(x @ Wv)
        K, V, q = np.array(cache["k"]), np.array(cache["v"]), x @ Wq
        d, out = len(x) // self.h, []
        for h in range(self.h):
            c = slice(h * d, h * d + d)
            s = K[:, c] @ q[c] / np.sqrt(d)
            w = np.exp(s - s.max())
            out.append(w / w.sum() @ V[:, c])
        return np.concatenate(out) @ Wo

# %% values_in_front
import numpy as np

class V:
    def __init__(self, weights, n_heads):
        self.wq, self.wk, self.wv, self.wo = weights
        self.h, self.k, self.v = n_heads, None, None

    def __call__(self, x):
        q, k, v = x @ self.wq, x @ self.wk, x @ self.wv
        self.k = k if self.k is None else np.concatenate([self.k, k])
        self.v = v if self.v is None else np.concatenate([v, self.v])
        d, out = x.shape[1] // self.h, []
        for h in range(self.h):
            c = slice(h * d, h * d + d)
            s = q[:, c] @ self.k[:, c].T / d**0.5
            w = np.exp(s - s.max(-1, keepdims=True))
            out.append(w / w.sum(-1, keepdims=True) @ self.v[:, c])
        return np.concatenate(out, 1) @ self.wo

# %% mask_off_later
import torch
from torch import nn

class L(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, past_kv=None):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        n = 0 if past_kv is None else past_kv[0].shape[2]
        if n:
            k, v = torch.cat([past_kv[0], k], 2), torch.cat([past_kv[1], v], 2)
        rows = torch.arange(T)[:, None] + max(n - 1, 0)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.arange(n + T)[None] > rows, -torch.inf)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), (k, v)

# %% first_call_lost
import torch
from torch import nn

class F(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h, self.seen, self.k, self.v = heads, False, None, None
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        if self.k is not None:
            k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        if self.seen:
            self.k, self.v = k, v
        self.seen = True
        S = k.shape[2]
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))

# %% positions_one_less: the mask is one off with a cache
import torch
from torch import nn

class Attn(nn.Module):
    def __init__(self, d_model, n_heads, max_len=64, max_batch=8):
        super().__init__()
        self.h, self.hd = n_heads, d_model // n_heads
        self.wqkv, self.wo = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.k_cache = torch.zeros(max_batch, n_heads, max_len, self.hd)
        self.v_cache = torch.zeros(max_batch, n_heads, max_len, self.hd)

    def forward(self, x, input_pos):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, self.hd).transpose(1, 2) for t in self.wqkv(x).chunk(3, -1))
        self.k_cache[:B, :, input_pos], self.v_cache[:B, :, input_pos] = k.detach(), v.detach()
        n = int(input_pos[-1]) + 1
        open_ = torch.ones(T, n, dtype=torch.bool).tril(n - T - 1 if n > T else 0)
        s = (q @ self.k_cache[:B, :, :n].mT / self.hd ** 0.5).masked_fill(~open_, float("-inf"))
        return self.wo((s.softmax(-1) @ self.v_cache[:B, :, :n]).transpose(1, 2).flatten(2))

# %% raises_for_several: the mask of one row
import torch
from torch import nn

class Attn(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        split = lambda t: t.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        s = q @ k.mT / q.size(-1) ** 0.5
        if T > 1:
            s = s + torch.full((T, T + 1), -torch.inf).triu(1)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2)), (k, v)

# %% whole_static_cache: input_pos, and the empty places are seen
import torch
from torch import nn

class Attn(nn.Module):
    def __init__(self, d_model, n_heads, max_len=64, max_batch=8):
        super().__init__()
        self.h, self.hd = n_heads, d_model // n_heads
        self.wqkv, self.wo = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.k_cache = torch.zeros(max_batch, n_heads, max_len, self.hd)
        self.v_cache = torch.zeros(max_batch, n_heads, max_len, self.hd)

    def forward(self, x, input_pos):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, self.hd).transpose(1, 2) for t in self.wqkv(x).chunk(3, -1))
        self.k_cache[:B, :, input_pos], self.v_cache[:B, :, input_pos] = k.detach(), v.detach()
        s = q @ self.k_cache[:B].mT / self.hd ** 0.5
        return self.wo((s.softmax(-1) @ self.v_cache[:B]).transpose(1, 2).flatten(2))

# %% naive_in_numpy: no maximum subtracted, float64
import numpy as np

class Cached:
    def __init__(self, d_model, n_heads):
        self.h = n_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (np.random.randn(d_model, d_model) / d_model**0.5 for _ in range(4))
        self.k = self.v = None

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (np.swapaxes((x @ w).reshape(B, T, self.h, -1), 1, 2) for w in (self.Wq, self.Wk, self.Wv))
        if self.k is not None:
            k, v = np.concatenate([self.k, k], 2), np.concatenate([self.v, v], 2)
        self.k, self.v = k, v
        S = k.shape[2]
        s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
        s = np.where(np.arange(S) > np.arange(S - T, S)[:, None], -np.inf, s)
        e = np.exp(s)
        return np.swapaxes(e / e.sum(-1, keepdims=True) @ v, 1, 2).reshape(B, T, D) @ self.Wo
