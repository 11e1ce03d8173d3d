"""Wrong answers for DecoderBlock, one mistake a cell."""

# %% dropout_in_training: a dropout of 0.1 that nobody asked for
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

# %% fed_by_the_old_stream: the MLP reads what the attention got, and the residual is right
from torch import nn
class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention = attention
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)
        self.act = nn.GELU()
    def forward(self, x, cache_k=None, cache_v=None):
        h = self.norm_1(x)
        attn, k, v = self.attention(h, cache_k, cache_v)
        x = x + attn
        x = x + self.down(self.act(self.up(self.norm_2(h))))
        return x, k, v

# %% one_norm_object: one LayerNorm under two names
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
