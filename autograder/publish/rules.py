"""Compute a fingerprint of the rules by which answers are observed and compared, for released notebooks."""

import ast
import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULES = "course_utils/compare/*.py", "course_utils/observe/*.py", "course_utils/model/*.py"


@cache
def rules():
    """Return the fingerprint of that code without comments and sentences, the same on any Python version."""
    paths = sorted(path for pattern in RULES for path in ROOT.glob(pattern))
    trees = [without_sentences(ast.parse(path.read_text(encoding="utf-8"))) for path in paths]
    return hashlib.sha256(repr(trees).encode()).hexdigest()[:12]


def without_sentences(node):
    """Return a syntax tree as nested tuples; texts that hold a space, and f-strings, are left out."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, str) and " " in node):
        return ""
    if isinstance(node, list):
        return [without_sentences(item) for item in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(name, value) for name, value in ast.iter_fields(node) if value not in (None, [])]
    return type(node).__name__, [(name, without_sentences(value)) for name, value in fields]
