"""Pairs of features, rotated

`x` is (T, H, d): tokens, heads, features. The token at position t is rotated by t times the speed of the pair,
counter-clockwise. Features 0 and 1 are the first pair, and pair j has the speed `theta` ** (-2 j / d).
"""
import torch

def rotate_pairs(x, theta):
    T, H, d = x.shape
    i = torch.arange(0, d, 2, dtype=x.dtype)
    omega = 1.0 / theta ** (i / d)
    phi = torch.arange(T)[:, None, None] * omega
    even, odd = x[..., ::2], x[..., 1::2]
    up = even * phi.cos() + odd * phi.sin()  # right: up = even * phi.cos() - odd * phi.sin()
    right = even * phi.sin() + odd * phi.cos()
    return torch.stack((up, right), dim=-1).reshape(T, H, d)

# ---- inputs
INPUTS = {"x": floats("T", "H", "d"), "theta": number(2, 20000)}
HOLDS = {"d has to be even: features are rotated in pairs.": lambda d: d % 2 == 0}
SIZES = {"d": (2, 8)}
SAME = {
    "at position 0 nothing is rotated.": lambda T: T == 1,
    "the second feature of each pair is 0.": lambda x: not x[..., 1::2].any(),
}
MISTAKE = "apply_rope.no_minus"
WHY = "A minus sign is missing: with two plus signs this is not a rotation, and lengths change."
