"""The text of an answer -> its pieces, {piece: the lines that hold it}: runs of a few words of a statement.

The words are those of Python's syntax tree, so layout and comments are gone. Docstrings, annotations,
imports, asserts and prints are left out; every name that the answer binds itself is the same word, and so is
every text in quotes. What a library calls its own stays. A written answer, and what is no Python, is taken as
sentences.
"""

import ast
import re
from unicodedata import normalize

from course_utils.source import tree_of

LENGTH = 5  # words of a piece
LONGEST = 20_000  # characters: nobody writes more for one answer, and a hostile cell may hold a million
OWN, TEXT = "(name)", "(text)"
SENTENCE = re.compile(r"(?<=[.!?])\s+")
SAYS_NOTHING = ast.Import, ast.ImportFrom, ast.Assert, ast.Pass, ast.Global, ast.Nonlocal
NO_WORDS = ast.stmt, ast.expr_context, ast.ExceptHandler, ast.match_case  # a statement's block is not its own
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef


def code_pieces(source):
    """The pieces of Python code; those of a text where it is no Python."""
    nodes = list(ast.walk(tree_of(source[:LONGEST])))
    statements = [node for node in nodes if isinstance(node, ast.stmt) and not says_nothing(node)]
    names, pieces = own_names(nodes), {}
    for node in statements:
        last_line = node.lineno if hasattr(node, "body") else node.end_lineno
        enter(pieces, [*words_of(node, names)], range(node.lineno, last_line + 1))
    return pieces or text_pieces(source)


def text_pieces(text):
    """The pieces of a text in plain words, large and small letters alike."""
    pieces = {}
    for number, line in enumerate(text[:LONGEST].split("\n"), 1):
        for sentence in SENTENCE.split(line):
            words = re.findall(r"\w+", normalize("NFKC", sentence).casefold())
            enter(pieces, words, range(number, number + 1))
    return pieces


def enter(pieces, words, lines):
    """All runs of LENGTH words; fewer words are a piece as a whole."""
    for start in range(max(bool(words), len(words) - LENGTH + 1)):
        pieces.setdefault(tuple(words[start : start + LENGTH]), []).append(lines)


def says_nothing(node):
    """Is it a statement that does nothing for the result?"""
    if isinstance(node, ast.Expr):
        call = node.value
        printed = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"
        return printed or isinstance(call, ast.Constant | ast.JoinedStr)
    return isinstance(node, SAYS_NOTHING)


def own_names(nodes):
    """The names that the answer binds: of attributes with a dot in front."""
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
