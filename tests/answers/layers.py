"""A module around an object of ours, right and wrong."""

from torch import nn


class Right(nn.Module):
    def __init__(self, attention, d_model):
        super().__init__()
        self.attention, self.norm, self.up = attention, nn.LayerNorm(d_model), nn.Linear(d_model, 5)

    def forward(self, x):
        return self.up(self.attention(self.norm(x))[0])


class NotKept(Right):
    def __init__(self, attention, d_model):
        super().__init__(attention, d_model)
        self.attn = attention
        del self.attention


class NoBias(Right):
    def __init__(self, attention, d_model):
        super().__init__(attention, d_model)
        self.norm = nn.LayerNorm(d_model, bias=False)


class OtherName(Right):
    def __init__(self, attention, d_model):
        super().__init__(attention, d_model)
        self.ln = self.norm
        del self.norm


class OtherSize(Right):
    def __init__(self, attention, d_model):
        super().__init__(attention, d_model)
        self.norm = nn.LayerNorm(1)


class BiasForgotten(Right):
    def forward(self, x):
        return self.attention(self.norm(x))[0] @ self.up.weight.T
