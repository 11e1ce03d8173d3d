"""A linear layer by hand

`W` is stored as the library stores it: a row for each output, a column for each input. Each token of `x`, a
row, is mapped to the layer's output.
"""
import torch

class Projection:
    def __init__(self, W):
        self.W = W

    def __call__(self, x):
        return x @ self.W  # right: return x @ self.W.T

# ---- inputs
INPUTS = {"W": floats("D", "D"), "x": floats("T", "D")}
SAME = {"W is symmetric.": lambda W: torch.equal(W, W.T)}
MISTAKE = "CausalMultiHeadSelfAttention.weights_transposed"
WHY = "The layer stores (out, in), so multiply by the transpose. With a square matrix nothing raises."


def tried(Projection, W, x):
    """Projection(W)(x)"""
    return Projection(W)(x)
