"""Half a decoder block

The stream `x` is (T, D). A block adds two outputs to it, each computed from the normalised stream:
first the mean over the tokens so far, then a small layer with the weight `W`, (D, D).
"""
import torch
from torch import nn

def block(x, W):
    T, D = x.shape
    normed = nn.functional.layer_norm(x, (D,))
    so_far = torch.cumsum(normed, 0) / torch.arange(1, T + 1).unsqueeze(1)
    x = normed + so_far  # right: x = x + so_far
    normed = nn.functional.layer_norm(x, (D,))
    return x + torch.relu(normed @ W)

# ---- inputs
INPUTS = {"x": floats("T", "D", spread=3), "W": floats("D", "D")}
SAME = {"`x` is normalised already.": lambda x, D: (torch.nn.functional.layer_norm(x, (D,)) - x).abs().max() < 1e-6}
MISTAKE = "DecoderBlock.first_residual_from_the_norm"
WHY = "The mean is added to the normalised stream, but a residual connection adds to the stream itself."
