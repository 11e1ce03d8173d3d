"""The failing expression -> the Operation: what it does, and with what."""

import ast
from dataclasses import dataclass, field

from torch import nn

from .reader import ARRAYS, LIBRARIES, SEQUENCES, Unknown

SYMBOLS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


CLASSES = (nn.Linear, range, int, float)  # that are called to make something


@dataclass
class Part:
    """An operand: as it is written, and its value, Unknown where it cannot be had."""

    text: str
    value: object = Unknown

    @property
    def is_array(self):
        return type(self.value) in ARRAYS


@dataclass
class Operation:
    """kind: operator, call, index, put, attribute, name or unpack.
    name: the operator, the function's or the attribute's own name. as_written: `torch.cat`, `.view`.
    library: torch, numpy, math, class for one of CLASSES, or "" for anything else, and for a method.
    parts: the operands in order; of a method its object first. keywords: {name: Part}.
    function: the value of what is called.
    """

    kind: str
    name: str
    parts: list
    as_written: str = ""
    keywords: dict = field(default_factory=dict)
    library: str = ""
    function: object = Unknown
    reader: object = None

    def values(self, start=0):
        return [part.value for part in self.parts[start:]]

    def keyword(self, *names):
        return next((self.keywords[name].value for name in names if name in self.keywords), Unknown)


def operation_at(place, reader):
    """The Operation, or None where the node is not known or is none."""
    make = MAKERS.get(type(place.node))
    return make(place.node, place, Parts(place, reader)) if make else None


class Parts:
    """Makes Parts of nodes."""

    def __init__(self, place, reader):
        self.place, self.reader = place, reader

    def part(self, node):
        try:
            value = self.reader.read(node)
        except Unknown:
            value = Unknown
        return Part(self.text(node), value)

    def parts(self, nodes):
        """One for each node, and for each entry of what is starred."""
        found = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                whole = self.part(node.value)
                known = type(whole.value) in SEQUENCES
                found += entries(whole) if known else [Part(self.text(node))]
            else:
                found.append(self.part(node))
        return found

    def text(self, node):
        text = self.place.source(node).replace("`", "'")
        return text if len(text) <= 50 else text[:47] + "..."


def entries(whole):
    return [Part(f"{whole.text}[{i}]", value) for i, value in enumerate(whole.value)]


def binary(node, place, make):
    return Operation("operator", SYMBOLS.get(type(node.op), ""), make.parts([node.left, node.right]))


def augmented(node, place, make):
    parts = make.parts([as_load(node.target), node.value])
    return Operation("operator", f"{SYMBOLS.get(type(node.op), '')}=", parts)


def compared(node, place, make):
    if len(node.ops) != 1 or type(node.ops[0]) not in SYMBOLS:
        return None
    return Operation("operator", SYMBOLS[type(node.ops[0])], make.parts([node.left, *node.comparators]))


def call(node, place, make):
    """A function, or a method of a tensor with the tensor as its first part."""
    function, subject, library = make.part(node.func), [], ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else function.text
    if isinstance(node.func, ast.Attribute):
        base = make.part(node.func.value)
        library = next((n for n, module in LIBRARIES.items() if module is base.value), "")
        subject = [base] if base.is_array or isinstance(node.func.value, ast.Constant) else []
    elif function.value is not Unknown:
        library = next((n for n, m in LIBRARIES.items() if vars(m).get(name) is function.value), "")
    parts, library = subject + make.parts(node.args), library.replace("torch.nn.functional", "torch")
    keywords = {k.arg: make.part(k.value) for k in node.keywords if k.arg}
    as_written = f".{name}" if subject else function.text
    if any(function.value is known for known in CLASSES):
        name, library = function.value.__name__, "class"
    return Operation("call", name, parts, as_written, keywords, library, function.value)


def index(node, place, make):
    """x[...], read or written."""
    base = make.part(node.value)
    nodes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    parent = place.parents.get(node)
    if isinstance(node.ctx, ast.Store) and isinstance(parent, ast.Assign):
        return Operation("put", "=", make.parts([as_load(node), parent.value]), make.text(node))
    return Operation("index", make.text(node), [base, *make.parts(nodes)])


def attribute(node, place, make):
    return Operation("attribute", node.attr, [make.part(node.value)], reader=make.reader)


def name(node, place, make):
    return Operation("name", node.id, [], reader=make.reader)


def unpack(node, place, make):
    """a, b = value. What a loop takes apart is gone when it fails."""
    parent = place.parents.get(node)
    starred = any(isinstance(part, ast.Starred) for part in node.elts)
    if not isinstance(node.ctx, ast.Store) or not isinstance(parent, ast.Assign) or starred:
        return None
    return Operation("unpack", str(len(node.elts)), [make.part(parent.value)])


def as_load(node):
    """The same expression, to be read instead of written."""
    loaded = type(node)(**{**dict(ast.iter_fields(node)), "ctx": ast.Load()})
    return ast.copy_location(loaded, node)


MAKERS = {
    ast.BinOp: binary,
    ast.AugAssign: augmented,
    ast.Compare: compared,
    ast.Call: call,
    ast.Subscript: index,
    ast.Attribute: attribute,
    ast.Name: name,
    ast.Tuple: unpack,
    ast.List: unpack,
}
