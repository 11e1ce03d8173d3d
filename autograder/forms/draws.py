"""Draw numbers for the cases of forms: short ones, as a notebook carries them all."""

import torch


def eighths(g, *shape):
    """Multiples of 1/8 up to 2, in float64."""
    return torch.from_numpy(g.integers(-16, 17, shape) / 8)
