"""A lesson before it is released: its own answers must earn full marks, and an untouched notebook nothing."""

import contextlib
import io

import nbformat

from autograder.authoring.seeds import VISIBLE
from autograder.exercises import load, names
from autograder.grading.one_object import grade
from autograder.releases.release import SETUP

from .embed import plain
from .lesson import LessonError, current

HIDDEN = 1  # the seed of the hidden cases; always the same, so that a build that works goes on working


def refuse_unsound(py, released):
    """Raise LessonError unless the lesson's answers earn all, and the released notebook as it is earns 0."""
    answered, untouched = current(py).cells, nbformat.read(released, as_version=4).cells
    for seed in (VISIBLE, HIDDEN):
        for name, (share, reason) in earned(answered, seed, 1).items():
            if share < 1:
                raise LessonError(f"{py.stem}: its own answer to {name} does not earn full marks: {reason}")
    for name, (share, _) in earned(untouched, VISIBLE, 0).items():
        if share:
            raise LessonError(f"{py.stem}: an untouched notebook already earns points for {name}.")


def earned(cells, seed, expected):
    """{test cell: (share of its points, what is wrong)}, from the cells that students write in.

    Where the shares are not the expected ones, answers may need other cells of the lesson: then from all of them.
    """
    result = graded(cells, seed, [cell for cell in cells if is_written(cell)])
    if all(share == expected for share, _ in result.values()):
        return result
    return graded(cells, seed, [cell for cell in cells if cell.cell_type == "code" and not tested(cell)])


def graded(cells, seed, run):
    """The same, in the namespace that the cells `run` leave."""
    space = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in run:
            attempt(cell.source, space)
        return {tested(cell): grade_one(cell, seed, space) for cell in cells if tested(cell)}


def grade_one(cell, seed, space):
    """(share, what is wrong) of an exercise, or of a test cell with asserts."""
    name = tested(cell)
    if name not in names():
        error = attempt(cell.source, space)
        return float(error is None), error
    if name not in space:
        return 0.0, f"{name} is not defined"
    result = grade(name, space[name], seed)
    return round(result.points / load(name).points, 6), result.message


def attempt(source, space):
    """Run a cell; what it ended with, if it did not reach its end."""
    try:
        exec(compile(plain(source), "<cell>", "exec"), space)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def is_written(cell):
    """A code cell that answers need: the set-up, and those that students write in."""
    marks = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and (marks.get("solution") or SETUP in cell.metadata.get("tags", []))


def tested(cell):
    """What a test cell tests: an exercise, or a name of its own; None for other cells."""
    marks = cell.metadata.get("nbgrader", {})
    if cell.cell_type != "code" or not marks.get("grade") or marks.get("solution"):
        return None
    return marks["grade_id"].removeprefix("test_")
