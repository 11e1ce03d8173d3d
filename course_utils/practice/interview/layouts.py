"""Rearrange NumPy arrays by patterns as in einops: "d (h e) -> h d e" splits, permutes and merges axes."""

import re
from math import prod

import numpy as np


def axes_of(side):
    """Parse a side of a pattern: "d (h e)" gives [["d"], ["h", "e"]]; a 1 (no name) gives []."""
    groups = re.findall(r"\(([^)]*)\)|(\S+)", side)
    return [[name for name in (many or single).split() if name != "1"] for many, single in groups]


def sizes_in(shape, groups, sizes):
    """{axis: size}, with one unknown axis per group computed; ValueError if the shape does not fit."""
    if len(shape) != len(groups):
        raise ValueError(f"{len(shape)} axes, and {len(groups)} in the pattern")
    sizes = dict(sizes)
    for length, group in zip(shape, groups, strict=True):
        unknown = [name for name in group if name not in sizes]
        if len(unknown) > 1:
            raise ValueError(f"the sizes of {unknown} are not known")
        rest = prod(sizes[name] for name in group if name in sizes)
        if unknown:
            sizes[unknown[0]] = length // rest if rest else 0
        if prod(sizes[name] for name in group) != length:
            raise ValueError(f"an axis of {length} is not {group}")
    return sizes


def rearrange(array, pattern, **sizes):
    """The array in another layout. sizes: of axes that the shape does not determine."""
    before, after = (axes_of(side) for side in pattern.split("->"))
    sizes = sizes_in(array.shape, before, sizes)
    wanted = [name for group in after for name in group]
    flat = [name for group in before for name in group if name in wanted or sizes[name] != 1]
    new = [name for name in wanted if name not in flat]  # an axis on one side only has size 1
    sizes |= dict.fromkeys(new, 1)
    array = array.reshape([sizes[name] for name in flat + new])
    array = array.transpose([(flat + new).index(name) for name in wanted])
    return array.reshape([prod(sizes[name] for name in group) for group in after])


def looped(call, arrays, axes, whole):
    """The result of call(arrays), from a call for each entry of the axes that are not in `whole` (they have
    size 1 then). arrays: {name: array}. axes: {name: letters}, those of the result under ""."""
    for place, axis in enumerate(axes[""]):
        sizes = [arrays[name].shape[axes[name].index(axis)] for name in arrays if axis in axes[name]]
        if axis in whole or sizes[0] == 1:
            continue

        def part(entry, axis=axis):
            cut = {
                name: np.take(array, [entry], axes[name].index(axis)) if axis in axes[name] else array
                for name, array in arrays.items()
            }
            return looped(call, cut, axes, whole)

        return np.concatenate([part(entry) for entry in range(sizes[0])], place)
    return call(arrays)


def shape_of(pattern, sizes):
    """The shape of an array in this layout."""
    return tuple(prod(sizes[name] for name in group) for group in axes_of(pattern))


def fits(array, pattern, sizes):
    return isinstance(array, np.ndarray) and array.shape == shape_of(pattern, sizes)


def names_in(pattern):
    return [name for group in axes_of(pattern) for name in group]
