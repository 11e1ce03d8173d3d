"""An exception -> the Place where the student's own code failed: its innermost frame, and the syntax tree of
what it was about to work out there."""

import ast
import linecache
import os
import sysconfig
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from course_utils.source import LONGEST, ONE_THREAD

PACKAGE = Path(__file__).parents[2]
OTHERS = tuple(
    {
        f"{Path(folder).resolve()}{os.sep}"
        for folder in (
            PACKAGE,
            Path(torch.__file__).parent,
            Path(np.__file__).parent,
            *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        )
    }
)
MOST_LINES, WIDEST = 4, 110


@dataclass
class Place:
    """frame: the student's. lines: of the whole cell or file. statement: the innermost that failed. node: the
    failing expression, None where it is not known. parents: {node: the one around it}."""

    frame: object
    lines: list
    statement: ast.stmt
    node: ast.AST | None
    parents: dict

    @property
    def shown(self):
        return self.statement if self.node is None or is_target(self.node) else self.node

    @property
    def number(self):
        return self.shown.lineno

    @property
    def text(self):
        """Its lines, at most MOST_LINES; of a statement that holds others, the first."""
        last = self.number if hasattr(self.shown, "body") else self.shown.end_lineno
        lines = self.lines[self.number - 1 : last]
        indent = min(indentation(line) for line in lines if line.strip())
        lines = [cut(line[indent:].rstrip()) for line in lines]
        return "\n".join(lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "..."])

    @property
    def mark(self):
        """The columns of the failing expression in its line."""
        if self.node is None or self.node.lineno != self.node.end_lineno or is_target(self.node):
            return None
        line = self.lines[self.number - 1]
        ends = (self.node.col_offset, self.node.end_col_offset)
        first, end = (len(line.encode()[:end].decode()) - indentation(line) for end in ends)
        whole = (first, end) == (0, len(line.strip()))
        return None if whole or end > WIDEST - 3 else (first, end)

    def source(self, node):
        """An expression as it is written, on one line."""
        if getattr(node, "lineno", 0) != getattr(node, "end_lineno", None):
            return ast.unparse(node)
        return self.lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode()


def is_target(node):
    """Names on the left side: what is on the right failed just as much."""
    return isinstance(getattr(node, "ctx", None), ast.Store)


def indentation(line):
    return len(line) - len(line.lstrip())


def cut(line):
    return line if len(line) <= WIDEST else line[: WIDEST - 3] + "..."


def place_of(error):
    """The Place of an exception, None where no frame is the student's or its source is not known."""
    found = innermost(BaseException.__traceback__.__get__(error))
    if found is None:
        return None
    frame, number, instruction = found
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    if not lines or sum(map(len, lines)) > LONGEST:
        return None
    parents = parents_in("".join(lines))
    node = node_at(positions(frame.f_code, instruction), parents)
    statement = statement_of(node, parents) if node else statement_at(number, parents)
    return Place(frame, lines, statement, node, parents) if statement else None


@lru_cache(maxsize=2)  # the cases of an exercise fail in one cell
def parents_in(source):
    """{node: the one around it} of a whole cell."""
    with ONE_THREAD:
        tree = ast.parse(source)
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def innermost(traceback):
    """(frame, line number, instruction) of the last frame that is the student's, or None."""
    found = None
    while traceback is not None:
        if is_students(traceback.tb_frame.f_code.co_filename):
            found = traceback.tb_frame, traceback.tb_lineno, traceback.tb_lasti
        traceback = traceback.tb_next
    return found


@lru_cache(maxsize=256)
def is_students(filename):
    if filename.startswith("<"):  # a cell of IPython 7; other texts have no source, or a library made them
        return filename.startswith("<ipython-input")
    path = Path(filename).resolve()
    return not str(path).startswith(OTHERS) and not {"site-packages", "dist-packages"} & set(path.parts)


def positions(code, instruction):
    """(first line, last line, first column, end column), columns in UTF-8; None for what is not known."""
    found = next(islice(code.co_positions(), instruction // 2, None), None)
    return found if found and None not in found else None


def node_at(found, parents):
    """The node that lies just there. Of a call or an attribute whose dot begins a line, Python tells only
    where it ends."""
    if found is None:
        return None
    near = [node for node in parents if getattr(node, "end_lineno", None) == found[1]]
    exact = [node for node in near if position(node) == found]
    if not exact:
        kinds = (ast.Call, ast.Attribute)
        exact = [n for n in near if isinstance(n, kinds) and position(n)[1::2] == found[1::2]]
    return next((node for node in exact if isinstance(node, ast.expr)), exact[0] if exact else None)


def position(node):
    names = ("lineno", "end_lineno", "col_offset", "end_col_offset")
    return tuple(getattr(node, name, None) for name in names)


def statement_of(node, parents):
    while node is not None and not isinstance(node, ast.stmt):
        node = parents.get(node)
    return node


def statement_at(number, parents):
    """The shortest statement that has this line."""
    found = [n for n in parents if isinstance(n, ast.stmt) and n.lineno <= number <= n.end_lineno]
    return min(found, key=lambda n: n.end_lineno - n.lineno, default=None)
