"""Model solutions: rotary positions. Features j and j + d_head / 2 are a pair."""

import torch


def apply_rope(x, positions, base=10_000.0):
    d = x.shape[-1]
    exponents = torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d  # (d / 2,)
    speeds = base**-exponents  # radians per token, the first pair the fastest
    angles = speeds * positions[..., None]  # (T, d / 2) or (B, T, d / 2), in float32 whatever x is
    if positions.dim() == 2:
        angles = angles.unsqueeze(1)  # (B, 1, T, d / 2): the same for all heads
    first, second = x.chunk(2, dim=-1)  # (B, H, T, d / 2) each
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)  # (B, H, T, d)


def rope(x):
    return apply_rope(x, torch.arange(x.shape[-2], device=x.device))  # (B, H, T, d)
