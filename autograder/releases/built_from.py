"""Compute fingerprints of what decides scores.

`built_from` is for refusing to grade after edits without a build. It covers the points of the lesson's cells,
the files of its exercises (which import no other exercise), all files of the packages that draw cases,
observe and compare, and the test cells with their hidden tests. `rules` covers the code that observes and
compares, without its comments and sentences.
"""

import ast
import hashlib
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = "autograder/authoring", "course_utils/model", "course_utils/observe", "course_utils/compare"
RULES = "course_utils/compare/*.py", "course_utils/observe/*.py", "course_utils/model/*.py"
CELL = re.compile(r"^(?=# %%)", re.M)


def built_from(points, modules, tests):
    """Return the fingerprint. points: {grade_id: points}; modules: of exercises; tests: see graded_cells."""
    files = {ROOT.joinpath(*module.split(".")).with_suffix(".py") for module in modules}
    files |= {path for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    decides = sorted(points.items()), sorted(texts.items()), tests
    return hashlib.sha256(repr(decides).encode()).hexdigest()[:12]


def graded_cells(lesson, root):
    """Return the graded cells of a lesson's source, with their metadata."""
    path = root / "solutions" / lesson / f"{lesson}.py"
    cells = CELL.split(path.read_text(encoding="utf-8")) if path.exists() else []
    return [cell.strip() for cell in cells if '"grade": true' in cell.partition("\n")[0]]


@cache
def rules():
    """Return the fingerprint of the code that observes answers and compares them, on any Python version."""
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
