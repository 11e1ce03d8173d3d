"""All that decides a lesson's scores -> a fingerprint: what was edited and not built is refused.

In: the points of the lesson's cells; its exercises' files, with what they import of the rooms below; its test
cells with their hidden tests. Comments and layout of Python files do not count.
"""

import ast
import hashlib
import re
import sys
import warnings
from functools import lru_cache
from pathlib import Path

from .reach import reach

ROOT = Path(__file__).resolve().parents[2]
DECIDING = tuple(
    f"{room}."
    for room in (
        "autograder.exercises",
        "autograder.authoring",
        "course_utils.model",
        "course_utils.observe",
        "course_utils.compare",
    )
)
COMPARES = "course_utils.compare.verdict"
CELL = re.compile(r"^(?=# %%)", re.M)


def built_from(points, modules, tests):
    """points: {grade_id: points} in the notebook; modules: of its exercises; tests: see graded_cells."""
    sources = {name: parsed(name)[0] for name in sorted(imported([*modules, COMPARES]))}
    return hashlib.sha256(repr((sorted(points.items()), sources, tests)).encode()).hexdigest()[:12]


def graded_cells(lesson, root):
    """The graded cells of a lesson's source, marks included."""
    path = root / "solutions" / lesson / f"{lesson}.py"
    cells = CELL.split(path.read_text(encoding="utf-8")) if path.exists() else []
    return [cell.strip() for cell in cells if '"grade": true' in cell.partition("\n")[0]]


def imported(modules):
    """These modules and all that they import of DECIDING, at the top or in a function."""
    return reach(filter(file_of, modules), lambda module: filter(file_of, parsed(module)[1]))


def parsed(module):
    """(what a module says, as a hash; the names that it imports of DECIDING)."""
    file = file_of(module)
    return parsed_file(module, file, file.stat().st_mtime_ns)


@lru_cache(256)
def parsed_file(module, file, changed):
    """The same of its file as it was at that time: a formgrader stays open while files change."""
    text = file.read_text(encoding="utf-8")
    try:
        tree = parse(text)
    except SyntaxError:  # while somebody writes it: nothing that was built
        return text, []
    names = [name for node in ast.walk(tree) for name in imported_by(node, module)]
    shape = repr(shape_of(tree)).encode()
    return hashlib.sha256(shape).hexdigest(), [name for name in names if name.startswith(DECIDING)]


def parse(text):
    """By the course's parser, which takes one thread at a time, where it is loaded. It imports torch, without
    which the process that writes the gradebook starts sooner; that one has no second thread."""
    source = sys.modules.get("course_utils.source")
    if source:
        return source.parse(text)
    with warnings.catch_warnings(action="ignore"):  # of "\\sigma", say
        return ast.parse(text)


def imported_by(node, module):
    """What may be modules among the names that an import statement names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    parts = [*module.split("."), *(["__init__"] if file_of(module).stem == "__init__" else [])]
    above = parts[: -node.level] if node.level else []
    package = ".".join([*above, *([node.module] if node.module else [])])
    return [package, *(f"{package}.{alias.name}" for alias in node.names)]


def file_of(module):
    """The module's file; None for what is none, such as a function."""
    path = ROOT.joinpath(*module.split("."))
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)


def shape_of(node):
    """A syntax tree as tuples, the same in all versions of Python."""
    if isinstance(node, ast.AST):
        fields = [shape_of(value) for _, value in ast.iter_fields(node) if value not in (None, [])]
        return (type(node).__name__, *fields)
    return tuple(map(shape_of, node)) if isinstance(node, list) else node
