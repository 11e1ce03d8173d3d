"""What functions that rearrange, join or split tensors wanted: a sentence, or "" where no rule is broken for
sure."""

import math

import torch

from .operation import Part, entries
from .reader import SEQUENCES, Unknown
from .sentences import number_of_axes, product, size_in_words

TAKE_SIZES = (
    "view reshape unflatten expand repeat split chunk zeros ones empty full rand randn eye arange "
    "tensor_split narrow transpose permute triu tril range Linear"
)
TAKE_AXES = (
    "transpose swapaxes permute softmax log_softmax sum mean max amax min amin argmax argmin cumsum squeeze "
    "flatten flip any all logsumexp"
)
NO_AXES = "`{}` is a single number: it has no axes."


def whole_sizes(operation, error, axes):
    """A float where a size is wanted."""
    if not isinstance(error, TypeError) or operation.name not in TAKE_SIZES.split():
        return ""
    parts = [*operation.parts, *operation.keywords.values()]
    parts += [Part(f"{p.text}", v) for p in parts if type(p.value) in SEQUENCES for v in p.value]
    found = next((part for part in parts if type(part.value) is float), None)
    if found is None:
        return ""
    whole = f"`{operation.as_written}` takes whole numbers, and `{found.text}` is {found.value}, a float"
    return f"{whole}: `/` always gives a float, `//` a whole number." if "/" in found.text else f"{whole}."


def other_count(how, subject, sizes, axes):
    """Sizes that hold more or fewer entries than the tensor has."""
    have, known = math.prod(subject.value.shape), math.prod(size for size in sizes if size != -1)
    holds = f"`{subject.text}` has {product(subject.value.shape)} entries"
    if sizes.count(-1) == 1 and (not known or have % known):
        given = product(size for size in sizes if size != -1)
        return f"{how} keeps the number of entries: {holds}, which {given} does not divide."
    if -1 not in sizes and have != known:
        return f"{how} keeps the number of entries: {holds}, and {tuple(sizes)} asks for {product(sizes)}."
    return ""


def unflattened(operation, error, axes):
    """One axis is split; the product stays."""
    subject, axis, sizes = [*operation.parts, *(Part("", Unknown),) * 3][:3]
    axis = operation.keyword("dim") if axis.value is Unknown else axis.value
    sizes = operation.keyword("sizes") if sizes.value is Unknown else sizes.value
    if not subject.is_array or type(axis) is not int or type(sizes) not in SEQUENCES:
        return ""
    if any(type(size) is not int for size in sizes) or not -subject.value.ndim <= axis < subject.value.ndim:
        return ""
    have, known = subject.value.shape[axis], math.prod(size for size in sizes if size != -1)
    if (-1 in sizes and known and have % known == 0) or (-1 not in sizes and have == known):
        return ""
    given = product(size for size in sizes if size != -1)
    not_so = f"{given} does not divide it" if -1 in sizes else f"the product of the new sizes is {given}"
    return (
        f"`{operation.as_written}` splits axis {axis} of `{subject.text}`, which is "
        f"{size_in_words(have, axes)}: {not_so}."
    )


def expanded(operation, error, axes):
    """Only axes of size 1 grow."""
    subject, *rest = operation.parts or [Part("")]
    sizes = [part.value for part in rest]
    sizes = list(sizes[0]) if len(sizes) == 1 and type(sizes[0]) in SEQUENCES else sizes
    if not subject.is_array or any(type(size) is not int for size in sizes):
        return ""
    if len(sizes) < subject.value.ndim:
        given = number_of_axes(subject.value.ndim)
        return (
            f"`.expand` takes a size for every axis: `{subject.text}` has {given}, and here are {len(sizes)}."
        )
    pairs = enumerate(zip(reversed(subject.value.shape), reversed(sizes), strict=False), 1)
    found = next(((-i, a, b) for i, (a, b) in pairs if b not in (-1, a) and a != 1), None)
    if found is None:
        return ""
    number, have, asked = found
    text = f"axis {number} is {size_in_words(have, axes)}, and {size_in_words(asked, axes)} is asked for"
    return f"`.expand` repeats axes of size 1 only: {text}."


def joined(operation):
    """(the tensors that are joined, the axis), or None where they are not known."""
    first = operation.parts[0] if operation.parts else Part("")
    if type(first.value) not in SEQUENCES or not first.value:
        return None
    parts = entries(first)
    axis = operation.keyword("dim", "axis")
    axis = axis if axis is not Unknown else operation.parts[1].value if len(operation.parts) > 1 else 0
    return (parts, axis) if all(p.is_array for p in parts) and type(axis) is int else None


def concatenated(operation, error, axes):
    """All axes but one are equal."""
    if (found := joined(operation)) is None:
        return ""
    parts, axis = found
    first, ndim, how = parts[0].value.shape, parts[0].value.ndim, f"`{operation.as_written}`"
    if any(part.value.ndim != ndim for part in parts):
        numbers = " and ".join(sorted({str(part.value.ndim) for part in parts}))
        return f"{how} joins tensors with the same number of axes; here they have {numbers}."
    if not -ndim <= axis < ndim:
        return numbered(f"the first of them has {number_of_axes(ndim)}", ndim, axis)
    for part in parts[1:]:
        for i, (a, b) in enumerate(zip(first, part.value.shape, strict=True)):
            if a != b and i != axis % ndim:
                sizes = f"{size_in_words(a, axes)} in the one and {size_in_words(b, axes)} in the other"
                return f"{how} joins along axis {axis}, so all other axes must be equal: axis {i} is {sizes}."
    return ""


def stacked(operation, error, axes):
    """All shapes are equal."""
    found = joined(operation)
    shapes = list(dict.fromkeys(tuple(part.value.shape) for part in found[0])) if found else []
    if len(shapes) < 2:
        return ""
    return (
        f"`{operation.as_written}` puts tensors of one shape beside each other; here are {shapes[0]} and "
        f"{shapes[1]}."
    )


def einsum(operation, error, axes):
    """A letter for each axis, and one size for each letter."""
    equation, *parts = operation.parts or [Part("")]
    if type(equation.value) is not str or "." in equation.value or not all(p.is_array for p in parts):
        return ""
    left, arrow, right = equation.value.replace(" ", "").partition("->")
    terms, sizes = left.split(","), {}
    if len(terms) != len(parts):
        return f"The equation has {len(terms)} operands on its left side, and {len(parts)} are given."
    for term, part in zip(terms, parts, strict=True):
        if len(term) != part.value.ndim:
            given = number_of_axes(part.value.ndim)
            return f"Each axis needs a letter: `{term}` has {len(term)}, and `{part.text}` has {given}."
        for letter, size in zip(term, part.value.shape, strict=True):
            before, where = sizes.setdefault(letter, (size, part.text))
            if before != size and 1 not in (before, size):
                one, other = size_in_words(before, axes), size_in_words(size, axes)
                return (
                    f"A letter has one size: `{letter}` is {one} in `{where}` and {other} in `{part.text}`."
                )
    unknown = [letter for letter in right if letter not in sizes]
    return f"The letter `{unknown[0]}` stands on the right side of `->` only." if unknown else ""


def through_layer(operation, error, axes):
    """nn.Linear, and F.linear with a weight (out, in): the last axis is in_features."""
    if type(operation.function) is torch.nn.Linear:
        (x, *_), wanted = operation.parts or [Part("")], operation.function.in_features
        of = f"`{operation.as_written}` takes tensors whose last axis is {{}} (its in_features)"
    else:
        if len(operation.parts) < 2 or not operation.parts[1].is_array or operation.parts[1].value.ndim != 2:
            return ""
        x, wanted = operation.parts[0], operation.parts[1].value.shape[-1]
        of = f"`{operation.as_written}` multiplies the last axis of x with the last axis of the weight, {{}}"
    if not x.is_array or not x.value.ndim or x.value.shape[-1] == wanted:
        return ""
    here = size_in_words(x.value.shape[-1], axes)
    return f"{of.format(size_in_words(wanted, axes))}; that of `{x.text}` is {here}."


def unpacked(operation, error, axes):
    """One name for each part."""
    (part,), names = operation.parts, int(operation.name)
    if part.value is Unknown or type(part.value) not in (tuple, list, torch.Size) and not part.is_array:
        return ""
    if part.is_array and not part.value.ndim or len(part.value) == names:
        return ""
    kind = (
        "sizes, one for each axis"
        if isinstance(part.value, torch.Size) or ".shape" in part.text
        else ("entries along its first axis" if part.is_array else "parts")
    )
    return f"There must be one name for each part: here are {names} names, and `{part.text}` has " + (
        f"{len(part.value)} {kind}."
    )


def axis_numbers(operation, error, axes):
    """A number of an axis that is not there."""
    subject = operation.parts[0] if operation.parts else Part("")
    if not isinstance(error, IndexError) and "Axis" not in type(error).__name__:
        return ""
    if not subject.is_array or operation.name not in TAKE_AXES.split():
        return ""
    values = [
        *operation.values(1),
        *(p.value for n, p in operation.keywords.items() if "dim" in n or n == "axis"),
    ]
    values = [number for v in values for number in (v if type(v) in SEQUENCES else [v])]
    ndim = subject.value.ndim
    wrong = next((n for n in values if type(n) is int and not -ndim <= n < ndim), None)
    if wrong is None or not ndim:
        return NO_AXES.format(subject.text) if wrong is not None else ""
    return numbered(f"`{subject.text}` has {number_of_axes(ndim)}", ndim, wrong)


def numbered(begin, ndim, wrong):
    begin = begin[0].upper() + begin[1:]
    last = ndim - 1
    return f"{begin}, numbered 0 to {last}, or -{ndim} to -1 from the end: there is no axis {wrong}."
