"""What a program takes: a drawn value goes out, or a learner's own value comes in and is checked.

An argument is written as `floats("B", "T", "D")`, `size("H")` and so on. Letters are sizes, and the same in
all arguments of a program.
"""

from functools import partial

import numpy as np
import torch

from ..card import Refusal
from ..formula import work_out

DRAWN = (1, 6)  # sizes are drawn between these
LARGEST, LONGEST = 20_000, 200  # entries of one argument, and along one axis: scores grow with its square
ENTRIES = {"float": "floats", "whole": "whole numbers", "bool": "True and False"}
SINGLE = {"float": "a number", "whole": "a whole number", "bool": "True or False"}


class Unfit(Refusal):
    """The value is no valid input. Its text is one sentence for the learner."""


class Kind:
    """what: "float", "whole" or "bool". axes: letters; none of a single value. library: "torch" or "numpy".
    low, high: bounds of entries; high may be a formula of letters. dtype: a name. spread: how large drawn
    floats may become. letter: of a size."""

    def __init__(self, what, *axes, library="torch", low=None, high=None, dtype="", spread=1.0, letter=""):
        self.what, self.axes, self.library, self.low, self.high = what, axes, library, low, high
        self.dtype, self.spread, self.letter = dtype, spread, letter

    def says(self):
        """'a (B, T, D) tensor of floats', 'a whole number from 1 to T'."""
        between = f" from {self.low} to {self.high}" if self.high is not None else ""
        between = f", at least {self.low}" if self.letter else between
        if not self.axes:
            return SINGLE[self.what] + between
        array = "array" if self.library == "numpy" else "tensor"
        shape = f"({', '.join(self.axes)}{',' if len(self.axes) == 1 else ''})"
        return f"a {shape} {array} of {self.dtype or ENTRIES[self.what]}{between}"

    def most(self, sizes):
        return work_out(self.high, sizes) if isinstance(self.high, str) else self.high

    def draw(self, g, sizes):
        """A valid value; `sizes` has a number for every letter."""
        shape = tuple(sizes[axis] for axis in self.axes)
        if self.letter:
            return sizes[self.letter]
        if self.what == "whole":
            values = g.integers(self.low, max(self.low, int(self.most(sizes))) + 1, shape)
        elif self.what == "bool":
            values = g.random(shape) < 0.6
        elif shape:
            values = g.standard_normal(shape) * (self.spread if g.random() < 0.5 else 1.0)
        else:
            values = g.uniform(self.low, self.high, shape)
        return self.array(values) if shape else np.asarray(values).item()

    def array(self, values):
        values = values.astype(self.dtype or "float32") if self.what == "float" else values
        return values if self.library == "numpy" else torch.from_numpy(values)

    # ---- a learner's value

    def read(self, name, value, sizes):
        """The value as the program takes it, a copy; sets letters in `sizes`. Unfit says what is wrong.
        A tuple of sizes stands for random floats."""
        is_shape = isinstance(value, tuple) and all(type(size) is int and size > 0 for size in value)
        if self.what == "float" and self.axes and is_shape and len(value) == len(self.axes):
            refuse_large(name, value)
            value = self.array(np.random.default_rng().standard_normal(value))
        array = self.converted(name, value)
        if self.letter:
            refuse_large(name, (array.item(),))
            sizes[self.letter] = array.item()
        for axis, (letter, length) in enumerate(zip(self.axes, array.shape, strict=True)):
            wanted = sizes.setdefault(letter, int(letter) if letter.isdigit() else length)
            if wanted != length:
                which = letter if letter.isdigit() else f"{letter}, which is {wanted} here"
                raise Unfit(f"Axis {axis} of `{name}` is {which}, and {length} came.")
        if 0 in array.shape:
            raise Unfit(f"`{name}` has no entries: each size has to be at least 1.")
        return array if self.axes else array.item()

    def converted(self, name, value):
        """The value as an array of the program's library and dtype; Unfit where it is none."""
        try:
            array = (
                value.detach().cpu() if isinstance(value, torch.Tensor) else torch.as_tensor(np.array(value))
            )
        except Exception:  # no numbers, or rows of several lengths
            raise self.unfit(name, value) from None
        refuse_large(name, array.shape)
        if array.dim() != len(self.axes) or array.is_complex() or not self.entries_fit(array):
            raise self.unfit(name, value)
        floats = self.dtype or ("float32" if self.axes else "float64")
        dtype = {"bool": torch.bool, "whole": torch.int64, "float": getattr(torch, floats)}[self.what]
        array = array.to(dtype, copy=True)
        return array.numpy() if self.library == "numpy" else array

    def entries_fit(self, array):
        if self.what == "bool":
            return ((array == 0) | (array == 1)).all()
        return array.dtype != torch.bool and (self.what == "float" or (array % 1 == 0).all())

    def check_bounds(self, name, value, sizes):
        """Unfit where an entry lies outside of the bounds; `sizes` has a number for every letter by now."""
        if self.low is None:
            return
        array, high = np.asarray(value), np.inf if self.high is None else self.most(sizes)
        if (array < self.low).any() or (array > high).any():
            which = f", which is {high:g}" if isinstance(self.high, str) else ""
            raise Unfit(f"`{name}` is {self.says()}{which}: {short(array.tolist())} came.")

    def unfit(self, name, value):
        came = f"{value.dtype} of shape {tuple(value.shape)}" if hasattr(value, "dtype") else short(value)
        return Unfit(f"`{name}` is {self.says()}, and {came} came.")


def refuse_large(name, shape):
    if max(shape, default=0) > LONGEST or np.prod(shape, dtype=float) > LARGEST:
        most = f"at most {LONGEST} along an axis, and {LARGEST} numbers in all"
        raise Unfit(f"`{name}` is too large: {most}. Small ones show it too.")


def short(value):
    text = repr(value)
    return text if len(text) <= 40 else f"a {type(value).__name__}"


floats = partial(Kind, "float")
whole = partial(Kind, "whole", low=0, high=9)
bools = flag = partial(Kind, "bool")


def number(low, high):
    return Kind("float", low=low, high=high)


def size(letter):
    return Kind("whole", low=1, letter=letter)
