"""Rotary positions with complex numbers

`x` is (T, d), and each half of the features is one part of complex numbers: feature j and feature j + d / 2
are one number. Pair j rotates at the speed `base` ** (-2 j / d), times the token's position.
"""
import torch

def spin(x, base):
    T, d = x.shape
    half = d // 2
    z = torch.complex(x[:, :half], x[:, half:])
    j = torch.arange(half)
    speed = base ** (-j / d)  # right: speed = base ** (-2 * j / d)
    angle = torch.outer(torch.arange(T), speed)
    w = z * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([w.real, w.imag], 1)

# ---- inputs
INPUTS = {"x": floats("T", "d", dtype="float32"), "base": number(10, 20000)}
HOLDS = {"d has to be even: features are rotated in pairs.": lambda d: d % 2 == 0}
SIZES = {"d": (2, 8)}
SAME = {
    "at position 0 nothing is rotated.": lambda T: T == 1,
    "the only pair has the speed 1 either way.": lambda d: d == 2,
}
MISTAKE = "apply_rope.exponent_without_2"
WHY = "The factor 2 is missing from the exponent, so from pair to pair the speed falls only by the square root of the right factor."
