"""What a program takes: a drawn value goes out, or a learner's own value comes in and is checked.

An argument is written as `floats("B", "T", "D")`, `size("H")` and so on. Letters are sizes, and the same in
all arguments of a program.
"""

from dataclasses import dataclass

import numpy as np
import torch

from ..card import Refusal
from ..formula import work_out

DRAWN = (1, 6)  # sizes are drawn between these
LARGEST, LONGEST = 20_000, 200  # entries of one argument, and along one axis: scores grow with its square
HUGE = 1e15  # no number that means anything here
TOO_LARGE = "`{}` is too large: at most {} along an axis, and {} numbers in all. Small ones show it too."
ENTRIES = {"float": "floats", "whole": "whole numbers", "bool": "True and False"}
ALONE = {"size": "a whole number, at least 1", "flag": "True or False"}


class Unfit(Refusal):
    """The value is no valid input. Its text is one sentence for the learner."""


@dataclass
class Kind:
    """what: "float", "whole", "bool", "size" or "flag". axes: letters. library: "torch" or "numpy". low,
    high:
    bounds of entries, numbers or formulas of letters. dtype: a name. spread: how large drawn floats may
    become. letter: of a size."""

    what: str
    axes: tuple = ()
    library: str = "torch"
    low: object = None
    high: object = None
    dtype: str = ""
    spread: float = 1.0
    letter: str = ""

    def says(self):
        """'a (B, T, D) tensor of floats', 'a whole number from 1 to T'."""
        between = f" from {self.low} to {self.high}" if self.low is not None else ""
        if self.what in ALONE:
            return ALONE[self.what]
        if not self.axes:
            return f"a {'whole number' if self.what == 'whole' else 'number'}{between}"
        array = "array" if self.library == "numpy" else "tensor"
        shape = f"({', '.join(self.axes)}{',' if len(self.axes) == 1 else ''})"
        return f"a {shape} {array} of {self.dtype or ENTRIES[self.what]}{between}"

    def bounds(self, sizes):
        """Numbers; a bound may be a formula of letters."""
        return [work_out(b, sizes) if isinstance(b, str) else b for b in (self.low, self.high)]

    def draw(self, g, sizes):
        """A valid value; `sizes` has a number for every letter."""
        shape = tuple(sizes[axis] for axis in self.axes)
        if self.what == "size":
            return sizes[self.letter]
        if self.what == "flag":
            return bool(g.integers(0, 2))
        if self.what == "whole":
            low, high = map(int, self.bounds(sizes))
            values = g.integers(low, high + 1, shape) if high >= low else np.full(shape, low)
        elif self.what == "bool":
            values = g.random(shape) < 0.6
        elif shape:
            values = g.standard_normal(shape) * (self.spread if g.random() < 0.5 else 1.0)
        else:
            values = g.uniform(self.low, self.high)
        return self.array(values) if shape else values if isinstance(values, float) else int(values)

    def array(self, values):
        values = np.asarray(values)
        values = values.astype(self.dtype or "float32") if self.what == "float" else values
        return values if self.library == "numpy" else torch.from_numpy(np.array(values))

    # ---- a learner's value

    def read(self, name, value, sizes):
        """The value as the program takes it, a copy; sets letters in `sizes`. Unfit says what is wrong.
        A tuple of sizes stands for random floats."""
        if self.what == "flag":
            if not isinstance(value, (bool, np.bool_)):
                raise self.unfit(name, value)
            return bool(value)
        if self.what == "float" and self.axes and isinstance(value, tuple) and self.is_shape(value):
            refuse_large(name, value)
            value = self.array(np.random.default_rng().standard_normal(value))
        array = self.converted(name, value)
        if not self.axes:
            return self.as_number(name, array.item(), sizes)
        for axis, (letter, length) in enumerate(zip(self.axes, array.shape, strict=True)):
            wanted = sizes.setdefault(letter, int(letter) if letter.isdigit() else length)
            if wanted != length:
                which = letter if letter.isdigit() else f"{letter}, which is {wanted} here"
                raise Unfit(f"Axis {axis} of `{name}` is {which}, and {length} came.")
        if 0 in array.shape:
            raise Unfit(f"`{name}` has no entries: each size has to be at least 1.")
        return array

    def as_number(self, name, number, sizes):
        if not abs(number) <= HUGE or self.what == "size" and number < 1:
            raise self.unfit(name, number)
        if self.what == "size":
            refuse_large(name, (number,))
            sizes[self.letter] = number
        return number

    def is_shape(self, value):
        whole = all(isinstance(size, int) and not isinstance(size, bool) and size > 0 for size in value)
        return whole and len(value) == len(self.axes)

    def converted(self, name, value):
        """The value as an array of the program's library and dtype; Unfit where it is none."""
        try:
            is_tensor = isinstance(value, torch.Tensor)
            array = value.detach().cpu() if is_tensor else torch.as_tensor(np.array(value))
        except Exception:  # no numbers, or rows of several lengths
            raise self.unfit(name, value) from None
        array = array.reshape(()) if not self.axes and array.numel() == 1 else array
        if array.dim() != len(self.axes):
            raise self.unfit(name, value)
        refuse_large(name, array.shape)
        floating = array.is_floating_point()
        if self.what == "bool":
            fits = ((array == 0) | (array == 1)).all()
        else:
            fits = array.dtype != torch.bool and not array.is_complex()
            fits = fits and (self.what == "float" or not floating or (array == array.round()).all())
        if not fits:
            raise self.unfit(name, value)
        own = array.dtype if floating and hasattr(value, "dtype") else torch.float32
        own = getattr(torch, self.dtype) if self.dtype else own if self.axes else torch.float64
        array = array.to({"bool": torch.bool, "float": own}.get(self.what, torch.int64), copy=True)
        return array.numpy() if self.library == "numpy" else array

    def check_bounds(self, name, value, sizes):
        """Unfit where an entry lies outside of the bounds; `sizes` has a number for every letter by now."""
        if self.low is None:
            return
        numbers, array = [int(b) if b == int(b) else b for b in self.bounds(sizes)], np.asarray(value)
        if (array < numbers[0]).any() or (array > numbers[1]).any():
            pairs = zip((self.low, self.high), numbers, strict=True)
            low, high = (f"{b}, which is {n}," if str(b) != str(n) else f"{n}" for b, n in pairs)
            verb = "holds numbers" if self.axes else "is a number"
            text = f"`{name}` {verb} from {low} to {high.rstrip(',')}: {short(array.tolist())} came."
            raise Unfit(text)

    def unfit(self, name, value):
        shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
        if shape is not None and len(tuple(shape)) != len(self.axes):
            shown = f"the shape {tuple(shape)}"
        else:
            shown = f"{dtype}" if dtype is not None else short(value)
        return Unfit(f"`{name}` is {self.says()}, and {shown} came.")


def refuse_large(name, shape):
    if max(shape, default=0) > LONGEST or np.prod(shape, dtype=float) > LARGEST:
        raise Unfit(TOO_LARGE.format(name, LONGEST, LARGEST))


def short(value):
    text = repr(value)
    return text if len(text) <= 40 else f"a {type(value).__name__}"


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
