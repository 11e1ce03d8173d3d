"""The text of an answer -> its statements as words, without what a copy is easily changed in.

Of code: comments, docstrings, annotations, layout, imports, asserts and prints are left out; every name that
the answer binds itself is `v`, every text in quotes `s`. Names of libraries and what is called of them stay.
Of a written answer, and of what is no Python: the words of each sentence, in small letters.
"""

import ast
import copy
import re
import sys
from dataclasses import dataclass
from unicodedata import normalize

from course_utils.source import tree_of

OWN, TEXT = "v", "s"
WORD = re.compile(r"\w+|[^\w\s]")
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
BLOCKS = "body", "orelse", "finalbody", "handlers", "cases"
SAYS_NOTHING = ast.Import, ast.ImportFrom, ast.Assert, ast.Pass, ast.Global, ast.Nonlocal
LONGEST = 20_000  # characters; nobody writes more for one answer, and a hostile cell may hold a million
MOST_WORDS = 400  # in one statement or sentence: of a longer one, the beginning


@dataclass(frozen=True)
class Line:
    """A statement without what stands in its block, or a sentence. first, last: its lines in the text."""

    first: int
    last: int
    words: tuple


def code_lines(source):
    """The Lines of Python code, in order; those of a text where it is no Python."""
    tree = tree_of(source) if len(source) <= LONGEST else ast.Module([], [])
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not says_nothing(node)]
    if not statements:
        return text_lines(source)
    forget = Forget(tree)
    statements.sort(key=lambda node: (node.lineno, node.col_offset))
    try:
        return [Line(node.lineno, last_line(node), words_of(node, forget)) for node in statements]
    except RecursionError:
        return text_lines(source)


def text_lines(text):
    """The Lines of a text: its sentences."""
    lines, number = [], 1
    for line in text[:LONGEST].split("\n"):
        for sentence in SENTENCE.split(line):
            words = re.findall(r"\w+", normalize("NFKC", sentence).casefold())
            if words:
                lines.append(Line(number, number, tuple(map(sys.intern, words[:MOST_WORDS]))))
        number += 1
    return lines


def says_nothing(node):
    """Is it a statement that does nothing for the result?"""
    if isinstance(node, ast.Expr):
        call = node.value
        printed = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
        return printed or isinstance(call, ast.Constant | ast.JoinedStr)
    return isinstance(node, SAYS_NOTHING)


def last_line(node):
    """The last line of a statement itself, without its block."""
    inside = [block[0].lineno for name in BLOCKS if (block := getattr(node, name, None)) and name != "cases"]
    return max(node.lineno, min(inside) - 1) if inside else node.end_lineno


def words_of(node, forget):
    """The statement as Python writes it, own names forgotten, cut into words."""
    head = copy.copy(node)
    for name in BLOCKS:
        if hasattr(head, name):
            setattr(head, name, [])
    text = ast.unparse(forget.visit(copy.deepcopy(head)))
    return tuple(map(sys.intern, WORD.findall(text)[:MOST_WORDS]))


class Forget(ast.NodeTransformer):
    """Puts `v` for each name that the answer binds, and takes annotations out."""

    def __init__(self, tree):
        nodes = list(ast.walk(tree))
        self.own = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        self.own |= {n.arg for n in nodes if isinstance(n, ast.arg)}
        defined = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
        self.own |= {n.name for n in nodes if isinstance(n, defined)}
        stored = (n for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store))
        self.own_attributes = {n.attr for n in stored} | {n.name for n in nodes if isinstance(n, defined)}
        aliases = [a for n in nodes if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names]
        self.imported = {a.asname: a.name.split(".")[-1] for a in aliases if a.asname}

    def visit_Name(self, node):
        name = OWN if node.id in self.own else self.imported.get(node.id, node.id)
        return ast.Name(name, node.ctx)

    def visit_arg(self, node):
        return ast.arg(OWN)

    def visit_Attribute(self, node):
        attr = OWN if node.attr in self.own_attributes else node.attr
        return ast.Attribute(self.visit(node.value), attr, node.ctx)

    def visit_Constant(self, node):
        return ast.Name(TEXT) if isinstance(node.value, str | bytes) and "->" not in str(node.value) else node

    def visit_JoinedStr(self, node):
        return ast.Name(TEXT)

    def visit_FunctionDef(self, node):
        node.name, node.returns = OWN, None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        node.name = OWN
        return self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if node.value is None:
            return self.generic_visit(ast.Expr(node.target))
        return self.visit(ast.Assign([node.target], node.value, lineno=node.lineno))
