"""The value of an expression in a frame, where it can be had without running anything of the student's:
names, attributes that are stored, and functions of torch and NumPy that only read."""

import ast
import inspect
import math
import operator
import sys
import types

import numpy as np
import torch
from torch import nn
from torch.nn import functional

MOST_ENTRIES = 1_000_000  # of a tensor that is calculated with (the student's line did just the same)
TENSORS = (torch.Tensor, nn.Parameter)
ARRAYS = (*TENSORS, np.ndarray)
NUMBERS = (bool, int, float)
SEQUENCES = (tuple, list, torch.Size)
LIBRARIES = {"torch": torch, "torch.nn.functional": functional, "numpy": np, "math": math}

VIEWS = (
    "transpose permute view reshape unsqueeze squeeze flatten unflatten swapaxes expand contiguous t "
    "swapdims movedim narrow ravel"
)
CALCULATED = (
    "matmul softmax exp sum mean masked_fill triu tril to float double long bool int clone detach repeat "
    "argmax amax logical_not astype item size dim numel type_as abs sqrt"
)
MADE = "cat stack concatenate where arange zeros ones einsum tensor maximum minimum"
METHODS = {
    kind: {name: getattr(kind, name) for name in f"{VIEWS} {CALCULATED}".split() if hasattr(kind, name)}
    for kind in (torch.Tensor, np.ndarray)
}
FUNCTIONS = {
    id(getattr(library, name)): getattr(library, name)
    for library in LIBRARIES.values()
    for name in f"{VIEWS} {CALCULATED} {MADE} log floor ceil".split()
    if hasattr(library, name)
}
PLAIN_FUNCTIONS = {id(function): function for function in (len, int, float, abs, min, max)}
ATTRIBUTES = ("shape", "T", "mT", "ndim", "size", "data")
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.MatMult: operator.matmul,
}
SIGNS = {ast.USub: operator.neg, ast.Invert: operator.invert, ast.Not: operator.not_}
NEW_SCOPES = (ast.Lambda, ast.GeneratorExp, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)


class Unknown(Exception):
    """The value cannot be had without running something."""


class Reader:
    """Reads expressions of one Place."""

    def __init__(self, place):
        self.place = place
        self.scopes = [place.frame.f_locals, place.frame.f_globals, place.frame.f_builtins]
        self.moved = names_that_moved(place)

    def read(self, node):
        """The value; tensors are detached. Unknown where something would have to be run for it."""
        method = getattr(self, f"read_{type(node).__name__}", None)
        if method is None:
            raise Unknown
        try:
            return harmless(method(node))
        except Exception as error:
            raise Unknown from error

    def read_Constant(self, node):
        return node.value

    def read_Name(self, node):
        if node.id not in self.moved:
            for scope in self.scopes:
                if node.id in scope:
                    return scope[node.id]
        raise Unknown

    def read_Attribute(self, node):
        value = self.read(node.value)
        if type(value) in ARRAYS:
            if node.attr not in ATTRIBUTES:
                raise Unknown
            return getattr(value, node.attr)
        return stored(value, node.attr)

    def read_Subscript(self, node):
        value, index = self.read(node.value), self.read(node.slice)
        if type(value) not in (*ARRAYS, *SEQUENCES):
            raise Unknown
        return value[calculable(index)]

    def read_Slice(self, node):
        return slice(*(part and self.read(part) for part in (node.lower, node.upper, node.step)))

    def read_Tuple(self, node):
        parts = []
        for part in node.elts:
            starred = isinstance(part, ast.Starred)
            value = self.read(part.value if starred else part)
            if starred and type(value) not in SEQUENCES:
                raise Unknown
            parts += value if starred else [value]
        return tuple(parts)

    def read_List(self, node):
        return list(self.read_Tuple(node))

    def read_UnaryOp(self, node):
        return SIGNS[type(node.op)](calculable(self.read(node.operand)))

    def read_BinOp(self, node):
        left, right = self.read(node.left), self.read(node.right)
        if type(left) in SEQUENCES and type(left) is type(right) and isinstance(node.op, ast.Add):
            return left + right
        return OPERATORS[type(node.op)](calculable(left), calculable(right))

    def read_Call(self, node):
        function, subject = self.called(node)
        arguments = [*subject, *self.read_Tuple(ast.Tuple(node.args))]
        keywords = {k.arg: self.read(k.value) for k in node.keywords}
        for value in (*arguments, *keywords.values()):
            calculable(value)
        return function(*arguments, **keywords)

    def called(self, node):
        """(the function, what it is a method of), of those that only read."""
        if isinstance(node.func, ast.Attribute):
            value = self.read(node.func.value)
            kind = np.ndarray if type(value) is np.ndarray else torch.Tensor
            if type(value) in ARRAYS:
                return METHODS[kind][node.func.attr], [value]
            if type(value) is torch.Size and node.func.attr == "numel":
                return torch.Size.numel, [value]
        function = self.read(node.func)
        if type(function) is nn.Linear:
            return through_linear, [function]
        return (FUNCTIONS | PLAIN_FUNCTIONS)[id(function)], []


def through_linear(layer, x):
    """Only the shape of what nn.Linear gives: its hooks are the student's."""
    if x.shape[-1] != layer.in_features:
        raise Unknown
    return x.new_zeros(*x.shape[:-1], layer.out_features)


def harmless(value):
    return value.detach() if type(value) in TENSORS else value


def calculable(value):
    """The value, if it is a plain one and no large tensor; else Unknown."""
    if type(value) in ARRAYS and math.prod(value.shape) <= MOST_ENTRIES:
        return value
    if value is None or value is Ellipsis or type(value) in (*NUMBERS, str, torch.dtype, nn.Linear):
        return value
    inside = (value.start, value.stop, value.step) if type(value) is slice else value
    if type(value) in (*SEQUENCES, slice) and all(calculable(item) is item for item in inside):
        return value
    raise Unknown


def stored(value, name):
    """An attribute that lies in the object, its class or its module; no property, no __getattr__."""
    if type(value) is types.ModuleType:
        return vars(value)[name]
    found = inspect.getattr_static(value, name, Unknown)
    if found is Unknown and issubclass(type(value), nn.Module):
        held = (inspect.getattr_static(value, kind, {}) for kind in ("_parameters", "_buffers", "_modules"))
        found = next((entries[name] for entries in held if name in entries), Unknown)
    if found is Unknown or inspect.getattr_static(type(found), "__get__", None):
        raise Unknown
    return found


def names_that_moved(place):
    """Names that may hold another value by now: those of `:=` in the statement, and those of comprehensions
    that run in the frame itself (Python 3.12) and are gone when it fails."""
    inside = ast.walk(place.statement) if not hasattr(place.statement, "body") else ()
    moved = {node.target.id for node in inside if isinstance(node, ast.NamedExpr)}
    if sys.version_info < (3, 12):
        return moved
    node = place.node
    while node is not None and not isinstance(node, (*NEW_SCOPES, ast.stmt)):
        if isinstance(node, COMPREHENSIONS):
            targets = (n for part in node.generators for n in ast.walk(part.target))
            moved |= {n.id for n in targets if isinstance(n, ast.Name)}
        node = place.parents.get(node)
    return moved
