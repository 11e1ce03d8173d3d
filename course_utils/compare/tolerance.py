"""When are two results equal? Tolerances by dtype; NaN equals NaN. And sketches: results in a few numbers."""

import torch

from course_utils.model.fixed_weights import fixed_weights

TOLERANCE = {torch.float64: 2e-6, torch.float32: 3e-5, torch.float16: 5e-3, torch.bfloat16: 5e-2}
IN_MODULES = {torch.bfloat16: 1e-1}
OF_SKETCHES = 20  # times as much: a sketch sums all entries


def tolerance_of(case, contract, dtype=None):
    """The tolerance of results in this dtype; by default the case's own dtype."""
    own = getattr(torch, case.dtype)
    dtype = dtype or own
    if case.tolerance and dtype == own:
        return case.tolerance
    return IN_MODULES.get(dtype, TOLERANCE[dtype]) if contract.kind == "module" else TOLERANCE[dtype]


def is_close(value, wanted, tolerance):
    """Same shape, both bool or both numbers, every entry within the tolerance (relative above 1; 0 for whole
    numbers); NaN equals NaN. A text must be equal."""
    if not isinstance(wanted, torch.Tensor) or not isinstance(value, torch.Tensor):
        return isinstance(value, str) and value == wanted
    if value.shape != wanted.shape or (value.dtype == torch.bool) != (wanted.dtype == torch.bool):
        return False
    return bool(close_entries(value, wanted, tolerance).all())


def close_entries(value, wanted, tolerance):
    """Which entries of two tensors of the same shape are equal? -1e9 does not count as -inf."""
    if not wanted.is_floating_point():
        tolerance = 0
    elif value.dtype == torch.float32:  # float16 earns no wider tolerance
        tolerance = max(tolerance, TOLERANCE[torch.float32])
    value, wanted = (t.detach().to(torch.float64) for t in (value, wanted))
    return torch.isclose(value, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)


def sketch_of(value):
    """A tensor reduced to its shape and two numbers: enough to recognise it, too little to copy it. A text is
    its own sketch."""
    if isinstance(value, str):
        return value
    flat = torch.nan_to_num(value.detach().to(torch.float64), nan=7.7, posinf=55.0, neginf=-55.0)
    flat = flat.clamp(-1e15, 1e15)
    kind = ["bool"] if value.dtype == torch.bool else []
    sums = [cut_digits(float((flat * fixed_weights(flat, number)).sum())) for number in range(2)]
    return [[*value.shape, *kind], *sums]


def cut_digits(x):
    """Round to 6 decimals, at most 8 significant digits: the same on every CPU, finer than any tolerance."""
    return round(float(f"{x:.8g}"), 6)


def same_sketch(got, wanted, tolerance):
    if isinstance(got, str) or isinstance(wanted, str):
        return got == wanted
    numbers = zip(got[1:], wanted[1:], strict=True)
    return got[0] == wanted[0] and all(
        abs(a - b) <= OF_SKETCHES * tolerance * (1 + abs(b)) for a, b in numbers
    )
