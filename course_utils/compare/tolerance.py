"""When are two results equal? Tolerances by dtype; NaN equals NaN."""

import torch

TOLERANCE = {torch.float64: 2e-6, torch.float32: 3e-5, torch.float16: 5e-3, torch.bfloat16: 5e-2}
IN_MODULES = {torch.bfloat16: 1e-1}


def tolerance_of(case, contract, dtype=None):
    dtype = dtype or getattr(torch, case.dtype)
    if case.tolerance and dtype == getattr(torch, case.dtype):
        return case.tolerance
    return IN_MODULES.get(dtype, TOLERANCE[dtype]) if contract.kind == "module" else TOLERANCE[dtype]


def same(value, wanted, tolerance):
    """Equal shape, both bool or both numbers, every entry within the tolerance (relative above 1; none for whole
    numbers); NaN equals NaN."""
    if not isinstance(wanted, torch.Tensor) or not isinstance(value, torch.Tensor):
        return isinstance(value, str) and value == wanted
    if value.shape != wanted.shape or (value.dtype == torch.bool) != (wanted.dtype == torch.bool):
        return False
    if not wanted.is_floating_point():
        tolerance = 0
    elif (
        value.dtype == torch.float32
    ):  # none for what is narrower: a result must not choose how much is forgiven
        tolerance = max(tolerance, TOLERANCE[torch.float32])
    return not off(value, wanted, tolerance).any()


def off(value, wanted, tolerance):
    """Which entries are further off than the tolerance; no number, however low, is an infinity."""
    value, wanted = (t.detach().to(torch.float64) for t in (value, wanted))
    near = (clean(value) - clean(wanted)).abs() <= tolerance * (1 + clean(wanted).abs())
    return ~near | (value.isfinite() != wanted.isfinite())


def clean(value):
    """float64 without NaN and infinities: each becomes a number of its own."""
    return torch.nan_to_num(value.detach().to(torch.float64), nan=7.7e7, posinf=5.5e8, neginf=-5.5e8)
