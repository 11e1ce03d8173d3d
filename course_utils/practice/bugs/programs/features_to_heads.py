"""Features split into heads

`x` has a row for each token. Head 0 gets the first D / `n_heads` features of each token, head 1 the next
ones, and so on. The result is (n_heads, T, D / n_heads).
"""
import numpy as np

def deal_out(x, n_heads):
    tokens, width = x.shape
    if width % n_heads:
        raise ValueError(f"{width} features for {n_heads} heads")
    per_head = width // n_heads
    return x.reshape(n_heads, tokens, per_head)  # right: return x.reshape(tokens, n_heads, per_head).swapaxes(0, 1)

# ---- inputs
INPUTS = {"x": floats("T", "D", library="numpy"), "n_heads": size("H")}
HOLDS = {"D, the width of `x`, has to be a multiple of `n_heads`.": lambda D, H: D % H == 0}
SIZES = {"D": (1, 8), "H": (1, 4)}
SAME = {
    "with one head nothing is split.": lambda H: H == 1,
    "with one token both reshapes read in the same order.": lambda T: T == 1,
}
MISTAKE = "split_heads.split_without_transpose"
WHY = "The reshape reads the features token by token: a head gets all features of a few tokens, not its own features of every token."
