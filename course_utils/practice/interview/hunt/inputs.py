"""What a program takes: the kind of an argument comes in, its words or a drawn value go out.

An argument is written as `floats("B", "T", "D")`, `size("H")` and so on. Letters are sizes, and the same in
all arguments. `read_input.py` checks a value that a learner gave.
"""

from dataclasses import dataclass, field

import numpy as np
import torch

DRAWN = (1, 6)  # sizes are drawn between these


@dataclass
class Kind:
    """axes: letters. library: "torch" or "numpy". low, high: bounds of entries, numbers or formulas of
    letters. dtype: a name. spread: how large drawn floats may become."""

    what: str
    axes: tuple = ()
    library: str = "torch"
    low: object = None
    high: object = None
    dtype: str = ""
    spread: float = 1.0
    letter: str = field(default="")

    def says(self):
        """'(B, T, D) floats', 'a whole number from 1 to T'."""
        between = f" from {self.low} to {self.high}" if self.low is not None else ""
        array = "array" if self.library == "numpy" else "tensor"
        shape = f"a ({', '.join(self.axes)}{',' if len(self.axes) == 1 else ''}) {array} of "
        if self.what == "size":
            return "a whole number, at least 1"
        if self.what == "flag":
            return "True or False"
        if not self.axes:
            return f"a {self.what.replace('whole', 'whole number').replace('float', 'number')}{between}"
        entries = {"float": self.dtype or "floats", "whole": "whole numbers", "bool": "True and False"}
        return f"{shape}{entries[self.what]}{between}"


def floats(*axes, library="torch", dtype="", spread=1.0):
    return Kind("float", axes, library, dtype=dtype, spread=spread)


def whole(*axes, low=0, high=9, library="torch"):
    return Kind("whole", axes, library, low, high)


def bools(*axes, library="torch"):
    return Kind("bool", axes, library)


def number(low, high):
    return Kind("float", (), low=low, high=high)


def size(letter):
    return Kind("size", letter=letter)


def flag():
    return Kind("flag")


def bound(told, sizes):
    """A bound as a number: it may be a formula of letters."""
    return eval(told, {}, dict(sizes)) if isinstance(told, str) else told


# ---- draw


def draw(kind, g, sizes):
    """A valid value; `sizes` has a number for every letter."""
    if kind.what == "size":
        return sizes[kind.letter]
    if kind.what == "flag":
        return bool(g.integers(0, 2))
    shape = tuple(sizes[axis] for axis in kind.axes)
    if kind.what == "whole":
        low, high = bound(kind.low, sizes), bound(kind.high, sizes)
        made = g.integers(low, high + 1, shape) if high >= low else np.full(shape, low)
        return as_library(made, kind) if shape else int(made)
    if kind.what == "bool":
        return as_library(g.random(shape) < 0.6, kind)
    if not shape:
        return float(g.uniform(kind.low, kind.high))
    large = kind.spread if g.random() < 0.5 else 1.0
    return as_library(g.standard_normal(shape) * large, kind)


def as_library(array, kind):
    array = np.asarray(array)
    if kind.what == "float":
        array = array.astype(kind.dtype or "float32")
    return array if kind.library == "numpy" else torch.from_numpy(np.array(array))
