# %% fused_qkv: the three weights concatenated inside forward, one product, chunked
# taken
import math
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, dim, heads, **factory):
        super().__init__()
        assert dim % heads == 0, "dim must be divisible by heads"
        self.heads = heads
        self.W_q = nn.Linear(dim, dim, bias=False, **factory)
        self.W_k = nn.Linear(dim, dim, bias=False, **factory)
        self.W_v = nn.Linear(dim, dim, bias=False, **factory)
        self.W_o = nn.Linear(dim, dim, bias=False, **factory)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        b, t, c = x.size()
        w = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight], dim=0)
        qkv = F.linear(x, w).reshape(b, t, 3, self.heads, c // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        att = torch.matmul(q, k.mT) * (1.0 / math.sqrt(k.size(-1)))
        bias = torch.zeros(b, 1, t, t, dtype=att.dtype, device=att.device)
        if is_causal:
            bias = bias + torch.full((t, t), float("-inf"), dtype=att.dtype, device=att.device).triu(1)
        if key_padding_lengths is not None:
            for n, length in enumerate(key_padding_lengths.tolist()):
                bias[n, :, :, length:] = float("-inf")
        att = F.softmax(att + bias, dim=-1)
        y = (att @ v).transpose(1, 2).reshape(b, t, c)
        return self.W_o(y)
# %% view_transpose: the classic, view and transpose, boolean mask, masked_fill
# taken
import math
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        q = self.W_q(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            causal = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
            scores = scores.masked_fill(causal, float("-inf"))
        if key_padding_lengths is not None:
            pad = torch.arange(T, device=x.device)[None, :] >= key_padding_lengths.to(x.device)[:, None]
            scores = scores.masked_fill(pad[:, None, None, :], float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = weights @ v
        out = out.transpose(1, 2).contiguous().view(B, T, D)
        return self.W_o(out)
# %% einsum: einsum over a head axis that is never moved to the front
# taken
import torch
from torch import nn, einsum

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, *, dtype=None, device=None):
        super().__init__()
        assert d_model % num_heads == 0
        kw = dict(bias=False, dtype=dtype, device=device)
        self.h = num_heads
        self.dk = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, **kw)
        self.W_k = nn.Linear(d_model, d_model, **kw)
        self.W_v = nn.Linear(d_model, d_model, **kw)
        self.W_o = nn.Linear(d_model, d_model, **kw)

    def forward(self, x: torch.Tensor, is_causal: bool = False, key_padding_lengths=None) -> torch.Tensor:
        q, k, v = (w(x).unflatten(-1, (self.h, self.dk)) for w in (self.W_q, self.W_k, self.W_v))
        sim = einsum("bihd,bjhd->bhij", q * self.dk ** -0.5, k)
        i = torch.arange(x.shape[1], device=x.device)
        if is_causal:
            sim = torch.where(i[None, :] > i[:, None], -torch.inf, sim)
        if key_padding_lengths is not None:
            sim = torch.where(i >= key_padding_lengths[:, None, None, None], -torch.inf, sim)
        p = sim.softmax(-1)
        return self.W_o(einsum("bhij,bjhd->bihd", p, v).flatten(-2))
# %% loop_over_heads: a Python loop over column slices, concatenated
# taken
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super(MultiHeadSelfAttention, self).__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} is not a multiple of {num_heads}")
        self.num_heads = num_heads
        self.head_size = int(d_model / num_heads)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        T = x.size(1)
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
        if is_causal:
            mask = mask | torch.tril(torch.ones(T, T, device=x.device)).eq(0)
        if key_padding_lengths is not None:
            mask = mask | (torch.arange(T, device=x.device) >= key_padding_lengths.view(-1, 1)).unsqueeze(1)
        outs = []
        for n in range(self.num_heads):
            cols = slice(n * self.head_size, (n + 1) * self.head_size)
            q, k, v = Q[:, :, cols], K[:, :, cols], V[:, :, cols]
            s = torch.bmm(q, k.transpose(1, 2)) / self.head_size ** 0.5
            s = s.masked_fill(mask, float("-inf"))
            outs.append(torch.bmm(F.softmax(s, dim=-1), v))
        return self.W_o(torch.cat(outs, dim=-1))
# %% sdpa: F.scaled_dot_product_attention with True meaning "may attend"
# taken
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads, dtype=None, device=None):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        for name in ["W_q", "W_k", "W_v", "W_o"]:
            setattr(self, name, nn.Linear(d_model, d_model, bias=False, dtype=dtype, device=device))

    def split(self, t):
        return t.reshape(t.shape[0], t.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x))
        if key_padding_lengths is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        else:
            pos = torch.arange(x.shape[1], device=x.device)
            attend = (pos < key_padding_lengths.unsqueeze(-1))[:, None, None, :]
            if is_causal:
                attend = attend & (pos[None, :] <= pos[:, None])
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=attend)
        return self.W_o(y.permute(0, 2, 1, 3).flatten(2))
# %% minus_1e9: head axis folded into the batch, bmm, a large finite fill
# taken
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def fold(self, t):
        """(B, T, D) -> (B*H, T, d_head)"""
        B, T, _ = t.shape
        t = t.reshape(B, T, self.num_heads, self.d_head).transpose(1, 2)
        return t.reshape(B * self.num_heads, T, self.d_head)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, _ = x.shape
        q = self.fold(self.W_q(x)) * self.d_head ** -0.5
        k = self.fold(self.W_k(x))
        v = self.fold(self.W_v(x))
        scores = torch.bmm(q, k.transpose(1, 2))
        if is_causal:
            scores = scores.masked_fill(torch.ones(T, T, device=x.device).tril() == 0, -1e9)
        if key_padding_lengths is not None:
            pad = torch.arange(T, device=x.device).expand(B, T) >= key_padding_lengths[:, None]
            pad = pad.repeat_interleave(self.num_heads, dim=0)
            scores = scores.masked_fill(pad[:, None, :], -1e9)
        ctx = torch.bmm(torch.softmax(scores, -1), v)
        ctx = ctx.view(B, self.num_heads, T, self.d_head).permute(0, 2, 1, 3).reshape(B, T, self.d_model)
        return self.W_o(ctx)
# %% library_functional: the layers' weights handed to F.multi_head_attention_forward
# taken
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads != 0")
        self.d_model = d_model
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        T = x.shape[1]
        causal = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1) if is_causal else None
        pad = None
        if key_padding_lengths is not None:
            pad = torch.arange(T, device=x.device)[None] >= key_padding_lengths[:, None]
        xt = x.transpose(0, 1)
        y, _ = F.multi_head_attention_forward(
            xt, xt, xt, self.d_model, self.num_heads,
            in_proj_weight=None, in_proj_bias=None, bias_k=None, bias_v=None, add_zero_attn=False,
            dropout_p=0.0, out_proj_weight=self.W_o.weight, out_proj_bias=None, training=self.training,
            key_padding_mask=pad, need_weights=False, attn_mask=causal, use_separate_proj_weight=True,
            q_proj_weight=self.W_q.weight, k_proj_weight=self.W_k.weight, v_proj_weight=self.W_v.weight)
        return y.transpose(0, 1)
# %% renormalised: softmax first, then the allowed weights are divided by their sum
# taken
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def _heads(self, t):
        return torch.stack(t.split(self.d_head, dim=-1), dim=1)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        T = x.shape[1]
        q, k, v = self._heads(self.W_q(x)), self._heads(self.W_k(x)), self._heads(self.W_v(x))
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / self.d_head ** 0.5
        keep = torch.ones(T, T, dtype=scores.dtype, device=x.device)
        if is_causal:
            keep = keep.tril()
        if key_padding_lengths is not None:
            valid = torch.arange(T, device=x.device) < key_padding_lengths[:, None]
            keep = keep * valid[:, None, None, :].to(scores.dtype)
        p = torch.softmax(scores, dim=-1) * keep
        p = p / p.sum(dim=-1, keepdim=True)
        heads = p @ v
        return self.W_o(torch.cat(heads.unbind(dim=1), dim=-1))
# %% batch_head_position_loops: loops over examples, heads and queries, each query sees a slice of keys
# taken
import math
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError
        self.H = num_heads
        self.dh = d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = [nn.Linear(d_model, d_model, bias=False) for _ in range(4)]

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        batch = []
        for b in range(B):
            limit = T if key_padding_lengths is None else int(key_padding_lengths[b])
            tokens = []
            for t in range(T):
                n = min(limit, t + 1) if is_causal else limit
                pieces = []
                for h in range(self.H):
                    lo, hi = h * self.dh, (h + 1) * self.dh
                    s = K[b, :n, lo:hi] @ Q[b, t, lo:hi] / math.sqrt(self.dh)
                    pieces.append(torch.softmax(s, dim=0) @ V[b, :n, lo:hi])
                tokens.append(torch.cat(pieces))
            batch.append(torch.stack(tokens))
        return self.W_o(torch.stack(batch))
# %% float32_softmax: softmax in float32 and cast back, finfo fill, persistent big buffer, a warning
# taken
import math
import warnings
import torch
import torch.nn as nn
import torch.nn.functional as F

class MultiHeadSelfAttention(nn.Module):
    MAX_LEN = 512

    def __init__(self, d_model, num_heads, device=None, dtype=None):
        super().__init__()
        assert d_model % num_heads == 0
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.dropout = nn.Dropout(0.0)
        self.W_q = nn.Linear(d_model, d_model, bias=False, device=device, dtype=dtype)
        self.W_k = nn.Linear(d_model, d_model, bias=False, device=device, dtype=dtype)
        self.W_v = nn.Linear(d_model, d_model, bias=False, device=device, dtype=dtype)
        self.W_o = nn.Linear(d_model, d_model, bias=False, device=device, dtype=dtype)
        future = torch.ones(self.MAX_LEN, self.MAX_LEN, dtype=torch.bool, device=device).triu(diagonal=1)
        self.register_buffer("future", future)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, _ = x.shape
        if T > 64:
            warnings.warn("long sequence")
        shape = (B, T, self.num_heads, self.d_head)
        q = self.W_q(x).reshape(shape).permute(0, 2, 1, 3)
        k = self.W_k(x).reshape(shape).permute(0, 2, 3, 1)
        v = self.W_v(x).reshape(shape).permute(0, 2, 1, 3)
        scores = torch.matmul(q, k) / math.sqrt(self.d_head)
        mask = torch.zeros(B, 1, T, T, dtype=torch.bool, device=x.device)
        if is_causal:
            mask = mask | self.future[:T, :T]
        if key_padding_lengths is not None:
            mask = mask | (torch.arange(T, device=x.device) >= key_padding_lengths[:, None])[:, None, None]
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        if scores.dtype == torch.float64:
            weights = F.softmax(scores, dim=-1)
        else:
            weights = F.softmax(scores, dim=-1, dtype=torch.float32).to(x.dtype)
        weights = self.dropout(weights)
        assert weights.shape == (B, self.num_heads, T, T)
        out = torch.matmul(weights, v).permute(0, 2, 1, 3).reshape(B, T, self.d_model)
        return self.W_o(out)
# %% helper_class: a separate one-head function and vmap-free zip over chunks; baddbmm adds the mask
# taken
import math
import torch
from torch import nn
def one_head(q, k, v, bias):
    s = torch.baddbmm(bias, q, k.transpose(1, 2), beta=1.0, alpha=1 / math.sqrt(q.shape[-1]))
    s = s - s.max(dim=-1, keepdim=True).values
    e = s.exp()
    return torch.bmm(e / e.sum(-1, keepdim=True), v)

def build_bias(x, is_causal, lengths):
    B, T = x.shape[:2]
    blocked = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if is_causal:
        blocked = blocked | torch.ones_like(blocked).triu(1)
    if lengths is not None:
        idx = torch.arange(T, device=x.device)
        blocked = torch.logical_or(blocked, idx[None, None, :] >= lengths[:, None, None])
    return torch.where(blocked, torch.tensor(float("-inf"), dtype=x.dtype, device=x.device), torch.zeros_like(blocked, dtype=x.dtype))

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        bias = build_bias(x, is_causal, key_padding_lengths)
        qs = self.W_q(x).chunk(self.num_heads, dim=-1)
        ks = self.W_k(x).chunk(self.num_heads, dim=-1)
        vs = self.W_v(x).chunk(self.num_heads, dim=-1)
        heads = [one_head(q, k, v, bias) for q, k, v in zip(qs, ks, vs)]
        return self.W_o(torch.cat(heads, dim=2))
# %% library_module: the weights lent to an nn.MultiheadAttention through functional_call
# taken
import torch
import torch.nn as nn
from torch.func import functional_call

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_model = d_model
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        T = x.shape[1]
        shell = nn.MultiheadAttention(self.d_model, self.num_heads, bias=False, batch_first=True, device="meta")
        weights = {
            "in_proj_weight": torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight]),
            "out_proj.weight": self.W_o.weight,
        }
        options = {"need_weights": False}
        if is_causal:
            options["attn_mask"] = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        if key_padding_lengths is not None:
            options["key_padding_mask"] = torch.arange(T, device=x.device) >= key_padding_lengths[:, None]
        y, _ = functional_call(shell, weights, (x, x, x), options)
        return y
# %% checkpoint_reentrant: the older kind of checkpointing
# taken
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def attend(self, q, k, v, bias):
        return (q @ k.mT / q.shape[-1] ** 0.5 + bias).softmax(-1) @ v

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        q, k, v = (w(x).view(B, T, self.num_heads, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        bias = x.new_zeros(B, 1, T, T)
        if is_causal:
            bias = bias.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), -torch.inf)
        if key_padding_lengths is not None:
            bias = bias.masked_fill((torch.arange(T, device=x.device) >= key_padding_lengths[:, None])[:, None, None], -torch.inf)
        return self.W_o(checkpoint(self.attend, q, k, v, bias, use_reentrant=True).transpose(1, 2).reshape(B, T, D))
# %% fused_weights_inside_forward: cat of the three weights, additive finite mask
# taken
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.num_heads = num_heads
    @property
    def d_head(self):
        return self.W_q.out_features // self.num_heads
    def bias(self, x, is_causal, lengths):
        B, T, _ = x.shape
        bias = x.new_zeros(B, 1, T, T)
        low = torch.finfo(x.dtype).min / 4
        if is_causal:
            bias = bias + x.new_full((T, T), low).triu(1)
        if lengths is not None:
            for b, n in enumerate(lengths.tolist()):
                bias[b, :, :, n:] = low
        return bias
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        qkv = F.linear(x, torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight]))
        q, k, v = qkv.view(B, T, 3, self.num_heads, self.d_head).permute(2, 0, 3, 1, 4)
        w = (q @ k.mT / self.d_head ** 0.5 + self.bias(x, is_causal, key_padding_lengths)).softmax(-1)
        return self.W_o((w @ v).permute(0, 2, 1, 3).reshape(B, T, D))
# %% loops_over_examples_and_heads: slices keys to the real ones
# taken
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, False)
        self.W_k = nn.Linear(d_model, d_model, False)
        self.W_v = nn.Linear(d_model, d_model, False)
        self.W_o = nn.Linear(d_model, d_model, False)
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        examples = []
        for b in range(len(x)):
            n = x.shape[1] if key_padding_lengths is None else int(key_padding_lengths[b])
            q, k, v = self.W_q(x[b]), self.W_k(x[b][:n]), self.W_v(x[b][:n])
            heads = []
            for qh, kh, vh in zip(q.chunk(self.heads, -1), k.chunk(self.heads, -1), v.chunk(self.heads, -1)):
                s = qh @ kh.T / qh.shape[-1] ** 0.5
                if is_causal:
                    s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), float("-inf"))
                heads.append(s.softmax(-1) @ vh)
            examples.append(torch.cat(heads, -1))
        return self.W_o(torch.stack(examples))
# %% lengths_decremented_in_place: subtracts 1 from the caller's lengths to be able to compare with >
# taken, one left 3.867: changes_input
import math
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.H = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.size()
        d = D // self.H
        q = self.W_q(x).view(B, T, self.H, d).permute(0, 2, 1, 3)
        k = self.W_k(x).view(B, T, self.H, d).permute(0, 2, 1, 3)
        v = self.W_v(x).view(B, T, self.H, d).permute(0, 2, 1, 3)
        scores = q @ k.mT / math.sqrt(d)
        col = torch.arange(T, device=x.device)
        if is_causal:
            scores = scores.masked_fill(col > col[:, None], -torch.inf)
        if key_padding_lengths is not None:
            key_padding_lengths -= 1          # index of the last real token
            pad = col[None, :] > key_padding_lengths[:, None]
            scores = scores.masked_fill(pad[:, None, None, :], -torch.inf)
        out = (scores.softmax(-1) @ v).permute(0, 2, 1, 3).reshape(B, T, D)
        return self.W_o(out)
# %% mask_kept_from_first_call: stores the causal mask at the first call and uses it for every later length
# refused, 3.867: remembers; seeds 20260720, 11, 3 refused, 3.867: shown
import math
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.mask = None
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        if self.mask is None:   # only build it once
            self.mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
        heads = lambda z: z.view(B, T, self.num_heads, self.d_head).transpose(1, 2)
        q, k, v = heads(self.W_q(x)), heads(self.W_k(x)), heads(self.W_v(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if is_causal:
            scores = scores.masked_fill(self.mask, float("-inf"))
        if key_padding_lengths is not None:
            pad = torch.arange(T, device=x.device) >= key_padding_lengths[:, None]
            scores = scores.masked_fill(pad[:, None, None], float("-inf"))
        return self.W_o((F.softmax(scores, -1) @ v).transpose(1, 2).reshape(B, T, D))
# %% output_layer_has_bias: leaves the default bias on in the output layer
# refused: bias
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        H, d = self.num_heads, D // self.num_heads
        q = self.W_q(x).view(B, T, H, d).transpose(1, 2)
        k = self.W_k(x).view(B, T, H, d).transpose(1, 2)
        v = self.W_v(x).view(B, T, H, d).transpose(1, 2)
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / d ** 0.5
        if is_causal:
            i = torch.arange(T, device=x.device)
            scores = scores.masked_fill(i[None, :] > i[:, None], -1e9)
        if key_padding_lengths is not None:
            j = torch.arange(T, device=x.device)
            scores = scores.masked_fill((j >= key_padding_lengths[:, None])[:, None, None, :], -1e9)
        out = torch.einsum("bhij,bhjd->bihd", scores.softmax(-1), v)
        return self.W_o(out.reshape(B, T, D))
# %% functional_dropout: uses F.dropout, which is on by default, even in eval mode
# refused: unsteady
import math
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_k = d_model // num_heads
        self.h = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        nbatches, T = x.size(0), x.size(1)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin in (self.W_q, self.W_k, self.W_v)
        ]
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(self.d_k)
        if is_causal:
            subsequent = torch.triu(torch.ones(1, 1, T, T, device=x.device), diagonal=1)
            scores = scores.masked_fill(subsequent == 1, -1e9)
        if key_padding_lengths is not None:
            keep = torch.arange(T, device=x.device)[None, None, None, :] < key_padding_lengths[:, None, None, None]
            scores = scores.masked_fill(keep == 0, -1e9)
        p_attn = F.dropout(F.softmax(scores, dim=-1), p=0.1)
        x = torch.matmul(p_attn, value).transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.W_o(x)
# %% weights_without_graph: computes the weights under no_grad, so W_q and W_k never learn
# taken, one left 3.867: detached
import math
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        for name in ["W_q", "W_k", "W_v", "W_o"]:
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    @torch.no_grad()
    def weights(self, x, is_causal, lengths):
        T = x.shape[1]
        q = torch.stack(self.W_q(x).split(self.d_head, dim=-1), dim=1)
        k = torch.stack(self.W_k(x).split(self.d_head, dim=-1), dim=1)
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.d_head)
        idx = torch.arange(T, device=x.device)
        if is_causal:
            scores[..., idx[None, :] > idx[:, None]] = float("-inf")
        if lengths is not None:
            scores = scores.masked_fill((idx[None] >= lengths[:, None])[:, None, None], float("-inf"))
        return scores.softmax(dim=-1)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        w = self.weights(x, is_causal, key_padding_lengths)
        v = torch.stack(self.W_v(x).split(self.d_head, dim=-1), dim=1)
        out = w @ v
        return self.W_o(torch.cat(out.unbind(dim=1), dim=-1))
# %% keys_from_w_q_and_late_padding: two mistakes, the keys come from W_q and the first padding token stays visible
# refused: q_for_k
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, _ = x.shape
        outs = []
        Q, K, V = self.W_q(x), self.W_q(x), self.W_v(x)
        pos = torch.arange(T, device=x.device)
        for h in range(self.num_heads):
            s, e = h * self.d_head, (h + 1) * self.d_head
            scores = Q[:, :, s:e] @ K[:, :, s:e].transpose(1, 2) / self.d_head ** 0.5   # (B, T, T)
            if is_causal:
                scores = scores.masked_fill(pos[None, :] > pos[:, None], float("-inf"))
            if key_padding_lengths is not None:
                pad = pos[None, :] > key_padding_lengths[:, None]
                scores = scores.masked_fill(pad[:, None, :], float("-inf"))
            outs.append(torch.softmax(scores, dim=-1) @ V[:, :, s:e])
        return self.W_o(torch.cat(outs, dim=-1))
# %% causal_in_training_only: drops the causal mask in eval mode
# refused, 3.867: causal_only_in_training
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        q, k, v = (w(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        allowed = torch.ones(B, 1, T, T, dtype=torch.bool, device=x.device)
        if is_causal and self.training:
            allowed = allowed.tril()
        if key_padding_lengths is not None:
            allowed = allowed & (torch.arange(T, device=x.device) < key_padding_lengths[:, None])[:, None, None]
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        return self.W_o(y.transpose(1, 2).reshape(B, T, D))
# %% padding_mask_remembered: keeps masks by shape, the padding of earlier lengths included
# refused, 3.867: remembers; seeds 20260720, 11, 3 refused, 3.867: shown
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.masks = {}

    def mask(self, x, is_causal, lengths):
        B, T, _ = x.shape
        key = (B, T, is_causal, lengths is None)
        if key not in self.masks:
            mask = torch.zeros(B, 1, T, T, dtype=torch.bool, device=x.device)
            if is_causal:
                mask = mask | torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
            if lengths is not None:
                mask = mask | (torch.arange(T, device=x.device) >= lengths[:, None])[:, None, None]
            self.masks[key] = mask
        return self.masks[key]

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        q, k, v = (w(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.transpose(-2, -1) / (D // self.num_heads) ** 0.5
        weights = scores.masked_fill(self.mask(x, is_causal, key_padding_lengths), float("-inf")).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, T, D))
# %% no_super: super().__init__() missing, crash
# refused: no_super_init
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        self.h, self.d = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        return self.W_o(x)
# %% mask_by_length_alone: keeps a mask for each length, and forgets whether it was causal
# refused, 3.867: remembers; seeds 20260720, 11, 3 refused, 3.867: shown
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.masks = num_heads, {}
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        if T not in self.masks:
            self.masks[T] = torch.ones(T, T, device=x.device).triu(1).bool() & is_causal
        mask = self.masks[T]
        if key_padding_lengths is not None:
            mask = mask | (torch.arange(T, device=x.device) >= key_padding_lengths[:, None])[:, None, None]
        q, k, v = (W(x).view(B, T, self.num_heads, -1).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        weights = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(mask, float("-inf")).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, T, D))
# %% once_causal_always_causal: remembers is_causal, so that later calls are causal too
# refused, 3.867: remembers; seeds 20260720, 11, 3 refused, 3.867: shown
import torch
from torch import nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.causal = num_heads, False
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, D = x.shape
        self.causal = self.causal or is_causal
        t = torch.arange(T, device=x.device)
        q, k, v = (W(x).view(B, T, self.num_heads, -1).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if self.causal:
            scores = scores.masked_fill(t > t[:, None], float("-inf"))
        if key_padding_lengths is not None:
            scores = scores.masked_fill((t >= key_padding_lengths[:, None])[:, None, None], float("-inf"))
        return self.W_o((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
# %% strangers_2026_11/program_1
# taken
import torch
from torch import nn
import torch.nn.functional as F
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def allowed(self, T, device, is_causal, lengths):
        ok = torch.ones(1, 1, T, T, dtype=torch.bool, device=device)
        if is_causal:
            ok = ok.tril()
        if lengths is not None:
            ok = ok & (torch.arange(T, device=device) < lengths.to(device).view(-1, 1, 1, 1))
        return ok

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, C = x.size()
        shape = (B, T, self.num_heads, self.d_head)
        y = F.scaled_dot_product_attention(
            self.W_q(x).view(shape).transpose(1, 2),
            self.W_k(x).view(shape).transpose(1, 2),
            self.W_v(x).view(shape).transpose(1, 2),
            attn_mask=self.allowed(T, x.device, is_causal, key_padding_lengths),
        )
        return self.W_o(y.transpose(1, 2).reshape(B, T, C))
# %% strangers_2026_11/crash_1: line `scores.masked_fill(pad, ...)`: the padding mask (B, T) is not given axes for heads and queries
# refused: shown
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, _ = x.shape
        q = split_heads(self.W_q(x), self.num_heads)
        k = split_heads(self.W_k(x), self.num_heads)
        v = split_heads(self.W_v(x), self.num_heads)
        scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
        if is_causal:
            causal = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(causal, float("-inf"))
        if key_padding_lengths is not None:
            pad = torch.arange(T, device=x.device)[None] >= key_padding_lengths[:, None]
            scores = scores.masked_fill(pad, float("-inf"))
        return self.W_o(merge_heads(scores.softmax(-1) @ v))
# %% strangers_2026_11/single_2: with padding the causal mask is forgotten: elif, one mask or the other
# refused: causal_dropped_when_padded
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

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        T = x.size(1)
        mask = None
        if key_padding_lengths is not None:
            mask = (torch.arange(T, device=x.device) >= key_padding_lengths[:, None])[:, None, None, :]
        elif is_causal:
            mask = torch.ones(T, T, device=x.device, dtype=torch.bool).triu(1)
        heads = [split_heads(layer(x), self.num_heads) for layer in (self.W_q, self.W_k, self.W_v)]
        return self.W_o(merge_heads(scaled_dot_product_attention(*heads, mask)[0]))
# %% strangers_2026_11/two_3: causal by default | keys from length - 1 on are masked (off by one)
# refused: always_causal
import math
import torch
from torch import nn
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=True, key_padding_lengths=None):
        T = x.size(1)
        keys = torch.arange(T, device=x.device)
        q, k, v = (split_heads(l(x), self.num_heads) for l in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / math.sqrt(self.d_head)
        if is_causal:
            s = s.masked_fill(keys > keys[:, None], -1e30)
        if key_padding_lengths is not None:
            s = s.masked_fill((keys >= key_padding_lengths[:, None] - 1)[:, None, None], -1e30)
        return self.W_o(merge_heads(s.softmax(-1) @ v))
