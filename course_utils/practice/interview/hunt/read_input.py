"""What a learner gave for an argument comes in, the value that the program takes goes out, or Unfit."""

import numpy as np
import torch

from .inputs import as_library, bound

LARGEST = 20_000  # entries of one argument
LONGEST = 200  # along one axis: a table of scores grows with its square
HUGE = 1e15  # no number that means anything here
TOO_LARGE = "`{}` is too large: at most {} along an axis, and {} numbers in all. Small ones show it too."


class Unfit(ValueError):
    """The value is no valid input. Its text is one sentence for the learner."""


def read(name, kind, value, sizes):
    """The value as the program takes it, a copy; sets letters in `sizes`. Unfit says what is wrong."""
    if kind.what == "flag":
        if not isinstance(value, (bool, np.bool_)):
            raise wants(name, kind, value)
        return bool(value)
    if kind.what == "size" or not kind.axes:
        return read_number(name, kind, value, sizes)
    array = read_array(name, kind, value)
    for axis, letter in enumerate(kind.axes):
        wanted = sizes.setdefault(letter, int(letter) if letter.isdigit() else array.shape[axis])
        if wanted != array.shape[axis]:
            said = letter if letter.isdigit() else f"{letter}, which is {wanted} here"
            raise Unfit(f"Axis {axis} of `{name}` is {said}, and {array.shape[axis]} came.")
    if 0 in array.shape:
        raise Unfit(f"`{name}` has no entries: each size has to be at least 1.")
    return array


def read_number(name, kind, value, sizes):
    is_array = isinstance(value, (torch.Tensor, np.ndarray, np.generic))
    value = value.item() if is_array and np.prod(value.shape) == 1 else value
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not abs(value) <= HUGE or kind.what != "float" and value != int(value):
        raise wants(name, kind, value)
    value = float(value) if kind.what == "float" else int(value)
    if kind.what == "size":
        if value < 1:
            raise wants(name, kind, value)
        refuse_large(name, (value,))
        sizes[kind.letter] = value
    return value


def read_array(name, kind, value):
    """A tensor or array with the right number of axes. A tuple of sizes stands for random floats."""
    if kind.what == "float" and isinstance(value, tuple) and is_shape(value, kind):
        refuse_large(name, value)
        return as_library(np.random.default_rng().standard_normal(value), kind)
    try:
        array = value.detach().cpu() if isinstance(value, torch.Tensor) else torch.as_tensor(np.array(value))
    except Exception:  # no numbers, or rows of several lengths
        raise wants(name, kind, value) from None
    if array.dim() != len(kind.axes):
        raise wants(name, kind, value)
    refuse_large(name, array.shape)
    array = with_dtype(name, kind, array, value)
    return array.numpy().copy() if kind.library == "numpy" else array.clone()


def refuse_large(name, shape):
    if max(shape, default=0) > LONGEST or np.prod(shape, dtype=float) > LARGEST:
        raise Unfit(TOO_LARGE.format(name, LONGEST, LARGEST))


def is_shape(value, kind):
    ints = all(isinstance(one, int) and not isinstance(one, bool) and one > 0 for one in value)
    return ints and len(value) == len(kind.axes)


def with_dtype(name, kind, array, value):
    if kind.what == "bool":
        if array.dtype != torch.bool and not bool(((array == 0) | (array == 1)).all()):
            raise wants(name, kind, value)
        return array.bool()
    if array.dtype == torch.bool or array.is_complex():
        raise wants(name, kind, value)
    if kind.what == "whole":
        if array.is_floating_point() and not bool((array == array.round()).all()):
            raise wants(name, kind, value)
        return array.long()
    if kind.dtype:
        return array.to(getattr(torch, kind.dtype))
    given = isinstance(value, (torch.Tensor, np.ndarray)) and array.is_floating_point()
    return array if given else array.float()


def check_bounds(name, kind, value, sizes):
    """Unfit where an entry lies outside of the bounds; `sizes` has a number for every letter by now."""
    if kind.low is None:
        return
    low, high = bound(kind.low, sizes), bound(kind.high, sizes)
    array = np.asarray(value)
    if (array < low).any() or (array > high).any():
        said = [
            f"{told}, which is {n}," if str(told) != str(n) else f"{n}"
            for told, n in ((kind.low, low), (kind.high, high))
        ]
        holds = "holds numbers" if kind.axes else "is a number"
        raise Unfit(
            f"`{name}` {holds} from {said[0]} to {said[1].rstrip(',')}: {short(array.tolist())} came."
        )


def wants(name, kind, value):
    shape = getattr(value, "shape", None)
    came = f"the shape {tuple(shape)}" if shape is not None and len(tuple(shape)) != len(kind.axes) else None
    if came is None:
        dtype = getattr(value, "dtype", None)
        came = f"{dtype}" if dtype is not None else short(value)
    return Unfit(f"`{name}` is {kind.says()}, and {came} came.")


def short(value):
    text = repr(value)
    return text if len(text) <= 40 else f"a {type(value).__name__}"
