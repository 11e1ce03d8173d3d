# %% x_lost: the attention's output is added to itself
# refused: attention_doubled
# says: The attention's output is added to itself
from torch import nn

class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention, self.act = attention, nn.GELU()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x, cache_k=None, cache_v=None):
        x, new_k, new_v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + x
        return x + self.down(self.act(self.up(self.norm_2(x)))), new_k, new_v
# %% first_norm_for_both: norm_2 is not used
# refused: one_norm_twice
# says: norm_1 is used for both
from torch import nn

class DecoderBlock(nn.Module):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        self.attention, self.act = attention, nn.GELU()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x, cache_k=None, cache_v=None):
        attended, new_k, new_v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + attended
        return x + self.down(self.act(self.up(self.norm_1(x)))), new_k, new_v
