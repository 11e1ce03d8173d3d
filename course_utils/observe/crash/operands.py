"""The operands of an Operation as the card lists them: shapes with the names of axes, numbers, types."""

import ast
import math
import types

from torch import nn

from course_utils.model.case import dtype_name
from course_utils.observe.fakes import FAKES

from .operation import Part, Parts, entries
from .reader import NUMBERS, SEQUENCES, Unknown

MOST = 6
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)


def operands_of(operation):
    """The Parts that are worth a line: no constants, lists of tensors as their entries; [] where no value is
    known."""
    if operation is None:
        return []
    parts = []
    for part in [*operation.parts, *operation.keywords.values()]:
        parts += entries(part) if holds_arrays(part) else [part]
    known = [part for part in parts if not is_constant(part.text) and tells(part.value)]
    if operation.kind == "attribute":  # of any other object Python's own words say enough
        known = [part for part in known if part.is_array]
    arrays = [part for part in known if part.is_array]
    return without_twins(arrays + [part for part in known if not part.is_array])[:MOST]


def holds_arrays(part):
    is_list = type(part.value) in SEQUENCES
    return is_list and any(Part("", value).is_array for value in part.value)


def tells(value):
    """Not of a function or a module, of which the line tells as much, nor of infinity."""
    if value is Unknown or issubclass(type(value), FUNCTIONS):
        return False
    return type(value) is not types.ModuleType and not (type(value) is float and math.isinf(value))


def is_constant(text):
    """Is it written as it is, such as 3 or (1, 2)?"""
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text.startswith(("'", '"')) or text in ("...", ":")
    return True


def without_twins(parts):
    return list({part.text: part for part in parts}.values())


def tensors_in(place, reader):
    """The tensors that the failing expression names, or else its statement: the first few."""
    make = Parts(place, reader)
    for tree in (place.node, place.statement):
        if tree is None or hasattr(tree, "body") and isinstance(tree, ast.stmt):
            continue
        named = sorted(
            (n for n in ast.walk(tree) if isinstance(n, (ast.Name, ast.Attribute)) and is_read(n)),
            key=lambda n: (n.lineno, n.col_offset),
        )
        if found := without_twins(part for part in map(make.part, named) if part.is_array):
            return found[:MOST]
    return []


def is_read(node):
    return isinstance(node.ctx, ast.Load) and getattr(node, "attr", "") not in ("T", "mT")


def described(parts, axes):
    """[(as it is written, what it is)]; dtypes where they differ."""
    dtypes = {part.value.dtype for part in parts if part.is_array}
    return [(part.text, in_words(part.value, axes, len(dtypes) > 1)) for part in parts]


def in_words(value, axes, with_dtype=False):
    """'(2, 5, 4) = (B, T, d_head)', '4.0, a float', 'None', 'an nn.Linear from 12 to 4 features'."""
    if Part("", value).is_array:
        return shape_in_words(value.shape, axes) + (f", {dtype_name(value.dtype)}" if with_dtype else "")
    if type(value) is nn.Linear:
        return f"an nn.Linear from {value.in_features} to {value.out_features} features"
    if type(value) in SEQUENCES and all(type(item) in NUMBERS for item in value) and len(value) <= 8:
        return repr(list(value) if type(value) is list else tuple(value))
    if type(value) in SEQUENCES:
        return f"a {'list' if type(value) is list else 'tuple'} of {len(value)}"
    if type(value) is str:
        return repr(value[:40])
    if value is None or type(value) in NUMBERS:
        return f"{value}, a float" if type(value) is float else str(value)
    kind = type(value).__name__
    return "a module of ours" if type(value) in FAKES.values() else f"{an(kind)} {kind}"


def an(word):
    return "an" if word[0] in "aeiouAEIOU" else "a"


def shape_in_words(shape, axes):
    """The sizes, and beside them the names of those that have one."""
    sizes = tuple(shape)
    if not sizes:
        return "(), a single number"
    sure = (size for size in sizes if size in axes and (sizes.count(size) == 1 or twice(axes[size])))
    known = {size: axes[size] for size in sure}
    names = ", ".join(known.get(size, str(size)) for size in sizes) + ("," if len(sizes) == 1 else "")
    return f"{sizes} = ({names})" if known else str(sizes)


def twice(name):
    """May a tensor have this axis twice? Examples and heads it has once: there a size is one by chance."""
    return name.startswith(("T", "d_"))
