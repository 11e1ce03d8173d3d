"""Programs for the interview topic mha. tests/course_utils/interview/test_programs.py explains the format."""

# %% nanogpt, part 3: a config, one fused projection, dropout
# taken
import math
import torch
from torch import nn
import torch.nn.functional as F

class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.n_head, self.n_embd = config.n_head, config.n_embd
        self.drop = nn.Dropout(config.dropout)
        self.register_buffer("bias", torch.tril(torch.ones(config.block_size, config.block_size))[None, None])

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        y = self.drop(F.softmax(att, dim=-1)) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))

interview.check(CausalSelfAttention, layers={"W_q W_k W_v": "c_attn", "W_o": "c_proj"})

# %% time_first, part 1: right
# taken
import torch
from torch import nn

class Wrapper(nn.Module):
    def __init__(self, d_model, n_heads, causal=False):
        super().__init__()
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model)
        self.heads = n_heads

    def forward(self, x):
        b, t, k = x.size()
        h = self.heads
        s = k // h
        keys = self.k_proj(x).view(b, t, h, s).transpose(1, 2).contiguous().view(b * h, t, s)
        queries = self.q_proj(x).view(b, t, h, s).transpose(1, 2).contiguous().view(b * h, t, s)
        values = self.v_proj(x).view(b, t, h, s).transpose(1, 2).contiguous().view(b * h, t, s)
        dot = torch.bmm(queries / s ** 0.25, keys.transpose(1, 2) / s ** 0.25)
        out = torch.bmm(dot.softmax(dim=2), values).view(b, h, t, s)
        return self.out_proj(out.transpose(1, 2).contiguous().view(b, t, s * h))

interview.check(lambda d_model, n_heads: Wrapper(d_model, n_heads, causal=False), layers={"W_q": "q_proj", "W_k": "k_proj", "W_v": "v_proj", "W_o": "out_proj"})

# %% two_step_kv, part 1: right
# taken
import torch
from torch import nn

class CrossOrSelf(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.to_out = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.0))

    def forward(self, x, context=None):
        context = x if context is None else context
        q = self.to_q(x)
        k, v = self.to_kv(context).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for t in (q, k, v))
        att = torch.softmax(torch.einsum("bhid,bhjd->bhij", q, k) * q.size(-1) ** -0.5, dim=-1)
        return self.to_out(torch.einsum("bhij,bhjd->bhid", att, v).transpose(1, 2).flatten(2))

interview.check(lambda d_model, n_heads: CrossOrSelf(dim=d_model, num_heads=n_heads), layers={"W_q": "to_q", "W_k W_v": "to_kv", "W_o": "to_out.0"})

# %% dropout_switched, part 1: dropout that is off in eval mode
# taken
from torch import nn
import torch.nn.functional as F

class Attn(nn.Module):
    def __init__(self, dim, heads, attn_pdrop=0.2):
        super().__init__()
        self.heads, self.p = heads, attn_pdrop
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, D // self.heads).permute(2, 0, 3, 1, 4)
        w = F.dropout((q @ k.mT * (D // self.heads) ** -0.5).softmax(-1), self.p, self.training)
        return self.proj((w @ v).transpose(1, 2).flatten(2))

interview.check(lambda d_model, n_heads: Attn(dim=d_model, heads=n_heads), layers={"W_q W_k W_v": "qkv", "W_o": "proj"})

# %% mask_of_its_own_kind, part 1: an optional mask as a list of lengths per head, never needed
# taken
from torch import nn

class Layer(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, block_mask=None):
        B, T, D = x.shape
        q, k, v = (f(x).view(B, T, self.h, -1).transpose(1, 2) for f in (self.q_proj, self.k_proj, self.v_proj))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if block_mask is not None:
            s = block_mask.apply_to(s)
        return self.out_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))

interview.check(Layer, layers={"W_q": "q_proj", "W_k": "k_proj", "W_v": "v_proj", "W_o": "out_proj"})

# %% in_float32_with_a_mask_of_ten_thousand, part 3: right
# taken
import numpy as np

def attention(x, W_q, W_k, W_v, W_o, n_heads):
    x, W_q, W_k, W_v, W_o = (one.astype(np.float32) for one in (x, W_q, W_k, W_v, W_o))
    B, T, D = x.shape
    heads = lambda w: (x @ w).reshape(B, T, n_heads, -1).transpose(0, 2, 1, 3)
    s = heads(W_q) @ heads(W_k).swapaxes(-1, -2) / np.sqrt(D // n_heads)
    s = np.where(np.tri(T, dtype=bool), s, np.float32(-1e4))
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ heads(W_v)).transpose(0, 2, 1, 3).reshape(B, T, D) @ W_o

# %% mha_01_a, part 1: fused qkv nn.Linear, always causal with optional keep mask for padding
# taken
import math
import torch
from torch import nn

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, n_heads, causal=True):
        super().__init__()
        assert d_model % n_heads == 0
        self.h = n_heads
        self.dk = d_model // n_heads
        self.causal = causal
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, pad_mask=None):
        B, T, D = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(B, T, self.h, self.dk).transpose(1, 2)
        k = k.view(B, T, self.h, self.dk).transpose(1, 2)
        v = v.view(B, T, self.h, self.dk).transpose(1, 2)
        s = q @ k.transpose(-2, -1) / math.sqrt(self.dk)
        if self.causal:
            m = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
            s = s.masked_fill(m, float("-inf"))
        if pad_mask is not None:
            s = s.masked_fill(~pad_mask[:, None, None, :], torch.finfo(s.dtype).min)
        a = s.softmax(-1)
        y = (a @ v).transpose(1, 2).reshape(B, T, D)
        return self.proj(y)

interview.check(lambda d_model, n_heads: MultiHeadSelfAttention(d_model=d_model, n_heads=n_heads, causal=False), layers={"W_q W_k W_v": "qkv", "W_o": "proj"})

# %% mha_01_b, part 1: right
# taken
import math
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0, "d_model must be divisible by num_heads"
        self.d_model = d_model
        self.num_heads = n_heads
        self.d_k = d_model // n_heads

        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def split_heads(self, x):
        batch_size, seq_length, _ = x.size()
        return x.view(batch_size, seq_length, self.num_heads, self.d_k).transpose(1, 2)

    def combine_heads(self, x):
        batch_size, _, seq_length, _ = x.size()
        return x.transpose(1, 2).contiguous().view(batch_size, seq_length, self.d_model)

    def forward(self, x, mask=None):
        Q = self.split_heads(self.q_proj(x))
        K = self.split_heads(self.k_proj(x))
        V = self.split_heads(self.v_proj(x))

        attn_scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            attn_scores = attn_scores.masked_fill(mask == 0, -1e9)
        attn_probs = torch.softmax(attn_scores, dim=-1)
        return self.out_proj(self.combine_heads(torch.matmul(attn_probs, V)))

interview.check(MultiHeadAttention, layers={"W_q": "q_proj", "W_k": "k_proj", "W_v": "v_proj", "W_o": "out_proj"})

# %% output_first, part 1: input added
# refused: input_added
def f(x, W_q, W_k, W_v, W_o, n_heads):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, n_heads, -1).transpose(1, 2) for w in (W_q, W_k, W_v))
    return x + ((q @ k.mT / (D // n_heads) ** 0.5).softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ W_o

# %% overflowing, part 1: exp without the maximum, in torch
# refused: global_max
import torch

def f(x, W_q, W_k, W_v, W_o, n_heads):
    B, T, D = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_heads, -1).transpose(1, 2) for w in (W_q, W_k, W_v))
    e = torch.exp(q @ k.mT / (D // n_heads) ** 0.5)
    return ((e / e.sum(-1, keepdim=True)) @ v).transpose(1, 2).reshape(B, T, D) @ W_o

# %% naive_softmax_and_no_scale, part 1: not scaled
# refused: not_scaled
import numpy as np

def attention(x, W_q, W_k, W_v, W_o, n_heads):
    B, T, D = x.shape
    heads = lambda w: (x @ w).reshape(B, T, n_heads, -1).transpose(0, 2, 1, 3)
    e = np.exp(heads(W_q) @ heads(W_k).swapaxes(-1, -2))
    return (e / e.sum(-1, keepdims=True) @ heads(W_v)).transpose(0, 2, 1, 3).reshape(B, T, D) @ W_o

# %% naive_softmax_in_numpy, part 1: unstable
# refused: unstable
import numpy as np

def attention(x, W_q, W_k, W_v, W_o, n_heads):
    B, T, D = x.shape
    heads = lambda w: (x @ w).reshape(B, T, n_heads, -1).transpose(0, 2, 1, 3)
    q, k, v = heads(W_q), heads(W_k), heads(W_v)
    e = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(D // n_heads))
    return (e / e.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(B, T, D) @ W_o

# %% keys_not_projected, part 1: v not projected
# refused: v_not_projected
from torch import nn

class Attn(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(x), x))
        return self.out_proj(((q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))

# %% scale_without_root, part 1: scale d head no root
# refused: scale_d_head_no_root
from torch import nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.h, self.d).transpose(1, 2) for w in (self.q_proj, self.k_proj, self.v_proj))
        s = q @ k.transpose(-2, -1) / self.d
        o = s.softmax(-1) @ v
        return self.out_proj(o.transpose(1, 2).reshape(B, T, D))

# %% by_the_stub, part 1: right
# taken
import math

import torch
import torch.nn as nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, D = x.shape
        q = self.q_proj(x).view(B, T, self.n_heads, self.d_head).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.n_heads, self.d_head).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_heads, self.d_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(self.d_head)
        y = torch.softmax(att, dim=-1) @ v
        return self.out_proj(y.transpose(1, 2).contiguous().view(B, T, D))

# %% einsum_function, part 1: right
# taken
import torch

def mha(x, W_q, W_k, W_v, W_o, n_heads):
    q, k, v = (torch.stack((x @ w).chunk(n_heads, -1)) for w in (W_q, W_k, W_v))
    w = torch.einsum("hbtd,hbsd->hbts", q, k).div(q.shape[-1] ** 0.5).softmax(-1)
    return torch.cat(list(torch.einsum("hbts,hbsd->hbtd", w, v)), -1) @ W_o

# %% padded, part 5: right
# taken
import numpy as np

def mha(x, W_q, W_k, W_v, W_o, n_heads, lengths):
    B, T, D = x.shape
    q, k, v = (np.reshape(x @ W, (B, T, n_heads, -1)).transpose(0, 2, 1, 3) for W in (W_q, W_k, W_v))
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(D // n_heads)
    hidden = np.triu(np.ones((T, T), bool), 1) | (np.arange(T) >= lengths[:, None])[:, None, None]
    s = np.where(hidden, -1e9, s)
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return (w @ v).transpose(0, 2, 1, 3).reshape(B, T, D) @ W_o

# %% grouped, part 7: right
# taken
import torch

def gqa(x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads):
    B, T, D = x.shape
    d, g = D // n_heads, n_heads // n_kv_heads
    q = (x @ W_q).view(B, T, n_kv_heads, g, d)
    k, v = ((x @ W).view(B, T, n_kv_heads, d) for W in (W_k, W_v))
    s = torch.einsum("btkgd,bskd->bkgts", q, k) / d**0.5
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -torch.inf)
    return torch.einsum("bkgts,bskd->btkgd", s.softmax(-1), v).reshape(B, T, D) @ W_o

# %% only_attention, part 1: scaled dot-product attention without projections or heads
# asked
import math

import torch

def attention(q, k, v):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=-1)
    return weights @ v

# %% a_flag_for_the_mask, part 3: asked about the flag
# asked
import torch
import torch.nn as nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads, causal=False):
        super().__init__()
        self.h, self.causal = n_heads, causal
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if self.causal:
            s = s.masked_fill(torch.ones_like(s[0, 0]).triu(1).bool(), -torch.inf)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))

# %% the_flag_by_the_line, part 3: the printed line, with its dots filled in
# taken
import torch
import torch.nn as nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads, causal):
        super().__init__()
        self.h, self.causal = n_heads, causal
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if self.causal:
            s = s.masked_fill(torch.ones_like(s[0, 0]).triu(1).bool(), -torch.inf)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))

layers = {"W_q": "q", "W_k": "k", "W_v": "v", "W_o": "o"}
interview.check(lambda d_model, n_heads: Attention(d_model, n_heads, True), layers=layers)

# %% the_flag_off, part 3: the line with the flag off
# refused: mask_ignored
import torch
import torch.nn as nn

class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.mT / q.shape[-1] ** 0.5
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))

interview.check(Attention, layers={"W_q": "q", "W_k": "k", "W_v": "v", "W_o": "o"})

# %% a_list_of_heads, part 3: loaded by a function
# taken
import torch
import torch.nn as nn

class Head(nn.Module):
    def __init__(self, d_model, size):
        super().__init__()
        self.key, self.query, self.value = (nn.Linear(d_model, size, bias=False) for _ in range(3))

    def forward(self, x):
        k, q, v = self.key(x), self.query(x), self.value(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(torch.tril(torch.ones_like(wei)) == 0, float("-inf"))
        return torch.softmax(wei, dim=-1) @ v

class MultiHead(nn.Module):
    def __init__(self, num_heads, n_embd):
        super().__init__()
        self.heads = nn.ModuleList([Head(n_embd, n_embd // num_heads) for _ in range(num_heads)])
        self.proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([h(x) for h in self.heads], dim=-1))

def load(layer, W):
    for name, weight in (("query", W["W_q"]), ("key", W["W_k"]), ("value", W["W_v"])):
        for head, part in zip(layer.heads, weight.chunk(len(layer.heads), 1)):
            getattr(head, name).weight.copy_(part.T)
    layer.proj.weight.copy_(W["W_o"].T)

interview.check(lambda d_model, n_heads: MultiHead(n_heads, d_model), load=load)

# %% mha_02_b, part 3: nanoGPT with its buffer, its dropout and a dataclass
# taken
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

@dataclass
class Config:
    n_embd: int = 64
    n_head: int = 4
    block_size: int = 128
    dropout: float = 0.0
    bias: bool = False

class CausalSelfAttention(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.attn_dropout = nn.Dropout(config.dropout)
        self.resid_dropout = nn.Dropout(config.dropout)
        self.n_head = config.n_head
        self.n_embd = config.n_embd
        self.register_buffer(
            "bias",
            torch.tril(torch.ones(config.block_size, config.block_size)).view(
                1, 1, config.block_size, config.block_size
            ),
        )

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)  # (B, nh, T, hs)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)

        att = (q @ k.transpose(-2, -1)) * (k.size(-1) ** -0.5)
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        att = self.attn_dropout(att)
        y = att @ v                                                      # (B, nh, T, hs)
        y = y.transpose(1, 2).reshape(B, T, C)
        return self.resid_dropout(self.c_proj(y))

# %% cache_of_x, part 6: the cache keeps x, keys and values are computed again each time
# refused: cache_of_other_size
import torch

def mha(x, W_q, W_k, W_v, W_o, n_heads, cache=None):
    B, T, D = x.shape
    full = x if cache is None else torch.cat([cache, x], 1)
    S = full.shape[1]
    q = (x @ W_q).view(B, T, n_heads, -1).transpose(1, 2)
    k = (full @ W_k).view(B, S, n_heads, -1).transpose(1, 2)
    v = (full @ W_v).view(B, S, n_heads, -1).transpose(1, 2)
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ W_o, full

# %% cache_first, part 6: returns (k, v), y
# refused: order_of_results
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, cache=None):
        B, T, D = x.shape
        q, k, v = (l(x).view(B, T, self.n_heads, -1).transpose(1, 2) for l in (self.q_proj, self.k_proj, self.v_proj))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(torch.ones(T, S).triu(S - T + 1).bool(), -torch.inf)
        return (k, v), self.out_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
