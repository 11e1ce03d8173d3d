"""Check a lesson before its release: its own answers earn full marks, an untouched notebook earns nothing."""

import contextlib
import io

import nbformat

from autograder.authoring.seeds import VISIBLE
from autograder.exercises import load, names
from autograder.grading.grade_object import grade
from autograder.releases.course_copy import without_copy
from autograder.releases.release import SETUP, grade_id, marks, test_of
from autograder.submission.read import reach
from course_utils.source import names_in

from .lesson import LessonError, current

HIDDEN = 1  # a fixed seed of hidden cases, so that a build always has the same outcome


def refuse_unsound(py, released):
    """Raise LessonError unless the lesson's answers earn full marks and the released notebook earns 0."""
    answered, untouched = current(py).cells, current(py).cells
    sources = {grade_id(cell): cell.source for cell in nbformat.read(released, as_version=4).cells}
    for cell in untouched:
        cell.source = sources.get(grade_id(cell), "") if is_solution_cell(cell) else cell.source
    for seed in (VISIBLE, HIDDEN):
        for name, (share, reason) in earned_shares(answered, seed).items():
            if share < 1:
                raise LessonError(f"{py.stem}: its own answer to {name} does not earn full marks: {reason}")
    for name, (share, _) in earned_shares(untouched, VISIBLE).items():
        if share:
            raise LessonError(f"{py.stem}: an untouched notebook already earns points for {name}.")


def earned_shares(cells, seed):
    """Run the cells that the tests need, then grade: {test name: (share of its points, message)}."""
    space = {"__name__": "__main__"}
    code = [cell for cell in without_copy(cells) if cell.cell_type == "code"]
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in needed_cells(code):
            run_cell(cell.source, space)
        return {test_of(cell): grade_one(cell, seed, space) for cell in code if test_of(cell)}


def needed_cells(cells):
    """The set-up, the solution cells, and the cells that define names used there or in the tests."""
    names = [names_in(cell.source) for cell in cells]
    own = {n for n, c in enumerate(cells) if is_solution_cell(c) or SETUP in c.metadata.get("tags", [])}
    tests = {n for n, cell in enumerate(cells) if test_of(cell)}
    bound = {name for n in own for name in names[n].bound}

    def defining_cells(number):
        needs = names[number].used - bound
        return [n for n, other in enumerate(names) if other.bound & needs and n not in tests]

    return [cells[n] for n in sorted({*reach(own | tests, defining_cells)} - tests)]


def grade_one(cell, seed, space):
    """(share of the points, message) for an exercise's test cell, or for one with plain asserts."""
    name = test_of(cell)
    if name not in names():
        error = run_cell(cell.source, space)
        return float(error is None), error
    if name not in space:
        return 0.0, f"{name} is not defined"
    result = grade(name, space[name], seed)
    return round(result.points / load(name).points, 6), result.message


def run_cell(source, space):
    """Run a cell; return its exception as text, or None."""
    try:
        exec(compile(without_magics(source), "<cell>", "exec"), space)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def without_magics(source):
    """A cell's Python code, without IPython magics and shell commands."""
    return "\n".join(line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))


def is_solution_cell(cell):
    return marks(cell).get("solution")
