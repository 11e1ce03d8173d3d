"""Attention over a padded batch

`x` is (B, T, D), and serves as queries, keys and values. `real` is 1 for a token and 0 for padding, and each
example has at least one real token. No real token may attend to padding; the output at padded positions
is set to 0.
"""
import torch


class PaddedMixer(torch.nn.Module):

    def forward(self, x, real):
        scores = x.matmul(x.transpose(1, 2)) / x.size(-1) ** 0.5
        blocked = real.eq(0).unsqueeze(2)  # right: blocked = real.eq(0).unsqueeze(1)
        scores = scores.masked_fill(blocked, -1e9)
        mixed = scores.softmax(dim=-1).matmul(x)
        return mixed * real.unsqueeze(2)

# ---- inputs
INPUTS = {"x": floats("B", "T", "D"), "real": whole("B", "T", low=0, high=1)}
HOLDS = {"Each row of `real` needs at least one 1.": lambda real: real.any(-1).all()}
SIZES = {"B": (1, 3), "T": (1, 5)}
SAME = {"no token is padding.": lambda real: real.all()}
MISTAKE = "MultiHeadSelfAttention.padding_on_queries"
WHY = "The rows of padding are blocked, and rows are queries: real queries still attend to padded keys, the columns."


def tried(PaddedMixer, x, real):
    """PaddedMixer()(x, real)"""
    return PaddedMixer()(x, real)
