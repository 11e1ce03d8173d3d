# %% view_transpose: the classic
# taken
import math
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        if embedding_dim % num_heads != 0:
            raise ValueError("embedding_dim must be divisible by num_heads")
        self.embedding_dim = embedding_dim
        self.num_heads = num_heads
        self.head_dim = embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        B, T, _ = x.shape
        return x.view(B, T, self.num_heads, self.head_dim).transpose(1, 2)

    def _merge_heads(self, x):
        B, H, T, d = x.shape
        return x.transpose(1, 2).contiguous().view(B, T, H * d)

    def forward(self, x):
        T = x.shape[1]
        q = self._split_heads(self.W_q(x))
        k = self._split_heads(self.W_k(x))
        v = self._split_heads(self.W_v(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
        scores = scores.masked_fill(mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        return self.W_o(self._merge_heads(weights @ v))
# %% growing_buffer: a tril buffer that grows with the longest sequence seen
# taken
import torch
from torch import nn
import torch.nn.functional as F
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head, dtype=None, device=None):
        super().__init__()
        assert n_embd % n_head == 0
        self.n_head = n_head
        self.W_q = nn.Linear(n_embd, n_embd, bias=False, dtype=dtype, device=device)
        self.W_k = nn.Linear(n_embd, n_embd, bias=False, dtype=dtype, device=device)
        self.W_v = nn.Linear(n_embd, n_embd, bias=False, dtype=dtype, device=device)
        self.W_o = nn.Linear(n_embd, n_embd, bias=False, dtype=dtype, device=device)
        self.register_buffer("tril", torch.tril(torch.ones(16, 16, device=device)))

    def _split_heads(self, x):
        return x.reshape(x.size(0), x.size(1), self.n_head, -1).permute(0, 2, 1, 3)

    def _merge_heads(self, x):
        return x.permute(0, 2, 1, 3).flatten(2)

    def forward(self, x):
        B, T, C = x.shape
        if self.tril.size(0) < T:
            self.tril = torch.tril(torch.ones(T, T, device=x.device))
        q, k, v = map(self._split_heads, (self.W_q(x), self.W_k(x), self.W_v(x)))
        wei = q @ k.transpose(-2, -1) * (C // self.n_head) ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = F.softmax(wei, dim=-1)
        return self.W_o(self._merge_heads(wei @ v))
# %% einsum: einsum with a where mask
# taken
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads, **kw):
        super().__init__()
        assert embedding_dim % num_heads == 0
        self.num_heads, self.scale = num_heads, (embedding_dim // num_heads) ** -0.5
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False, **kw)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False, **kw)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False, **kw)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False, **kw)

    def _split_heads(self, x):
        return torch.einsum("bthd->bhtd", x.reshape(*x.shape[:2], self.num_heads, -1))

    def _merge_heads(self, x):
        return torch.einsum("bhtd->bthd", x).reshape(x.shape[0], x.shape[2], -1)

    def forward(self, x):
        i = torch.arange(x.shape[1], device=x.device)
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        sim = torch.einsum("bhid,bhjd->bhij", self.scale * q, k)
        sim = torch.where(i[None] > i[:, None], -torch.inf, sim)
        return self.W_o(self._merge_heads(torch.einsum("bhij,bhjd->bhid", sim.softmax(-1), v)))
# %% loop_over_heads: heads as slices in a loop, -1e9 fill
# taken
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super(CausalMultiHeadSelfAttention, self).__init__()
        if embedding_dim % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.d = embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        return torch.stack([x[..., h * self.d:(h + 1) * self.d] for h in range(self.num_heads)], dim=1)

    def _merge_heads(self, x):
        return torch.cat([x[:, h] for h in range(self.num_heads)], dim=-1)

    def _mask(self, T, device):
        m = torch.zeros(T, T, dtype=torch.bool, device=device)
        for i in range(T):
            m[i, i + 1:] = True
        return m

    def forward(self, x):
        Q, K, V = [self._split_heads(f(x)) for f in (self.W_q, self.W_k, self.W_v)]
        hidden = self._mask(x.shape[1], x.device)
        outs = []
        for h in range(self.num_heads):
            s = torch.bmm(Q[:, h], K[:, h].transpose(1, 2)) / (self.d ** 0.5)
            s = s.masked_fill(hidden, -1e9)
            outs.append(torch.bmm(torch.softmax(s, dim=-1), V[:, h]))
        return self.W_o(self._merge_heads(torch.stack(outs, dim=1)))
# %% fused_qkv_additive: weights stacked, one linear, minus infinity added, softmax by hand
# taken
import math
import torch
from torch import nn
import torch.nn.functional as F
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads, device=None, dtype=None):
        super().__init__()
        if embedding_dim % num_heads != 0:
            raise ValueError("embedding_dim % num_heads must be 0")
        make = lambda: nn.Linear(embedding_dim, embedding_dim, bias=False, device=device, dtype=dtype)
        self.W_q, self.W_k, self.W_v, self.W_o = make(), make(), make(), make()
        self.num_heads = num_heads

    def _split_heads(self, x):
        return torch.stack(x.chunk(self.num_heads, dim=2), 1)

    def _merge_heads(self, x):
        return torch.cat(x.unbind(1), 2)

    def forward(self, x):
        w = torch.cat((self.W_q.weight, self.W_k.weight, self.W_v.weight), 0)
        q, k, v = [self._split_heads(t) for t in F.linear(x, w).chunk(3, dim=-1)]
        s = q.matmul(k.mT) / math.sqrt(q.size(-1))
        t = x.size(1)
        s = s + nn.Transformer.generate_square_subsequent_mask(t, device=x.device, dtype=s.dtype)
        e = torch.exp(s - s.amax(-1, keepdim=True))
        return self.W_o(self._merge_heads((e / e.sum(-1, keepdim=True)).matmul(v)))
# %% renormalised: lower triangle kept after the softmax, divided by the row sums
# taken
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        assert embedding_dim % num_heads == 0, "embedding_dim must be divisible by num_heads"
        self.H = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        b, t, c = x.shape
        return x.reshape(b, t, self.H, c // self.H).swapaxes(1, 2)

    def _merge_heads(self, x):
        b, h, t, d = x.shape
        return x.swapaxes(1, 2).reshape(b, t, h * d)

    def forward(self, x):
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        p = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
        p = p.tril()
        p = p / p.sum(dim=-1, keepdim=True)
        y = self._merge_heads(p @ v)
        assert y.shape == x.shape
        return self.W_o(y)
# %% parent_class: a general attention class with a mask argument, the causal one inherits; a print
# taken
import math
import torch
from torch import nn
class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        if dim % heads:
            raise ValueError("heads must divide dim")
        self.dim, self.heads = dim, heads
        self.W_q = nn.Linear(dim, dim, bias=False)
        self.W_k = nn.Linear(dim, dim, bias=False)
        self.W_v = nn.Linear(dim, dim, bias=False)
        self.W_o = nn.Linear(dim, dim, bias=False)

    def _split_heads(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, self.dim // self.heads).permute(0, 2, 1, 3)

    def _merge_heads(self, x):
        return x.permute(0, 2, 1, 3).contiguous().view(x.shape[0], x.shape[2], self.dim)

    def attend(self, x, mask):
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        s = q @ k.permute(0, 1, 3, 2) / math.sqrt(self.dim / self.heads)
        s = s.masked_fill(mask, torch.finfo(s.dtype).min)
        return self.W_o(self._merge_heads(s.softmax(dim=-1) @ v))

class CausalMultiHeadSelfAttention(Attention):
    def forward(self, x):
        print("causal attention over", x.shape[1], "tokens")
        n = x.shape[1]
        return self.attend(x, ~torch.ones(n, n, dtype=torch.bool, device=x.device).tril())
# %% library_function: F.multi_head_attention_forward with the four weights
# taken
import torch
from torch import nn
import torch.nn.functional as F
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        if embedding_dim % num_heads != 0:
            raise ValueError("bad number of heads")
        self.embedding_dim, self.num_heads = embedding_dim, num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        return x.unflatten(2, (self.num_heads, -1)).movedim(1, 2)

    def _merge_heads(self, x):
        return x.movedim(2, 1).flatten(2)

    def forward(self, x):
        t = x.transpose(0, 1)
        future = torch.ones(len(t), len(t), dtype=torch.bool, device=x.device).triu(1)
        y = F.multi_head_attention_forward(
            t, t, t, self.embedding_dim, self.num_heads,
            torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight]), None, None, None, False, 0.0,
            self.W_o.weight, None, training=self.training, need_weights=False, attn_mask=future)[0]
        return y.transpose(0, 1)
# %% subclass_with_a_growing_buffer: mask kept and enlarged
# taken
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.H, self.d = num_heads, embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.register_buffer("later", torch.ones(4, 4, dtype=torch.bool).triu(1), persistent=False)
    def _split_heads(self, x):
        return torch.stack(x.split(self.d, dim=-1), dim=1)
    def _merge_heads(self, x):
        return torch.cat(tuple(x[:, h] for h in range(self.H)), dim=-1)
    def forward(self, x):
        T = x.size(1)
        if T > self.later.size(0) or self.later.device != x.device:
            self.later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        q, k, v = map(self._split_heads, (self.W_q(x), self.W_k(x), self.W_v(x)))
        s = torch.einsum("bhqd,bhkd->bhqk", q, k).mul(self.d ** -0.5).masked_fill(self.later[:T, :T], -torch.inf)
        return self.W_o(self._merge_heads(torch.einsum("bhqk,bhkd->bhqd", s.softmax(-1), v)))
# %% methods_without_underscore: names the methods split_heads and merge_heads, so the asked names do not exist
# refused: missing_name
import math
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def split_heads(self, x):
        B, T, D = x.shape
        return x.reshape(B, T, self.num_heads, D // self.num_heads).permute(0, 2, 1, 3)

    def merge_heads(self, x):
        B, H, T, d = x.shape
        return x.permute(0, 2, 1, 3).reshape(B, T, H * d)

    def forward(self, x):
        q = self.split_heads(self.W_q(x))
        k = self.split_heads(self.W_k(x))
        v = self.split_heads(self.W_v(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
        return self.W_o(self.merge_heads(scores.masked_fill(mask, -1e9).softmax(-1) @ v))
# %% mask_left_on_cpu: makes the mask without a device, so it does not meet x on another one
# taken, one left 2.9: fixed_device
import math
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.d_head = embedding_dim, num_heads, embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        return torch.stack(x.split(self.d_head, dim=-1), dim=1)

    def _merge_heads(self, x):
        return torch.cat(x.unbind(dim=1), dim=-1)

    def forward(self, x):
        T = x.shape[1]
        Q = self._split_heads(self.W_q(x))
        K = self._split_heads(self.W_k(x))
        V = self._split_heads(self.W_v(x))
        scores = torch.einsum("bhqd,bhkd->bhqk", Q, K) / math.sqrt(self.d_head)
        causal = torch.triu(torch.ones(T, T), diagonal=1).bool()
        weights = scores.masked_fill(causal, float("-inf")).softmax(dim=-1)
        return self.W_o(self._merge_heads(weights @ V))
# %% squeezed_output: squeezes the result, so a batch of one or a single token loses an axis
# refused, 2.7: shown
from torch import nn
import torch.nn.functional as F
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        B, T, C = x.shape
        return x.view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2)

    def _merge_heads(self, x):
        B, H, T, D = x.shape
        return x.transpose(1, 2).reshape(B, T, H * D)

    def forward(self, x):
        q = self._split_heads(self.W_q(x))
        k = self._split_heads(self.W_k(x))
        v = self._split_heads(self.W_v(x))
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.W_o(self._merge_heads(out)).squeeze()
# %% layers_made_in_forward: creates the query, key and value layers anew at every call, so they never keep what they learn
# refused: unsteady
import math
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.embedding_dim = embedding_dim
        self.num_heads = num_heads
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self._make_layers("cpu", torch.float32)

    def _make_layers(self, device, dtype):
        D = self.embedding_dim
        self.W_q = nn.Linear(D, D, bias=False, device=device, dtype=dtype)
        self.W_k = nn.Linear(D, D, bias=False, device=device, dtype=dtype)
        self.W_v = nn.Linear(D, D, bias=False, device=device, dtype=dtype)

    def _split_heads(self, x):
        B, T, D = x.shape
        return x.view(B, T, self.num_heads, -1).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(2)

    def forward(self, x):
        self._make_layers(x.device, x.dtype)
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        T = x.size(1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), float("-inf"))
        return self.W_o(self._merge_heads(torch.softmax(scores, -1) @ v))
# %% full_width_scale_and_no_output_layer: two mistakes, the scale uses embedding_dim and W_o is never applied
# refused: shown
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.E, self.H = embedding_dim, num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        return x.reshape(x.size(0), x.size(1), self.H, self.E // self.H).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).reshape(x.size(0), -1, self.E)

    def forward(self, x):
        n = x.size(1)
        q = self._split_heads(self.W_q(x))
        k = self._split_heads(self.W_k(x))
        v = self._split_heads(self.W_v(x))
        a = q @ k.mT / self.E ** 0.5
        a = a.masked_fill(~torch.ones(n, n, dtype=torch.bool, device=x.device).tril(), -1e9)
        return self._merge_heads(a.softmax(-1) @ v)
# %% scale_dim: scale by embedding_dim and masked after softmax
# refused: shown
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.h, self.d, self.D = num_heads, embedding_dim // num_heads, embedding_dim
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))
    def _split_heads(self, x): return x.reshape(*x.shape[:2], self.h, self.d).transpose(1, 2)
    def _merge_heads(self, x): return x.transpose(1, 2).flatten(2)
    def forward(self, x):
        q, k, v = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        w = (q @ k.mT / self.D ** 0.5).softmax(-1).tril()
        return self.W_o(self._merge_heads(w @ v))
# %% sizes_remembered: _merge_heads takes the sizes that _split_heads saw last, not those of what it is given
# refused: axes_folded
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))

    def _split_heads(self, x):
        self.B, self.T, self.D = x.shape
        return x.reshape(self.B, self.T, self.num_heads, -1).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).reshape(self.B, self.T, self.D)

    def forward(self, x):
        q, k, v = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        future = torch.ones(self.T, self.T, device=x.device).triu(1).bool()
        weights = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, float("-inf")).softmax(-1)
        return self.W_o(self._merge_heads(weights @ v))
# %% strangers_2026_11/program_1
# taken
import math
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        B, T, _ = x.shape
        return x.reshape(B, T, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def _merge_heads(self, x):
        B, H, T, d = x.shape
        return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * d)

    def forward(self, x):
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        T = x.shape[1]
        future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
        att = (q @ k.transpose(-1, -2)) / math.sqrt(self.head_dim)
        att = att.masked_fill(future, float("-inf")).softmax(dim=-1)
        return self.W_o(self._merge_heads(att @ v))
# %% strangers_2026_11/program_2
# taken
from torch import nn
import torch.nn.functional as F
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.H = num_heads
        make = lambda: nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_q, self.W_k, self.W_v, self.W_o = make(), make(), make(), make()

    def _split_heads(self, x):
        return x.unflatten(-1, (self.H, -1)).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(-2)

    def forward(self, x):
        heads = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        return self.W_o(self._merge_heads(F.scaled_dot_product_attention(*heads, is_causal=True)))
# %% strangers_2026_11/crash_1: line `masked_fill(self.mask[:T, :T], ...)`: the mask is built for 16 tokens, longer texts do not fit
# refused, 2.9: fixed_length
import math
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.register_buffer("mask", torch.ones(16, 16).triu(1).bool(), persistent=False)

    def _split_heads(self, x):
        B, T, _ = x.shape
        return x.view(B, T, self.num_heads, self.head_dim).transpose(1, 2)

    def _merge_heads(self, x):
        B, H, T, d = x.shape
        return x.transpose(1, 2).reshape(B, T, H * d)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = map(self._split_heads, (self.W_q(x), self.W_k(x), self.W_v(x)))
        s = q @ k.mT / math.sqrt(self.head_dim)
        s = s.masked_fill(self.mask[:T, :T], -math.inf)
        return self.W_o(self._merge_heads(s.softmax(-1) @ v))
# %% strangers_2026_11/single_2: causal only while training (is_causal=self.training)
# refused, 2.9: causal_only_in_training
from torch import nn
import torch.nn.functional as F
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        b, t, c = x.shape
        return x.view(b, t, self.num_heads, c // self.num_heads).transpose(1, 2)

    def _merge_heads(self, x):
        b, h, t, d = x.shape
        return x.transpose(1, 2).reshape(b, t, h * d)

    def forward(self, x):
        q, k, v = (self._split_heads(f(x)) for f in (self.W_q, self.W_k, self.W_v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.training)
        return self.W_o(self._merge_heads(y))
# %% strangers_2026_11/single_3: the last projection reads the heads before they are merged in order: _merge_heads reshapes without a transpose
# refused: merge_without_transpose
import math
import torch
from torch import nn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.embedding_dim = embedding_dim
        self.num_heads = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        B, T, _ = x.shape
        return x.view(B, T, self.num_heads, -1).transpose(1, 2)

    def _merge_heads(self, x):
        return x.reshape(x.size(0), -1, self.embedding_dim)

    def forward(self, x):
        q = self._split_heads(self.W_q(x))
        k = self._split_heads(self.W_k(x))
        v = self._split_heads(self.W_v(x))
        T = x.size(1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        keep = torch.tril(torch.ones(T, T, device=x.device))
        scores = scores.masked_fill(keep == 0, float("-inf"))
        return self.W_o(self._merge_heads(torch.softmax(scores, -1) @ v))
