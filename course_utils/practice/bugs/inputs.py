"""The inputs of a bug hunt's programs: draws random values, and checks the values that a learner passes.

Arguments are declared as `floats("B", "T", "D")`, `size("H")` and so on. A letter is one size in all of them.
"""

import math
import zlib
from functools import partial

import numpy as np
import torch

from ..card import Refusal, as_text, kind_of
from ..formula import work_out

INF = math.inf
LARGEST, LONGEST = 20_000, 200  # entries of one argument, and along one axis: scores grow with its square
ENTRIES = {"float": "floats", "whole": "whole numbers", "bool": "True and False"}
SINGLE = {"float": "a number", "whole": "a whole number", "bool": "True or False"}


class Argument:
    """One argument of a program. what: "float", "whole" or "bool". axes: letters; none for a single value.
    library: "torch" or "numpy". low, high: bounds of the entries; high may be a formula of letters. dtype: a
    name. spread: a factor for half of the drawn arrays of floats. letter: the size that a single value
    sets."""

    def __init__(
        self, what, *axes, library="torch", low=-INF, high: float | str = INF, dtype="", spread=1.0, letter=""
    ):
        self.what, self.axes, self.library, self.low, self.high = what, axes, library, low, high
        self.dtype, self.spread, self.letter = dtype, spread, letter

    def describe(self):
        """'a (B, T, D) tensor of floats', 'a whole number from 1 to T'."""
        between = f" from {self.low} to {self.high}" if self.high != INF else ""
        between = f", at least {self.low}" if self.letter else between
        if not self.axes:
            return SINGLE[self.what] + between
        array = "array" if self.library == "numpy" else "tensor"
        shape = f"({', '.join(self.axes)}{',' if len(self.axes) == 1 else ''})"
        return f"a {shape} {array} of {self.dtype or ENTRIES[self.what]}{between}"

    def most(self, sizes):
        return work_out(self.high, sizes) if isinstance(self.high, str) else self.high

    def draw(self, g, sizes):
        """Draw a valid value. sizes: a number for every letter."""
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
        return self.array(torch.as_tensor(np.array(values)))

    def array(self, values):
        """Convert a tensor to what the program takes: a copy of the right dtype and library, or a number."""
        floats = getattr(torch, self.dtype or ("float32" if self.axes else "float64"))
        dtype = {"bool": torch.bool, "whole": torch.int64, "float": floats}[self.what]
        array = values.detach().cpu().to(dtype, copy=True)
        return array.item() if not self.axes else array.numpy() if self.library == "numpy" else array

    def read(self, name, value, sizes):
        """Convert a learner's value to what the program takes, and add its letters to `sizes`. A Refusal says
        what is wrong. A tuple of sizes stands for random floats of that shape."""
        is_shape = isinstance(value, tuple) and all(type(size) is int and size > 0 for size in value)
        if self.what == "float" and self.axes and is_shape and len(value) == len(self.axes):
            refuse_large(name, value)
            value = np.random.default_rng().standard_normal(value)
        try:
            values = value if isinstance(value, torch.Tensor) else torch.as_tensor(np.array(value))
            refuse_large(name, values.shape)
            if values.dim() != len(self.axes) or values.is_complex() or not self.entries_fit(values):
                raise ValueError
        except Refusal:
            raise
        except Exception:  # not numbers, rows of different lengths, or a wrong type or shape
            dtype = getattr(value, "dtype", None)
            came = f"{dtype} of shape {tuple(np.shape(value))}" if dtype is not None else kind_of(value)
            raise Refusal(f"`{name}` must be {self.describe()}, but got {came}.") from None
        if self.letter:
            sizes[self.letter] = int(values)
            refuse_large(name, (sizes[self.letter],))
        for axis, (letter, length) in enumerate(zip(self.axes, values.shape, strict=True)):
            wanted = sizes.setdefault(letter, int(letter) if letter.isdigit() else length)
            if wanted != length or not length:
                which = letter if letter.isdigit() else f"{letter}, which is {wanted or 'at least 1'} here"
                raise Refusal(f"Axis {axis} of `{name}` must be {which}, but got {length}.")
        return self.array(values)

    def entries_fit(self, values):
        if self.what == "bool":
            return ((values == 0) | (values == 1)).all()
        return values.dtype != torch.bool and (self.what == "float" or (values % 1 == 0).all())

    def check_bounds(self, name, value, sizes):
        """Raise a Refusal if an entry is out of bounds. sizes: a number for every letter."""
        array, high = np.asarray(value), self.most(sizes)
        if (array < self.low).any() or (array > high).any():
            text = f", which is {high:g}" if isinstance(self.high, str) else ""
            raise Refusal(f"`{name}` must be {self.describe()}{text}, but got {as_text(array.tolist())}.")


def refuse_large(name, shape):
    if max(shape, default=0) > LONGEST or np.prod(shape, dtype=float) > LARGEST:
        most = f"at most {LONGEST} along an axis, and {LARGEST} numbers in all"
        raise Refusal(f"`{name}` is too large: {most}. A small one shows the bug too.")


floats = partial(Argument, "float")
whole = partial(Argument, "whole", low=0, high=9)
bools = flag = partial(Argument, "bool")


def number(low, high):
    return Argument("float", low=low, high=high)


def size(letter):
    return Argument("whole", low=1, letter=letter)


class Bound(float):
    """A number that is wrong only if it is higher than the right one by a margin (`run.MARGIN`): a loss."""

    def __repr__(self):
        return f"{self:.3g}"


def with_weights(layer):
    """Give a layer weights that depend only on their names and shapes, not on the order of creation."""
    for name, weight in layer.named_parameters():
        g = np.random.default_rng(zlib.crc32(f"{name} {tuple(weight.shape)}".encode()))
        numbers = g.standard_normal(tuple(weight.shape)) / max(weight.shape[-1], 1) ** 0.5
        weight.data.copy_(torch.from_numpy(numbers))
    return layer
