"""The failing expression -> the Operation: its name, its operands, and which of them are worth showing."""

import ast
import re
import sys
from dataclasses import dataclass

from torch import nn

from .reader import ARRAYS, SEQUENCES, Reader

MOST_OPERANDS = 6
CONSTANTS = ("None", "True", "False")
SYMBOLS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@", ast.BitAnd: "&"}
SYMBOLS |= {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "==", ast.Assign: "="}


@dataclass
class Part:
    """An operand: its source, and its value or, if that cannot be read, the class Unknown."""

    text: str
    value: object

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
    def arrays(self):
        return [part for part in self.parts if part.is_array]

    @property
    def floats(self):
        return [part for part in self.parts + self.inside if isinstance(part.value, float)]

    @property
    def operands(self):
        """The Parts worth showing, tensors first. If no operand is a tensor, the tensors inside are shown."""
        parts = [entry for part in self.parts for entry in part.entries]
        parts = [part for part in parts + self.floats if part.is_informative]
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
    for operand in operands(node):
        starred = isinstance(operand, ast.Starred)
        parts += part(operand.value).entries if starred else [part(operand)]
    names = sorted(filter(is_named, ast.walk(node)), key=lambda n: (n.lineno, n.col_offset))
    operation = Operation(name, name, parts, [part(node) for node in names])
    if isinstance(node, ast.Call):
        operation.as_written = place.source_of(node.func)
        operation.name = operation.as_written.rpartition(".")[2]
        if isinstance(node.func, ast.Attribute) and (subject := part(node.func.value)).is_array:
            operation.as_written, operation.parts = f".{operation.name}", [subject, *parts]
        elif type(layer := reader.stored_value(node.func)) is nn.Linear:
            operation.name, operation.parts = "linear", [*parts, Part("", layer.weight)]
    return operation


def operands(node):
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
    is_name = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
    return is_name and getattr(node, "attr", "") not in ("T", "mT", "shape")
