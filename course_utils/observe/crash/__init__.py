"""An exception and the names of sizes come in, a Crash goes out: the student's own line, the operands, and
what the operation required. No student code runs for this: no call, no property, no repr."""

import ast
import math
import re
import sys
import types
import warnings
from dataclasses import dataclass
from functools import partial
from itertools import combinations, zip_longest
from typing import Any

import torch
from torch import nn

from course_utils.model.case import dtype_name
from course_utils.model.crash import Crash

from .place import ARRAYS, NUMBERS, SEQUENCES, Reader, place_of

MOST_OPERANDS = 6
CONSTANTS = ("None", "True", "False")
SYMBOLS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@", ast.BitAnd: "&",
    ast.BitOr: "|", ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "==", ast.Assign: "=",
}  # fmt: skip


def crash_of(error, axes, name=""):
    """The Crash of an exception; None if no line of the student's can be found. Never raises. axes: {size:
    axis name}, for sizes whose name is certain. name: what the answer is called."""
    try:
        with torch.no_grad(), warnings.catch_warnings(action="ignore"):
            if (place := place_of(error)) is None:
                return None
            operation = operation_at(place)
            wanted, operands = wanted_of(operation, error, axes), described(operation.operands, axes)
            outermost = place.frame.f_code.co_qualname.partition(".")[0]
            function = outermost if name != outermost and outermost.isidentifier() else ""
            members, without_self = names_of_self(place.frame)
            return Crash(
                place.text, place.number, place.mark, operands, wanted, members, without_self, function
            )
    except Exception:  # the card still shows the exception, without its line
        return None


def names_of_self(frame):
    """(all names of the object whose method this is, its methods whose first parameter is not `self`)."""
    if "self" not in frame.f_locals:
        return frozenset(), frozenset()
    obj = frame.f_locals["self"]
    members = {name: value for cls in reversed(type(obj).__mro__) for name, value in vars(cls).items()}
    stored = object.__getattribute__(obj, "__dict__") if type(obj).__dictoffset__ else {}
    layers = (name for table in ("_parameters", "_buffers", "_modules") for name in stored.get(table, ()))
    functions = {name: f.__code__ for name, f in members.items() if isinstance(f, types.FunctionType)}
    without_self = (name for name, code in functions.items() if code.co_varnames[:1] != ("self",))
    return frozenset([*members, *stored, *layers]), frozenset(without_self)


# ---- the operation that failed


@dataclass
class Part:
    """An operand: its source, and its value or, if that cannot be read, the class Unknown."""

    text: str
    value: Any

    @property
    def is_array(self):
        return type(self.value) in ARRAYS

    @property
    def entries(self):
        """A Part for each item of a sequence that holds tensors; else [self]."""
        if type(self.value) in SEQUENCES and any(type(value) in ARRAYS for value in self.value):
            return [Part(f"{self.text}[{i}]", value) for i, value in enumerate(self.value)]
        return [self]

    @property
    def is_informative(self):
        """Is it worth showing? Not a literal such as 3 or "mean", nor a slice or infinity."""
        is_name = re.match(r"[^\W\d]", self.text.lstrip("(-[*")) and self.text not in CONSTANTS
        infinite = isinstance(self.value, float) and abs(self.value) > sys.float_info.max
        return is_name and type(self.value) not in (type, slice) and not infinite


@dataclass
class Operation:
    """name: "@", "view", "linear" (an nn.Linear), or empty. as_written: "@", "torch.cat", ".view". parts: the
    operands in order, the object of a method first. inside: the names and attributes in the expression."""

    name: str
    as_written: str
    parts: list
    inside: list

    @property
    def shapes(self):
        return [tuple(part.value.shape) for part in self.parts if part.is_array]

    @property
    def operands(self):
        """The Parts worth showing, tensors first. If no operand is a tensor, the tensors inside are shown."""
        parts = [entry for part in self.parts for entry in part.entries]
        parts = [part for part in parts if part.is_informative]
        arrays = [part for part in parts if part.is_array] or [part for part in self.inside if part.is_array]
        other_parts = [part for part in parts if not part.is_array]
        return list({part.text: part for part in arrays + other_parts}.values())[:MOST_OPERANDS]


def operation_at(place):
    """The Operation that failed at a Place; of an unknown kind, only the names in it."""
    reader, node = Reader(place), place.node

    def part(node):
        text = place.source_of(node).replace("`", "'")
        return Part(text if len(text) <= 50 else text[:47] + "...", reader.read(node))

    symbol, parts = getattr(node, "op", getattr(node, "ops", [node])[0]), []
    name = SYMBOLS.get(type(symbol), "")
    for operand in operands_of(node):
        starred = isinstance(operand, ast.Starred)
        parts += part(operand.value).entries if starred else [part(operand)]
    names = [n for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute)) and is_named(n)]
    names.sort(key=lambda n: (n.lineno, n.col_offset))
    operation = Operation(name, name, parts, [part(node) for node in names])
    if isinstance(node, ast.Call):
        operation.as_written = place.source_of(node.func)
        operation.name = operation.as_written.rpartition(".")[2]
        if isinstance(node.func, ast.Attribute) and (subject := part(node.func.value)).is_array:
            operation.as_written, operation.parts = f".{operation.name}", [subject, *parts]
        elif type(layer := reader.stored_value(node.func)) is nn.Linear:
            operation.name, operation.parts = "linear", [*parts, Part("", layer.weight)]
    return operation


def operands_of(node):
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.Call():
            return [*node.args, *(keyword.value for keyword in node.keywords)]
        case ast.Subscript():
            return [node.value, *(node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.Assign(targets=[ast.Subscript() as target]) | ast.AugAssign(target=target):
            return [target, node.value]
    return [node.value] if isinstance(node, ast.Assign) else []


def is_named(node):
    return isinstance(node.ctx, ast.Load) and getattr(node, "attr", "") not in ("T", "mT", "shape")


# ---- values and sizes in words


def described(parts, axes):
    """[(source, description)] of the operands; with dtypes if they differ."""
    dtypes = {part.value.dtype for part in parts if part.is_array}
    return [(part.text, value_in_words(part.value, axes, len(dtypes) > 1)) for part in parts]


def value_in_words(value, axes, with_dtype):
    """'(2, 5, 4) = (B, T, d_head)', '4.0, a float', 'None', 'a list of 9'."""
    if type(value) in ARRAYS:
        names = {} if is_index(value) else axes
        return shape_in_words(value.shape, names) + (f", {dtype_name(value.dtype)}" if with_dtype else "")
    if type(value) in SEQUENCES:
        kind = list if type(value) is list else tuple
        short = len(value) <= 8 and all(type(item) in NUMBERS for item in value)
        return repr(kind(value)) if short else f"a {kind.__name__} of {len(value)}"
    if isinstance(value, float):
        return f"{value}, a float"
    return repr(value[:40]) if type(value) is str else str(value)


def is_index(value):
    """Is it a vector of whole numbers, such as a block table? Its size is no axis of the results."""
    return value.ndim == 1 and str(value.dtype).removeprefix("torch.").startswith("int")


def shape_in_words(shape, axes):
    """The sizes, with known names; a size that occurs twice gets one only if it starts with T or d_."""
    sizes = tuple(shape)
    if not sizes:
        return "(), a single number"
    sure = {size: axes[size] for size in sizes if size in axes}
    sure = {n: name for n, name in sure.items() if sizes.count(n) == 1 or name.startswith(("T", "d_"))}
    names = ", ".join(sure.get(size, str(size)) for size in sizes) + ("," if len(sizes) == 1 else "")
    return f"{sizes} = ({names})" if sure else str(sizes)


def size_in_words(axes, size):
    """'d_head = 4', or '4' if the size has no certain name."""
    return f"{axes[size]} = {size}" if size in axes else str(size)


def product(sizes):
    """'2 * 5 * 12 = 120'; a single size by itself."""
    return f"{' * '.join(map(str, sizes))} = {math.prod(sizes)}" if len(sizes) > 1 else str(math.prod(sizes))


# ---- what the operation required; each rule: (operation, its name in code, size -> words) -> sentence or ""


def wanted_of(operation, error, axes):
    """One sentence; "" unless the known shapes certainly break a rule of the operation."""
    rule = RULES.get(operation.name)
    if rule is None or not isinstance(error, (RuntimeError, ValueError, IndexError)):
        return ""
    return rule(operation, f"`{operation.as_written}`", partial(size_in_words, axes))


def matmul(operation, how, words):
    """The last axis of the left operand must equal the second-to-last of the right one; others broadcast."""
    if len(operation.shapes) < 2 or not all(operation.shapes[:2]):
        return ""
    left, right = operation.shapes[:2]
    inner, other = left[-1], right[-2 if len(right) > 1 else -1]
    if inner != other:
        axis = "the second-to-last axis" if len(right) > 1 else "the only axis"
        begin = f"{how} matches the last axis of the left operand ({words(inner)}) with {axis}"
        return f"{begin} of the right operand ({words(other)}): these must be equal."
    begin = f"{how} lines up the axes before the last two, from the right"
    return broadcast_clash(begin, [left[:-2], right[:-2]], words, 2)


def broadcast(operation, how, words):
    """For operations that work entry by entry: all axes broadcast."""
    return broadcast_clash(f"{how} lines up the axes from the right", operation.shapes, words)


def broadcast_clash(begin, shapes, words, removed_axes=0):
    """A sentence on the first two sizes that meet and do not fit. removed_axes: last axes already cut off."""
    for left, right in combinations(shapes, 2):
        pairs = zip_longest(reversed(left), reversed(right), fillvalue=1)
        for i, (a, b) in enumerate(pairs, 1 + removed_axes):
            if a != b and 1 not in (a, b):
                meeting = f"{words(a)} meets {words(b)} (axis {-i})"
                return f"{begin}, and {meeting}. Sizes that meet must be equal, or one of them must be 1."
    return ""


def view(operation, how, words):
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


def concatenation(operation, how, words):
    """All axes but the one joined along must be equal."""
    first, *rest = operation.parts
    shapes = [tuple(part.value.shape) for part in first.entries if part.is_array]
    axis = next((part.value for part in rest if type(part.value) is int), 0)
    for shape in shapes:
        for i, (a, b) in enumerate(zip(shapes[0], shape, strict=False)):
            if a != b and i not in (axis, axis + len(shape)):
                begin = f"{how} joins along axis {axis}, so all other axes must be equal"
                return f"{begin}: axis {i} is {words(a)} in one tensor and {words(b)} in another."
    return ""


def linear(operation, how, words):
    """For nn.Linear, and F.linear with a weight (out, in): the last axis must equal in_features."""
    if len(operation.shapes) < 2 or not all(operation.shapes[:2]):
        return ""
    width, wanted = (shape[-1] for shape in operation.shapes[:2])
    text = next(part.text for part in operation.parts if part.is_array)
    begin = f"{how} takes tensors whose last axis is {words(wanted)} (its in_features)"
    return f"{begin}; that of `{text}` is {words(width)}." if width != wanted else ""


RULES = {
    **dict.fromkeys(("@", "matmul", "bmm", "mm"), matmul),
    **dict.fromkeys(
        ("+", "-", "*", "/", "&", "|", "<", ">", "<=", ">=", "==", "=", "add", "where"), broadcast
    ),
    **dict.fromkeys(("masked_fill", "masked_fill_"), broadcast),
    **dict.fromkeys(("view", "reshape"), view),
    **dict.fromkeys(("cat", "concat", "concatenate"), concatenation),
    "linear": linear,
}
