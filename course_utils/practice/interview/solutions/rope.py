"""Model solutions: rotary positions, in the half-split convention."""

import torch


def rope(x, start=0, base=10_000.0):
    T, d = x.shape[-2:]
    speeds = base ** (-torch.arange(0, d, 2) / d)  # (d / 2,): radians per token, the first pair the fastest
    positions = torch.arange(start, start + T)  # (T,): with a cache, the first new token is not at 0
    angles = positions[:, None] * speeds  # (T, d / 2)
    first, second = x.chunk(2, dim=-1)  # (..., T, d / 2) each: features j and j + d / 2 are a pair
    turned = first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()
    return torch.cat(turned, dim=-1)  # (..., T, d)
