"""The released lessons: what a submission is held against."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import nbformat

from autograder.exercises import names
from autograder.publish.embed import LAST_LINE, TAG, TITLE, is_copy
from autograder.submission.syntax import meaning

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


@dataclass
class Lesson:
    """setup: the set-up cell's source. exercises: {name: points of its test cell}. stubs: {grade_id: source} of cells to
    be written in. demonstrations: sources of the other code cells; meanings: what they say, however it is set. plain:
    {grade_id: (points, source)} of an instructor's own test cells. by_hand: {grade_id: points} graded by a person;
    answers: their released text; before: the text of the cell before each."""

    name: str
    setup: str = ""
    exercises: dict = field(default_factory=dict)
    stubs: dict = field(default_factory=dict)
    demonstrations: set = field(default_factory=set)
    meanings: set = field(default_factory=set)
    plain: dict = field(default_factory=dict)
    by_hand: dict = field(default_factory=dict)
    answers: dict = field(default_factory=dict)
    before: dict = field(default_factory=dict)


@cache
def lessons():
    """{lesson name: Lesson} of the notebooks that students get."""
    return {path.stem: read(path) for path in sorted(NOTEBOOKS.glob("*/*.ipynb"))}


def read(path):
    lesson, before = Lesson(path.stem), ""
    for cell in nbformat.read(path, as_version=4).cells:
        add(lesson, cell, before)
        before = bare(cell.source)
    return lesson


def add(lesson, cell, before):
    """Note what a released cell is there for."""
    marks = cell.metadata.get("nbgrader", {})
    grade_id = marks.get("grade_id", "")
    exercise = grade_id.removeprefix("test_")
    if marks.get("grade") and marks.get("solution"):
        lesson.by_hand[grade_id] = float(marks["points"])
        lesson.answers[grade_id], lesson.before[grade_id] = cell.source, before
    elif marks.get("grade") and exercise in names():
        lesson.exercises[exercise] = float(marks["points"])
    elif marks.get("grade"):
        lesson.plain[grade_id] = float(marks["points"]), cell.source
    elif marks.get("solution"):
        lesson.stubs[grade_id] = bare(cell.source)
    elif TAG in cell.metadata.get("tags", []):
        lesson.setup = cell.source
    elif cell.cell_type == "code":
        lesson.demonstrations.add(bare(cell.source))
        lesson.meanings |= {meaning(cell.source)} - {()}


def bare(source):
    """A source without the white space that editors change."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def is_stub(source, stub):
    """Is it still the cell that was given out?"""
    return bare(source) == stub or meaning(source) == meaning(stub)


def is_setup(source, lesson):
    return is_copy_text(source) or bare(source) == bare(lesson.setup)


def is_copy_text(source):
    return is_copy(nbformat.from_dict({"source": source.lstrip()}))


def without_copy(source):
    """What was written before and after the course's copy, where an editor merged cells with it."""
    before, found, copy = source.partition(TITLE)
    _, ended, after = copy.partition("\n" + LAST_LINE)
    return before + after if found and ended else source
