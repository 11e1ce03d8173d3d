# %% program_1
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
# %% program_2
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
