"""An exception -> the Place where the student's own code failed: its innermost frame, and the source and
syntax tree of the failing expression, found by the columns that Python keeps for every instruction."""

import ast
import contextlib
import linecache
import re
import textwrap
import traceback
from dataclasses import dataclass

from course_utils.source import parse

from ..nested import is_course, is_library

MOST_LINES = 4
TARGET = re.compile(r"\s*=(?!=)")  # follows the target of an assignment
BEGIN = re.compile(r"\s*(return\b|[\w, ]+=)?[\s(]*")  # of a line on which a method chain begins


@dataclass
class Place:
    """frame: the student's. number: of the first line. text: the lines. mark: columns of the failing
    expression in a single line; None if it is all of it. source, node: the expression and its syntax tree."""

    frame: object
    number: int
    text: str
    mark: tuple | None
    source: str
    node: ast.AST

    def source_of(self, node):
        """The source of an expression, on one line."""
        return " ".join(line.strip() for line in ast.get_source_segment(self.source, node).splitlines())


def place_of(error):
    """The Place of an exception; None if no frame is the student's, or if its source is not available."""
    trace, last = BaseException.__traceback__.__get__(error), None
    while trace is not None:
        last = trace if is_student_file(trace.tb_frame.f_code.co_filename) else last
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
        first, start = first - 1, BEGIN.match(lines[first - 1]).end()
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
    for text in (f"({source})", source, "()"):
        with contextlib.suppress(SyntaxError, ValueError):
            (statement,) = parse(text).body
            return text, statement.value if isinstance(statement, ast.Expr) else statement


def is_student_file(filename):
    if filename.startswith("<"):  # a cell of IPython 7; others have no source, or a library made them
        return filename.startswith("<ipython-input")
    return not is_library(filename) and not is_course(filename)
