"""Compute a fingerprint of the rules by which answers are observed and compared, for released notebooks."""

import ast
import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULES = {  # files, and whether their texts are sentences, which decide nothing
    "course_utils/compare/*.py": False,
    "course_utils/model/*.py": False,
    "course_utils/observe/*.py": True,
    "course_utils/standins.py": True,  # they stand in for wrong answers in a second look
    "autograder/grading/looks.py": True,
}


@cache
def rules():
    """Return the fingerprint of that code without comments and sentences, the same on any Python version."""
    paths = sorted((path, speaks) for pattern, speaks in RULES.items() for path in ROOT.glob(pattern))
    trees = [plain_tree(ast.parse(path.read_text(encoding="utf-8")), speaks) for path, speaks in paths]
    return hashlib.sha256(repr(trees).encode()).hexdigest()[:12]


def plain_tree(node, speaks):
    """Return a syntax tree as nested tuples, without docstrings and f-strings; if the file `speaks`, also
    without texts that hold a space."""
    if isinstance(node, ast.JoinedStr) or (speaks and isinstance(node, str) and " " in node):
        return ""
    if isinstance(node, list):
        return [plain_tree(item, speaks) for item in node if not is_docstring(item)]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(name, value) for name, value in ast.iter_fields(node) if value not in (None, [])]
    return type(node).__name__, [(name, plain_tree(value, speaks)) for name, value in fields]


def is_docstring(node):
    """Is it a statement that is only a text?"""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
