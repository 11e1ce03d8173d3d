"""An Operation that failed -> what it wanted, in one sentence; "" unless the values that are known break a
rule of the operation for sure."""

import math

import torch

from .broadcasting import leading_axes, lined_up, put_in
from .names_wanted import missing_attribute, missing_name
from .reader import SEQUENCES, Unknown
from .sentences import counted, number_of_axes, size_in_words
from .shapes_wanted import (
    axis_numbers,
    concatenated,
    einsum,
    expanded,
    other_count,
    stacked,
    through_layer,
    unflattened,
    unpacked,
    whole_sizes,
)


def wanted_of(operation, error, axes):
    """The sentence, or ""."""
    rules = RULES.get(operation.kind, ())
    rules = rules if isinstance(rules, tuple) else rules(operation)
    told = (rule(operation, error, axes) for rule in rules)
    return next(filter(None, told), "")


def rules_of_operator(operation):
    return (matmul,) if operation.name in ("@", "@=") else (elementwise,)


def rules_of_call(operation):
    """Those of a function of torch, NumPy or math, or of a tensor's method; of a layer's call its own."""
    if type(operation.function) is torch.nn.Linear:
        return (through_layer,)
    is_method = operation.as_written.startswith(".")
    if operation.library == "math" or operation.name in ("float", "int") and operation.library == "class":
        return (one_number,)
    if is_method and operation.name == "item":
        return (one_number,)
    known = operation.library or is_method
    return (whole_sizes, *FUNCTIONS.get(operation.name, ()), axis_numbers) if known else ()


def matmul(operation, error, axes):
    """The last axis of the left one meets the last but one of the right one; the others broadcast."""
    if len(operation.parts) < 2 or not all(part.is_array for part in operation.parts[:2]):
        return ""
    (left, right), how = operation.parts[:2], written(operation)
    fixed = {"bmm": 3, "mm": 2}.get(operation.name)
    for part in (left, right):
        if part.value.ndim == 0:
            return f"{how} needs an axis on each side, and `{part.text}` is a single number."
        if fixed and part.value.ndim != fixed:
            return f"{how} takes tensors with {fixed} axes, and `{part.text}` has {part.value.ndim}."
    inner, other = left.value.shape[-1], right.value.shape[-2 if right.value.ndim > 1 else -1]
    which = "the last axis but one" if right.value.ndim > 1 else "the only axis"
    if inner != other:
        return (
            f"{how} multiplies the last axis of the left one ({size_in_words(inner, axes)}) with {which} of "
            f"the right one ({size_in_words(other, axes)}): these must be equal."
        )
    return leading_axes(how, left.value.shape, right.value.shape, axes)


def elementwise(operation, error, axes):
    parts = [part for part in operation.parts if part.is_array]
    if operation.name.endswith("=") and operation.name not in ("<=", ">=", "==", "!="):
        return put_in(written(operation), *operation.parts, axes) if len(parts) == 2 else ""
    return lined_up(written(operation), [part.value.shape for part in parts], axes)


def masked(operation, error, axes):
    """masked_fill and its kind: the tensor and the mask."""
    parts = operation.parts[:2]
    mask = operation.keyword("mask")
    shapes = [part.value.shape for part in parts if part.is_array]
    shapes += [mask.shape] if type(mask) is torch.Tensor else []
    begin = f"{written(operation)} lines the axes of tensor and mask up from the right"
    return lined_up("", shapes, axes, begin) if len(shapes) == 2 else ""


def view(operation, error, axes):
    """The number of entries stays."""
    if not operation.parts or not operation.parts[0].is_array:
        return ""
    sizes = sizes_among(operation)
    subject, how = operation.parts[0], written(operation)
    if not sizes or any(type(size) is not int for size in sizes) or min(sizes) < -1:
        return ""
    return other_count(how, subject, sizes, axes)


def sizes_among(operation):
    """The sizes after the tensor: one after the other, or as a tuple."""
    values = operation.values(1) or [operation.keyword("shape", "size")]
    if len(values) == 1 and type(values[0]) in SEQUENCES:
        values = list(values[0])
    return values


def swapped(operation, error, axes):
    """torch's transpose takes two axes; NumPy's takes all of them."""
    subject, numbers = array_and_numbers(operation)
    if subject is None:
        return ""
    if isinstance(subject.value, torch.Tensor) and len(numbers) != 2 and isinstance(error, TypeError):
        return (
            f"{written(operation)} swaps two axes, so it takes two numbers; here it gets {len(numbers)}. "
            "To put all axes into a new order there is `.permute`."
        )
    return "" if isinstance(subject.value, torch.Tensor) else all_axes(operation, error, axes)


def array_and_numbers(operation):
    """The array that a method was called on, and its numbers; (None, []) where they are not all known."""
    subject, numbers = operation.parts[0] if operation.parts else None, sizes_among(operation)
    known = not any(number is Unknown for number in numbers) and not operation.keywords
    return (subject, numbers) if subject is not None and subject.is_array and known else (None, [])


def all_axes(operation, error, axes):
    subject, numbers = array_and_numbers(operation)
    if subject is None:
        return ""
    if not numbers or any(type(n) is not int for n in numbers) or len(numbers) == subject.value.ndim:
        return ""
    return (
        f"{written(operation)} takes every axis of `{subject.text}` once: {subject.value.ndim} numbers, and "
        f"here it gets {len(numbers)}."
    )


def without_dim(operation, error, axes):
    """softmax has to be told its axis."""
    subject = operation.parts[0] if operation.parts else None
    alone = len(operation.parts) == 1 and not {"dim", "axis"} & set(operation.keywords)
    if subject is None or not subject.is_array or not alone or not isinstance(error, TypeError):
        return ""
    return f"{written(operation)} has to be told along which axis it adds up to 1: it takes `dim=`."


def one_number(operation, error, axes):
    """math knows numbers only."""
    part = next((p for p in operation.parts if p.is_array and math.prod(p.value.shape) != 1), None)
    if part is None or isinstance(error, (NameError, AttributeError)):
        return ""
    text = f"{written(operation)} takes a single number, and `{part.text}` has {counted(part.value.shape)}"
    other = operation.name if operation.library == "math" and hasattr(torch, operation.name) else None
    return f"{text}: of a whole tensor, `torch.{other}` takes each entry." if other else f"{text}."


def indexed(operation, error, axes):
    """An index that is no whole number, one too many, or one past the end."""
    base, *indices = operation.parts
    if any(type(part.value) is float for part in indices):
        return "An index must be a whole number; `/` gives a float even where nothing is left over."
    if not isinstance(error, IndexError):
        return ""
    if type(base.value) in SEQUENCES:
        return past_the_end(f"`{base.text}`", len(base.value), indices[0].value, "entries")
    plain = all(type(part.value) is int or sliced(part) for part in indices)
    if not base.is_array or not plain:
        return ""
    if len(indices) > base.value.ndim:
        return f"`{base.text}` has {number_of_axes(base.value.ndim)}, and here are {len(indices)} indices."
    found = (
        past_the_end(f"Axis {i} of `{base.text}`", size, part.value, "entries")
        for i, (size, part) in enumerate(zip(base.value.shape, indices, strict=False))
    )
    return next(filter(None, found), "")


def sliced(part):
    return type(part.value) is slice


def past_the_end(what, size, number, of):
    if type(number) is not int or -size <= number < size:
        return ""
    if not size:
        return f"{what} is empty: it has no place {number}."
    return f"{what} has {size} {of}, which are numbered 0 to {size - 1}: there is no place {number}."


def put(operation, error, axes):
    """x[...] = y: y broadcasts to the place."""
    place, value = operation.parts
    return put_in("", place, value, axes) if place.is_array and value.is_array else ""


def written(operation):
    """`@`, `torch.cat`, `.view`."""
    return f"`{operation.as_written or operation.name}`"


def chosen(operation, error, axes):
    return lined_up(written(operation), [p.value.shape for p in operation.parts if p.is_array], axes)


FUNCTIONS = {
    **dict.fromkeys(("matmul", "bmm", "mm"), (matmul,)),
    **dict.fromkeys(("add", "sub", "mul", "div", "where", "maximum", "minimum", "subtract"), (chosen,)),
    **dict.fromkeys(("multiply", "divide", "logical_or", "logical_and"), (chosen,)),
    **dict.fromkeys(("masked_fill", "masked_fill_"), (masked,)),
    **dict.fromkeys(("view", "reshape"), (view,)),
    **dict.fromkeys(("cat", "concat", "concatenate"), (concatenated,)),
    **dict.fromkeys(("softmax", "log_softmax"), (without_dim,)),
    "stack": (stacked,),
    "transpose": (swapped,),
    "permute": (all_axes,),
    "unflatten": (unflattened,),
    "expand": (expanded,),
    "einsum": (einsum,),
    "linear": (through_layer,),
}
RULES = {
    "operator": rules_of_operator,
    "call": rules_of_call,
    "index": (indexed,),
    "put": (put,),
    "attribute": (missing_attribute,),
    "name": (missing_name,),
    "unpack": (unpacked,),
}
