"""Splits an answer into pieces, runs of a few words of a statement: {piece: the lines that contain it}.

The words come from Python's syntax tree, so layout and comments do not matter. Docstrings, annotations,
imports, asserts and prints are left out. All names that the answer itself binds become the same word, and so
do all strings, except those with "->" such as an einsum's; names of libraries stay. A written answer, or text
that is not Python, is split into sentences.
"""

import ast
import re
from unicodedata import normalize

from course_utils.source import tree_of

LENGTH = 5  # words in a piece
LONGEST = 20_000  # characters: nobody writes more for one answer, and a hostile cell may hold a million
OWN, TEXT = "(name)", "(text)"
SENTENCE = re.compile(r"(?<=[.!?])\s+")
NO_EFFECT = ast.Import, ast.ImportFrom, ast.Assert, ast.Pass, ast.Global, ast.Nonlocal
# nodes that give no word: among them a statement's block, whose statements are taken on their own
NO_WORDS = ast.stmt, ast.expr_context, ast.ExceptHandler, ast.match_case
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef


def code_pieces(source):
    """The pieces of Python code; if it is not Python, those of plain text."""
    nodes = list(ast.walk(tree_of(source[:LONGEST])))
    statements = [node for node in nodes if isinstance(node, ast.stmt) and not has_no_effect(node)]
    names, pieces = own_names(nodes), {}
    for node in statements:
        end = None if hasattr(node, "body") else node.end_lineno
        enter(pieces, [*words_of(node, names)], range(node.lineno, (end or node.lineno) + 1))
    return pieces or text_pieces(source)


def text_pieces(text):
    """The pieces of plain text, in lower case."""
    pieces = {}
    for number, line in enumerate(text[:LONGEST].split("\n"), 1):
        for sentence in SENTENCE.split(line):
            words = re.findall(r"\w+", normalize("NFKC", sentence).casefold())
            enter(pieces, words, range(number, number + 1))
    return pieces


def enter(pieces, words, lines):
    """Add all runs of LENGTH words to the pieces; fewer words are one piece."""
    for start in range(max(bool(words), len(words) - LENGTH + 1)):
        pieces.setdefault(tuple(words[start : start + LENGTH]), []).append(lines)


def has_no_effect(node):
    """Is it a statement that does not affect the result?"""
    if isinstance(node, ast.Expr):
        call = node.value
        printed = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
        return printed or isinstance(call, ast.Constant | ast.JoinedStr)
    return isinstance(node, NO_EFFECT)


def own_names(nodes):
    """The names that the answer binds; a leading dot marks names used as attributes."""
    names = {node.arg for node in nodes if isinstance(node, ast.arg)}
    defined = {node.name for node in nodes if isinstance(node, DEFINITIONS)}
    names |= {node.asname for node in nodes if isinstance(node, ast.alias)}
    stored = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    names |= {node.id for node in stored if isinstance(node, ast.Name)}
    attributes = defined | {node.attr for node in stored if isinstance(node, ast.Attribute)}
    return names | defined | {f".{name}" for name in attributes}


def words_of(statement, names):
    """The words of a statement without its block, from left to right."""
    left = [statement]
    while left:
        node = left.pop()
        yield word_of(node, names)
        if not isinstance(node, ast.JoinedStr):
            fields = [value for name, value in ast.iter_fields(node) if name not in ("annotation", "returns")]
            children = [
                child for value in fields for child in (value if isinstance(value, list) else [value])
            ]
            left += [c for c in reversed(children) if isinstance(c, ast.AST) and not isinstance(c, NO_WORDS)]


def word_of(node, names):
    match node:
        case ast.Name(id=name):
            return OWN if name in names else name
        case ast.Attribute(attr=name):
            return OWN if f".{name}" in names else name
        case ast.Constant(value=str() | bytes() as text):
            return text if "->" in str(text) else TEXT
        case ast.Constant(value=value):
            return value
        case ast.arg() | ast.JoinedStr():
            return OWN if isinstance(node, ast.arg) else TEXT
        case ast.keyword(arg=name):
            return name
        case ast.AnnAssign():
            return "Assign"
    return type(node).__name__
