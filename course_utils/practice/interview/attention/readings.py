"""What a call for attention gave comes in; each way to understand it as the output (B, T, D) goes out."""

import numpy as np

from ..values import parts_of, undress
from ..ways import Reading
from .interpret import interpretations


def readings(outcome, given):
    """Iterator of Reading."""
    split = outcome.notes.get("layout", "") in ("(B, H, T, d)", "(B, T, H, d)")  # heads came in, heads go out
    arrays = [
        (key, shape, one) for key, part in parts_of(outcome.value) for shape, one in laid(part, given, split)
    ]
    left = [(key, one) for key, part in parts_of(outcome.value) for _, one in laid(part, given, True)]
    print_ = tuple(
        (name, array.shape, float(array.flat[array.size // 3]) if array.size else 0.0)
        for name, array, _ in outcome.weights
    )
    for key, meant in interpretations(outcome.weights, given):
        meant = as_fed(meant, outcome.notes)
        if not split and not arrays:
            unmerged = {**meant, "unmerged": True}
            yield from (
                Reading((place, "unmerged", key), one, unmerged, (key, print_, "unmerged"))
                for place, one in left
            )
        for place, shape, array in arrays:
            memo = (key, print_, outcome.notes.get("separate"), outcome.notes.get("q and k"))
            yield Reading((place, shape, key, "all rows"), array, meant, memo)
            if "padded" in str(outcome.notes.get("variants")):
                yield Reading((place, shape, key, "real rows"), only_real(array, given), meant, memo)


def as_fed(given, notes):
    """Keys and values come from x where a call got nothing else."""
    if notes.get("q and k"):
        return {**given, "xv": given["xk"]}
    return given if notes.get("separate") else {**given, "xk": given["x"], "xv": given["x"]}


def only_real(array, given):
    """What padded queries get is not looked at."""
    real = np.arange(given["T"])[None, :] < given["lengths"][:, None]
    return np.where(real[..., None], array, 0.0)


def laid(part, given, split):
    """(how it is laid out, (B, T, D)) of a result that may be the output."""
    array = undress(part)
    if array is None or array.dtype == bool:
        return
    B, T, H, d, D = (given[name] for name in ("B", "T", "H", "d", "D"))
    while array.ndim > 4 and array.shape[0] == 1:
        array = array[0]
    if array.ndim == 4 and B == 1 and array.shape == (1, 1, T, D):
        array = array[0]
    if array.shape == (B, T, D):
        yield "(B, T, D)", array
    if array.shape == (T, D) and B == 1:
        yield "(B, T, D)", array[None]
    if split and array.shape == (B, H, T, d):
        yield "(B, H, T, d)", array.transpose(0, 2, 1, 3).reshape(B, T, D)
    if split and array.shape == (B, T, H, d):
        yield "(B, T, H, d)", array.reshape(B, T, D)
