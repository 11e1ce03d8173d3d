"""What a failed Operation required, in one sentence; "" unless the known shapes certainly break a rule of the
operation."""

import math
import re
from itertools import combinations, zip_longest

from .reader import SEQUENCES
from .words import product, size_in_words

WHOLE = re.compile(r"\bint(eger)?s?\b")  # in messages about a float where an integer is needed


def wanted_of(operation, error, axes):
    """The sentence, or "" if nothing is certain."""
    if isinstance(error, (TypeError, IndexError)) and operation.floats and WHOLE.search(str(error)):
        part = next((p for p in operation.floats if "/" in p.text), operation.floats[0])
        why = "`/` always gives a float, `//` a whole number"
        return f"`{part.text}` is {part.value}, a float, where a whole number is needed: {why}."
    rule = RULES.get(operation.name)
    applies = rule and isinstance(error, (RuntimeError, ValueError, IndexError))
    return rule(operation, f"`{operation.as_written}`", axes) if applies else ""


def matmul(operation, how, axes):
    """The last axis of the left operand must equal the second-to-last of the right one; others broadcast."""
    shapes = [part.value.shape for part in operation.arrays[:2]]
    if len(shapes) < 2 or not all(shapes):
        return ""
    left, right = shapes
    inner, other = left[-1], right[-2 if len(right) > 1 else -1]
    if inner != other:
        axis = "the second-to-last axis" if len(right) > 1 else "the only axis"
        begin = f"{how} matches the last axis of the left operand ({size_in_words(inner, axes)}) with {axis}"
        return f"{begin} of the right operand ({size_in_words(other, axes)}): these must be equal."
    begin = f"{how} lines up the axes before the last two, from the right"
    return broadcast_clash(begin, [left[:-2], right[:-2]], axes, 2)


def broadcast(operation, how, axes):
    """For operations that work entry by entry: all axes broadcast."""
    shapes = [part.value.shape for part in operation.arrays]
    return broadcast_clash(f"{how} lines up the axes from the right", shapes, axes)


def broadcast_clash(begin, shapes, axes, removed_axes=0):
    """A sentence on the first two sizes that meet and do not fit. removed_axes: last axes already cut off."""
    for left, right in combinations(shapes, 2):
        pairs = zip_longest(reversed(left), reversed(right), fillvalue=1)
        for i, (a, b) in enumerate(pairs, 1 + removed_axes):
            if a != b and 1 not in (a, b):
                meeting = f"{size_in_words(a, axes)} meets {size_in_words(b, axes)} (axis {-i})"
                return f"{begin}, and {meeting}. Sizes that meet must be equal, or one of them must be 1."
    return ""


def view(operation, how, axes):
    """The number of entries must stay the same."""
    subject, *sizes = operation.parts
    sizes = [part.value for part in sizes]
    sizes = list(sizes[0]) if len(sizes) == 1 and type(sizes[0]) in SEQUENCES else sizes
    sizes_asked = [size for size in sizes if size != -1]
    if not subject.is_array or not sizes or any(type(size) is not int for size in sizes):
        return ""
    have, want = math.prod(subject.value.shape), math.prod(sizes_asked)
    begin = f"{how} keeps the number of entries: `{subject.text}` has {product(subject.value.shape)} entries"
    if len(sizes) == len(sizes_asked) and have != want:
        return f"{begin}, and {tuple(sizes)} asks for {product(sizes)}."
    return f"{begin}, which {product(sizes_asked)} does not divide." if not want or have % want else ""


def concatenation(operation, how, axes):
    """All axes but the one joined along must be equal."""
    first, *rest = operation.parts
    shapes = [tuple(part.value.shape) for part in first.entries if part.is_array]
    axis = next((part.value for part in rest if type(part.value) is int), 0)
    for shape in shapes:
        for i, (a, b) in enumerate(zip(shapes[0], shape, strict=False)):
            if a != b and i not in (axis, axis + len(shape)):
                begin = f"{how} joins along axis {axis}, so all other axes must be equal"
                sizes = f"{size_in_words(a, axes)} in one tensor and {size_in_words(b, axes)} in another"
                return f"{begin}: axis {i} is {sizes}."
    return ""


def linear(operation, how, axes):
    """For nn.Linear, and F.linear with a weight (out, in): the last axis must equal in_features."""
    shapes = [part.value.shape for part in operation.arrays[:2]]
    if len(shapes) < 2 or not all(shapes) or shapes[0][-1] == shapes[1][-1]:
        return ""
    width, wanted = (size_in_words(shape[-1], axes) for shape in shapes)
    begin = f"{how} takes tensors whose last axis is {wanted} (its in_features)"
    return f"{begin}; that of `{operation.arrays[0].text}` is {width}."


RULES = {
    **dict.fromkeys(("@", "matmul", "bmm", "mm"), matmul),
    **dict.fromkeys(("+", "-", "*", "/", "&", "<", ">", "<=", ">=", "==", "=", "add", "where"), broadcast),
    **dict.fromkeys(("masked_fill", "masked_fill_"), broadcast),
    **dict.fromkeys(("view", "reshape"), view),
    **dict.fromkeys(("cat", "concat", "concatenate"), concatenation),
    "linear": linear,
}
