"""The released lessons: what a submission is held against."""
import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import nbformat

from .embed import TAG, is_copy
from .exercises import names

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"


@dataclass
class Lesson:
    """setup: the set-up cell's source. exercises: {name: points of its test cell}. by_hand: {grade_id: points} graded
    by a person. demonstrations: sources of the other code cells. answers: {grade_id: released text} of by_hand cells."""

    name: str
    setup: str = ""
    exercises: dict = field(default_factory=dict)
    by_hand: dict = field(default_factory=dict)
    demonstrations: set = field(default_factory=set)
    answers: dict = field(default_factory=dict)


@cache
def lessons():
    """{lesson name: Lesson} of the notebooks that students get."""
    return {path.stem: read(path) for path in sorted(NOTEBOOKS.glob("*/*.ipynb"))}


def read(path):
    lesson = Lesson(path.stem)
    for cell in nbformat.read(path, as_version=4).cells:
        marks = cell.metadata.get("nbgrader", {})
        exercise = marks.get("grade_id", "").removeprefix("test_")
        if marks.get("grade") and marks.get("solution"):
            lesson.by_hand[marks["grade_id"]] = float(marks["points"])
            lesson.answers[marks["grade_id"]] = cell.source
        elif marks.get("grade") and exercise in names():
            lesson.exercises[exercise] = float(marks["points"])
        elif TAG in cell.metadata.get("tags", []):
            lesson.setup = cell.source
        elif cell.cell_type == "code" and not marks.get("solution"):
            lesson.demonstrations.add(bare(cell.source))
    return lesson


def bare(source):
    """A source without the white space that editors change."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def is_setup(source, lesson):
    return is_copy_text(source) or bare(source) == bare(lesson.setup)


def is_copy_text(source):
    return is_copy(nbformat.from_dict({"source": source.lstrip()}))


def definitions(source):
    """Names that a cell defines at its top level; empty for a cell that is no plain Python."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    assigned = {t.id for node in body if isinstance(node, ast.Assign) for t in node.targets if isinstance(t, ast.Name)}
    return {node.name for node in body if isinstance(node, kinds)} | assigned
