"""An exception -> the Place where the student's own code failed: its innermost frame, the failing expression
(found by the columns that Python keeps for every instruction), and the values there, read without running any
of the student's code."""

import ast
import builtins
import contextlib
import copy
import inspect
import linecache
import math
import re
import textwrap
import traceback
import types
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from course_utils.source import parse

from ..nested import is_learners_file

MOST_LINES = 4
TARGET = re.compile(r"\s*=(?!=)")  # follows the target of an assignment
BEGIN = re.compile(r"\s*(return\b|[\w, ]+=)?[\s(]*")  # of a line on which a method chain begins
MOST_ENTRIES = 1_000_000  # of a tensor used in a calculation (which the student's line did, too)
TENSORS = (torch.Tensor, nn.Parameter)
ARRAYS = (*TENSORS, np.ndarray)
NUMBERS = (bool, int, float, np.float64)
SEQUENCES = (tuple, list, torch.Size)
LIBRARIES = (torch, torch.nn.functional, np, math, builtins)
ONLY_READ = set(
    """T mT shape ndim size dim numel transpose permute view reshape unsqueeze squeeze flatten unflatten
    expand contiguous t narrow matmul softmax exp sum mean masked_fill triu tril float double long bool int
    clone detach repeat logical_not abs sqrt cat stack concatenate where arange zeros ones len""".split()  # noqa: SIM905
)
ALLOWED = (ast.Constant, ast.UnaryOp, ast.unaryop, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Starred)
ARITHMETIC = (ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.MatMult)
WALRUS, LOOP = r"\w+(?= :=)", r"(?<=\bfor ).+?(?= in )"  # names that the failing line may have rebound


@dataclass
class Place:
    """frame: the student's. number: of the first line. text: the lines. mark: columns of the failing
    expression in a single line; None if it is all of it. source, node: the expression and its syntax tree."""

    frame: types.FrameType
    number: int
    text: str
    mark: tuple[int, int] | None
    source: str
    node: ast.AST

    def source_of(self, node):
        """The source of an expression, on one line."""
        segment = ast.get_source_segment(self.source, node) or ""
        return " ".join(line.strip() for line in segment.splitlines())


def place_of(error):
    """The Place of an exception; None if no frame is the student's, or if its source is not available."""
    trace, last = vars(BaseException)["__traceback__"].__get__(error), None
    while trace is not None:
        last = trace if is_learners_file(trace.tb_frame.f_code.co_filename) else last
        trace = trace.tb_next
    if last is None:
        return None
    frame, (step,) = last.tb_frame, traceback.extract_tb(last, limit=1)
    lines = linecache.getlines(step.filename, frame.f_globals)
    return place_in(lines, frame, step) if lines and step.colno is not None else None


def place_in(lines, frame, step):
    """The Place of one entry of a traceback."""
    first, last = step.lineno - 1, step.end_lineno
    start = len(lines[first].encode()[: step.colno].decode())  # columns count UTF-8 bytes
    end = len(lines[last - 1].encode()[step.end_colno :].decode())  # counted from the right
    source, node = tree_of("".join(lines[first:last])[start:-end])
    while lines[first][:start].strip() == "." and first:  # of a chain, Python marks only the last method
        first, start = first - 1, len(lines[first - 1]) - len(BEGIN.sub("", lines[first - 1], count=1))
        source, node = tree_of("".join(lines[first:last])[start:-end])
    if TARGET.match(lines[last - 1][-end:]):
        source, node = tree_of("".join(lines[first:last]).strip())
    last = first + 1 if isinstance(node, ast.stmt) and hasattr(node, "body") else last
    excerpt = textwrap.dedent("".join(lines[first:last])).rstrip().splitlines()
    indent = len(lines[first]) - len(lines[first].lstrip())
    mark = (start - indent, len(lines[first]) - end - indent)
    whole = len(excerpt) > 1 or isinstance(node, ast.stmt) or mark == (0, len(excerpt[0]))
    text = "\n".join(excerpt if len(excerpt) <= MOST_LINES else [*excerpt[: MOST_LINES - 1], "..."])
    return Place(frame, first + 1, text, None if whole else mark, source, node)


def tree_of(source):
    """(text, syntax tree) of an expression in round brackets, else of a statement, else of "()"."""
    for text in (f"({source})", source):
        with contextlib.suppress(SyntaxError, ValueError):
            (statement,) = parse(text).body
            return text, statement.value if isinstance(statement, ast.Expr) else statement
    return "()", ast.Tuple([], ast.Load())


class Unknown(Exception):
    """The value cannot be read without running something. (The class also stands in place of the value.)"""


class Reader(ast.NodeTransformer):
    """Reads the values of expressions at one Place: plain values replace names and stored attributes, and the
    only functions called are ones that just read."""

    def __init__(self, place):
        self.frame, self.values = place.frame, {}
        in_own_frame = place.frame.f_code.co_name in ("<listcomp>", "<genexpr>")
        rebound_names = re.findall(WALRUS if in_own_frame else f"{WALRUS}|{LOOP}", place.text)
        self.rebound_names = set(re.findall(r"\w+", " ".join(rebound_names)))

    def read(self, node):
        """The value, with tensors detached; Unknown if something would have to run for it."""
        try:
            tree = ast.fix_missing_locations(ast.Expression(self.visit(copy.deepcopy(node))))
            return plain(eval(compile(tree, "read", "eval"), {"__builtins__": {}}, self.values))
        except Exception:
            return Unknown

    def generic_visit(self, node):
        if isinstance(node, ast.Store):  # assignment targets are read, too
            return ast.Load()
        if not isinstance(node, (*ALLOWED, *ARITHMETIC, ast.Load, ast.keyword)):
            raise Unknown
        return super().generic_visit(node)

    def put(self, value):
        self.values[f"value_{len(self.values)}"] = value
        return ast.Name(f"value_{len(self.values) - 1}", ast.Load())

    def stored_value(self, node) -> Any:
        """The value of a name, or of an attribute stored in an object, its class or its module; runs no
        property and no __getattr__."""
        if isinstance(node, ast.Name) and node.id not in self.rebound_names:
            scopes = self.frame.f_locals, self.frame.f_globals, self.frame.f_builtins
            return next((scope[node.id] for scope in scopes if node.id in scope), Unknown)
        if not isinstance(node, ast.Attribute):
            return Unknown
        owner = self.stored_value(node.value)
        if type(owner) is types.ModuleType:
            return vars(owner).get(node.attr, Unknown)
        tables = ("_parameters", "_buffers", "_modules") if issubclass(type(owner), nn.Module) else ()
        for table in (inspect.getattr_static(owner, name, {}) for name in tables):
            if node.attr in table:
                return table[node.attr]
        value = inspect.getattr_static(owner, node.attr, Unknown)
        return Unknown if inspect.getattr_static(type(value), "__get__", None) else value

    def visit_Name(self, node):
        return self.put(plain(self.stored_value(node)))

    def visit_Attribute(self, node):
        if (value := self.stored_value(node)) is not Unknown:
            return self.put(plain(value))
        if node.attr not in ONLY_READ:
            raise Unknown
        return ast.Attribute(self.visit(node.value), node.attr, ast.Load())

    def visit_Call(self, node):
        """Allow only a method of a plain value, or a function of a library."""
        arguments = [self.visit(argument) for argument in node.args]
        keywords = [self.visit(keyword) for keyword in node.keywords]
        function = self.stored_value(node.func)
        if function is Unknown:
            return ast.Call(self.visit(node.func), arguments, keywords)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name not in ONLY_READ or not any(vars(o).get(name) is function for o in LIBRARIES):
            raise Unknown
        return ast.Call(self.put(function), arguments, keywords)


def plain(value):
    """The value, if it contains none of the student's objects and no large tensor; else raises Unknown."""
    if type(value) in ARRAYS and math.prod(value.shape) <= MOST_ENTRIES:
        return value.detach() if type(value) in TENSORS else value
    if type(value) in SEQUENCES:
        return type(value)(plain(item) for item in value)
    if value is None or value is Ellipsis or type(value) in (*NUMBERS, str, slice, torch.dtype):
        return value
    raise Unknown
