# %% plain: one line for each half
# taken
from torch import nn
import torch.nn.functional as F
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
# taken
from torch import nn
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
# taken
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
# taken
import torch
from torch import nn
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
# taken
from torch import nn
import torch.nn.functional as F
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
# %% norms_by_hand: mean and variance by hand, with the layers' numbers and eps
# taken
import torch
from torch import nn
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
# %% dropout_in_training: a dropout of 0.1 that nobody asked for
# refused: unsteady
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        self.drop = nn.Dropout(0.1)
    def forward(self, x, cache_k=None, cache_v=None):
        a, k, v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + self.drop(a)
        return x + self.drop(self.down(F.gelu(self.up(self.norm_2(x))))), k, v
# %% adds_in_place: x += writes into the caller's tensor
# taken, one left 3.7: changes_input
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
    def forward(self, x, cache_k=None, cache_v=None):
        a, k, v = self.attention(self.norm_1(x), cache_k, cache_v)
        x += a
        x += self.down(F.gelu(self.up(self.norm_2(x))))
        return x, k, v
# %% one_norm_object: one LayerNorm under two names
# refused: shared_layer
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1 = self.norm_2 = nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
    def forward(self, x, cache_k=None, cache_v=None):
        a, k, v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + a
        return x + self.down(F.gelu(self.up(self.norm_2(x)))), k, v
# %% remembers_the_cache: keeps the caches on the module when none is handed in
# refused, 3.7: unsteady
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        self.cache = (None, None)
    def forward(self, x, cache_k=None, cache_v=None):
        if cache_k is None:
            cache_k, cache_v = self.cache
        a, k, v = self.attention(self.norm_1(x), cache_k, cache_v)
        self.cache = (k, v)
        x = x + a
        return x + self.down(F.gelu(self.up(self.norm_2(x)))), k, v
# %% detached_stream: the residual is cut off from the graph
# taken, one left 3.7: wrong_gradient
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
    def forward(self, x, cache_k=None, cache_v=None):
        a, k, v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x.data + a
        return x + self.down(F.gelu(self.up(self.norm_2(x)))), k, v
# %% no_bias_in_the_mlp: the layers of the MLP are made without biases
# refused: bias
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden, bias=False), nn.Linear(d_hidden, d_model, bias=False)
    def forward(self, x, cache_k=None, cache_v=None):
        a, k, v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + a
        return x + self.down(F.gelu(self.up(self.norm_2(x)))), k, v
# %% scaled_residual: each sum is multiplied by the square root of one half
# refused: shown
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = attention
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
    def forward(self, x, cache_k=None, cache_v=None):
        a, k, v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = (x + a) * 0.5 ** 0.5
        return (x + self.down(F.gelu(self.up(self.norm_2(x))))) * 0.5 ** 0.5, k, v
# %% copy_of_the_attention: keeps a deepcopy of the attention that comes in
# refused: copied_module
import copy
import torch.nn.functional as F
from torch import nn

class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention = copy.deepcopy(attention)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x, cache_k=None, cache_v=None):
        attended, cache_k, cache_v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + attended
        return x + self.down(F.gelu(self.up(self.norm_2(x)))), cache_k, cache_v
# %% strangers_2026_11/program_1
# taken
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = attention
        self.norm_2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)

    def forward(self, x, cache_k=None, cache_v=None):
        y, cache_k, cache_v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + y
        x = x + self.down(F.gelu(self.up(self.norm_2(x))))
        return x, cache_k, cache_v
# %% strangers_2026_11/program_2
# taken
import torch
from torch import nn
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention = attention
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        self.act = nn.GELU()

    def mlp(self, x):
        return self.down(self.act(self.up(x)))

    def forward(self, x, cache_k=None, cache_v=None):
        out = self.attention(self.norm_1(x), cache_k, cache_v)
        stream = torch.add(x, out[0])
        return torch.add(stream, self.mlp(self.norm_2(stream))), *out[1:]
# %% strangers_2026_11/crash_1: line `x + self.attention(...)`: the attention returns a tuple of three, which cannot be added
# refused: tuple_for_tensor
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.attention = attention
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)

    def forward(self, x, cache_k=None, cache_v=None):
        x = x + self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + self.down(F.gelu(self.up(self.norm_2(x))))
        return x, cache_k, cache_v
# %% strangers_2026_11/single_2: post-norm: the norms stand behind the sums
# refused: post_norm
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention = attention
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)

    def forward(self, x, cache_k=None, cache_v=None):
        a, k, v = self.attention(x, cache_k, cache_v)
        x = self.norm_1(x + a)
        x = self.norm_2(x + self.down(F.gelu(self.up(x))))
        return x, k, v
# %% strangers_2026_11/single_3: the residual comes from the normed stream instead of x
# refused: residuals_from_the_norms
from torch import nn
import torch.nn.functional as F
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention = attention
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)

    def forward(self, x, cache_k=None, cache_v=None):
        x = self.norm_1(x)
        out, new_k, new_v = self.attention(x, cache_k, cache_v)
        x = x + out
        x = self.norm_2(x)
        x = x + self.down(F.gelu(self.up(x)))
        return x, new_k, new_v
# %% strangers_2026_11/two_4: the caches are not handed to the attention | the tanh formula of GELU, as in GPT-2
# refused: tanh_gelu
from torch import nn
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = attention
        self.norm_2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)
        self.gelu = nn.GELU(approximate="tanh")

    def forward(self, x, cache_k=None, cache_v=None):
        a, cache_k, cache_v = self.attention(self.norm_1(x))
        x = x + a
        return x + self.down(self.gelu(self.up(self.norm_2(x)))), cache_k, cache_v
