"""A tensor in a few numbers: enough to recognise it, too little to copy it."""

import torch


def waves(tensor, number):
    """Fixed pseudo-random weights in [-1, 1], one for each entry (float64)."""
    index = torch.arange(tensor.numel(), dtype=torch.float64)
    return torch.cos(1 + index * (1.2345 + 0.6180339 * number)).reshape(tensor.shape)


def sketch_of(value):
    """A tensor in its shape and three numbers: equal sketches mean equal tensors, for our purposes."""
    if isinstance(value, str):
        return value
    flat = torch.nan_to_num(value.detach().to(torch.float64), nan=7.7, posinf=55.0, neginf=-55.0).clamp(
        -1e15, 1e15
    )
    kind = ["bool"] if value.dtype == torch.bool else []
    return [
        [*value.shape, *kind],
        *(steady(float((flat * waves(flat, number)).sum())) for number in range(2)),
    ]


def steady(x):
    """7 decimals, 10 significant digits at most: the same on every CPU."""
    return round(float(f"{x:.10g}"), 7)


def same_sketch(got, wanted, tolerance):
    if isinstance(got, str) or isinstance(wanted, str):
        return got == wanted
    return got[0] == wanted[0] and all(
        abs(a - b) <= 20 * tolerance * (1 + abs(b)) for a, b in zip(got[1:], wanted[1:], strict=True)
    )
