"""Sizes as sentences write them."""

import math


def size_in_words(size, axes):
    """'d_head = 4', or '4' where no name is sure."""
    return f"{axes[size]} = {size}" if size in axes else str(size)


def product(sizes):
    """'2 * 5 * 12 = 120'; a single size by itself."""
    sizes = list(sizes)
    return f"{' * '.join(map(str, sizes))} = {math.prod(sizes)}" if len(sizes) > 1 else str(math.prod(sizes))


def counted(shape):
    return f"{math.prod(shape)} entries"


def number_of_axes(number):
    return "1 axis" if number == 1 else f"{number} axes"
