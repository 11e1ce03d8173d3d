"""Right answers to `DecoderBlock`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% plain: one line for each half
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.attention = attention
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)

    def forward(self, x, cache_k=None, cache_v=None):
        a, cache_k, cache_v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + a
        x = x + self.down(F.gelu(self.up(self.norm_2(x))))
        return x, cache_k, cache_v
# %% sequential: the MLP as a Sequential of the same layers, keyword arguments for the attention
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention = attention
        self.norm_1, self.norm_2 = (nn.LayerNorm(d_model, eps=1e-5) for _ in range(2))
        self.up, self.down = nn.Linear(d_model, d_hidden, bias=True), nn.Linear(d_hidden, d_model, bias=True)
        self.mlp = nn.Sequential(self.norm_2, self.up, nn.GELU(), self.down)

    def forward(self, x, cache_k=None, cache_v=None):
        out, new_k, new_v = self.attention(self.norm_1(x), cache_k=cache_k, cache_v=cache_v, is_causal=True)
        x = out + x
        return self.mlp(x) + x, new_k, new_v
# %% by_erf: GELU by its definition, other names for what forward takes, type hints
import math
from typing import Optional
import torch
from torch import Tensor, nn

def gelu(h: Tensor) -> Tensor:
    return 0.5 * h * (1.0 + torch.erf(h / math.sqrt(2.0)))

class DecoderBlock(nn.Module):
    def __init__(self, attention: nn.Module, d_model: int, d_hidden: int) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(normalized_shape=d_model)
        self.attention = attention
        self.norm_2 = nn.LayerNorm(normalized_shape=d_model)
        self.up = nn.Linear(in_features=d_model, out_features=d_hidden)
        self.down = nn.Linear(in_features=d_hidden, out_features=d_model)

    def _mlp(self, h: Tensor) -> Tensor:
        return self.down(gelu(self.up(h)))

    def forward(self, hidden: Tensor, past_k: Optional[Tensor] = None, past_v: Optional[Tensor] = None):
        residual = hidden
        hidden, past_k, past_v = self.attention(self.norm_1(hidden), past_k, past_v)
        residual = residual + hidden
        return residual + self._mlp(self.norm_2(residual)), past_k, past_v
# %% starred: the attention's answer taken apart with a star, a list of three returned
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        nn.Module.__init__(self)
        self.attention, self.d_model, self.d_hidden = attention, d_model, d_hidden
        for name in ("norm_1", "norm_2"):
            setattr(self, name, nn.LayerNorm([d_model]))
        self.add_module("up", nn.Linear(d_model, d_hidden))
        self.add_module("down", nn.Linear(d_hidden, d_model))

    def forward(self, x, *caches):
        attended, *caches = self.attention(self.norm_1(x), *caches)
        stream = torch.stack([x, attended]).sum(0)
        stream = torch.add(stream, self.down(nn.functional.gelu(self.up(self.norm_2(stream)), approximate="none")))
        return [stream, *caches]
# %% in_place_on_its_own: += on a tensor that is new, functional norms, dropout of 0
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden, dropout=0.0):
        super().__init__()
        self.d_model = d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, cache_k=None, cache_v=None):
        h = F.layer_norm(x, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        y, k, v = self.attention(h, cache_k, cache_v)
        y = x + self.dropout(y)
        h = F.layer_norm(y, (self.d_model,), self.norm_2.weight, self.norm_2.bias)
        h = F.linear(F.gelu(F.linear(h, self.up.weight, self.up.bias)), self.down.weight, self.down.bias)
        h += y
        return h, k, v
# %% two_methods: a method for each half of the block
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_hidden)
        self.act = nn.GELU()
        self.down = nn.Linear(d_hidden, d_model)
        self.attention = attention

    def attend(self, x, caches):
        y, *caches = self.attention(self.norm_1(x), *caches)
        return x + y, tuple(caches)

    def think(self, x):
        B, T, D = x.shape
        flat = self.norm_2(x).reshape(B * T, D)
        return x + self.down(self.act(self.up(flat))).reshape(B, T, D)

    def forward(self, x, cache_k=None, cache_v=None):
        x, caches = self.attend(x, (cache_k, cache_v))
        return (self.think(x), *caches)
# %% norms_by_hand: mean and variance by hand, with the layers' numbers and eps
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
    @staticmethod
    def normed(norm, x):
        mean, var = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
        return (x - mean) * torch.rsqrt(var + norm.eps) * norm.weight + norm.bias
    def forward(self, x, cache_k=None, cache_v=None):
        answer = self.attention(self.normed(self.norm_1, x), cache_k, cache_v)
        x = x + answer[0]
        h = self.up(self.normed(self.norm_2, x))
        h = h * torch.distributions.Normal(0, 1).cdf(h.double()).to(h.dtype)
        return x + self.down(h), answer[1], answer[2]
