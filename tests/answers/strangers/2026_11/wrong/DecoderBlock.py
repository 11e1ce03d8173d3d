# %% crash_1 < strangers/2026_11/right/program_1: line `x + self.attention(...)`: the attention returns a tuple of three, which cannot be added
          self.norm_1 = nn.LayerNorm(d_model)
+         self.norm_2 = nn.LayerNorm(d_model)
-         self.norm_2 = nn.LayerNorm(d_model)

-         y, cache_k, cache_v = self.attention(self.norm_1(x), cache_k, cache_v)
-         x = x + y
+         x = x + self.attention(self.norm_1(x), cache_k, cache_v)
# %% single_2: post-norm: the norms stand behind the sums
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
# %% single_3 < single_2: the residual comes from the normed stream instead of x
-         a, k, v = self.attention(x, cache_k, cache_v)
-         x = self.norm_1(x + a)
-         x = self.norm_2(x + self.down(F.gelu(self.up(x))))
-         return x, k, v
+         x = self.norm_1(x)
+         out, new_k, new_v = self.attention(x, cache_k, cache_v)
+         x = x + out
+         x = self.norm_2(x)
+         x = x + self.down(F.gelu(self.up(x)))
+         return x, new_k, new_v
# %% two_4 < strangers/2026_11/right/program_1: the caches are not handed to the attention | the tanh formula of GELU, as in GPT-2
          self.down = nn.Linear(d_hidden, d_model)
+         self.gelu = nn.GELU(approximate="tanh")
-         y, cache_k, cache_v = self.attention(self.norm_1(x), cache_k, cache_v)
-         x = x + y
-         x = x + self.down(F.gelu(self.up(self.norm_2(x))))
-         return x, cache_k, cache_v
+         a, cache_k, cache_v = self.attention(self.norm_1(x))
+         x = x + a
+         return x + self.down(self.gelu(self.up(self.norm_2(x)))), cache_k, cache_v
