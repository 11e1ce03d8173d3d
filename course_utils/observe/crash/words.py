"""Values and sizes in words, for a card."""

import math

from course_utils.model.case import dtype_name

from .reader import ARRAYS, NUMBERS, SEQUENCES


def describe(parts, axes):
    """[(source, description)] of the operands; with dtypes if they differ."""
    dtypes = {part.value.dtype for part in parts if part.is_array}
    return [(part.text, in_words(part.value, axes, len(dtypes) > 1)) for part in parts]


def in_words(value, axes, with_dtype=False):
    """'(2, 5, 4) = (B, T, d_head)', '4.0, a float', 'None', 'a list of 9'."""
    if type(value) in ARRAYS:
        return shape_in_words(value.shape, axes) + (f", {dtype_name(value.dtype)}" if with_dtype else "")
    if type(value) in SEQUENCES:
        kind = list if type(value) is list else tuple
        short = len(value) <= 8 and all(type(item) in NUMBERS for item in value)
        return repr(kind(value)) if short else f"a {kind.__name__} of {len(value)}"
    if isinstance(value, float):
        return f"{value}, a float"
    return repr(value[:40]) if type(value) is str else str(value)


def shape_in_words(shape, axes):
    """The sizes, with known names; a size that occurs twice gets one only if it starts with T or d_."""
    sizes = tuple(shape)
    if not sizes:
        return "(), a single number"
    sure = {size: axes[size] for size in sizes if size in axes}
    sure = {n: name for n, name in sure.items() if sizes.count(n) == 1 or name.startswith(("T", "d_"))}
    names = ", ".join(sure.get(size, str(size)) for size in sizes) + ("," if len(sizes) == 1 else "")
    return f"{sizes} = ({names})" if sure else str(sizes)


def size_in_words(size, axes):
    """'d_head = 4', or '4' if the size has no certain name."""
    return f"{axes[size]} = {size}" if size in axes else str(size)


def product(sizes):
    """'2 * 5 * 12 = 120'; a single size by itself."""
    sizes = list(sizes)
    return f"{' * '.join(map(str, sizes))} = {math.prod(sizes)}" if len(sizes) > 1 else str(math.prod(sizes))
