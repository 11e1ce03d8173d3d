"""Wrong answers for DecoderBlock, one mistake a cell."""
# %% dropout_in_training < detached_stream: a dropout of 0.1 that nobody asked for
          self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
+         self.drop = nn.Dropout(0.1)
-         x = x.data + a
-         return x + self.down(F.gelu(self.up(self.norm_2(x)))), k, v
+         x = x + self.drop(a)
+         return x + self.drop(self.down(F.gelu(self.up(self.norm_2(x))))), k, v
# %% adds_in_place < detached_stream: x += writes into the caller's tensor
-         x = x.data + a
-         return x + self.down(F.gelu(self.up(self.norm_2(x)))), k, v
+         x += a
+         x += self.down(F.gelu(self.up(self.norm_2(x))))
+         return x, k, v
# %% fed_by_the_old_stream: the MLP reads what the attention got, and the residual is right
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
# %% one_norm_object < detached_stream: one LayerNorm under two names
~ norm_1, self.norm_2 = nn.LayerNorm(d_model), => norm_1 = self.norm_2 =
~ x = x.data + a => x = x + a
# %% remembers_the_cache < detached_stream: keeps the caches on the module when none is handed in
          self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
+         self.cache = (None, None)
      def forward(self, x, cache_k=None, cache_v=None):
+         if cache_k is None:
+             cache_k, cache_v = self.cache
-         x = x.data + a
+         self.cache = (k, v)
+         x = x + a
# %% detached_stream: the residual is cut off from the graph
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
# %% no_bias_in_the_mlp < detached_stream: the layers of the MLP are made without biases
~ (d_model, d_hidden), nn.Linear(d_hidden, d_model) => (d_model, d_hidden, bias=False), nn.Linear(d_hidden, d_model, bias=False)
~ x = x.data + a => x = x + a
# %% scaled_residual < detached_stream: each sum is multiplied by the square root of one half
-         x = x.data + a
-         return x + self.down(F.gelu(self.up(self.norm_2(x)))), k, v
+         x = (x + a) * 0.5 ** 0.5
+         return (x + self.down(F.gelu(self.up(self.norm_2(x))))) * 0.5 ** 0.5, k, v
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
