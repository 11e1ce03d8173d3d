"""`python -m autograder change-points LESSON`: applies a lesson's new points to a gradebook with grades."""

from functools import partial

from nbgrader.api import Grade, MissingEntry

from autograder.grading.graded import scaled
from autograder.refused import Refused
from autograder.releases import store

from . import change
from .change import Changes, differences
from .lessons import points_of
from .record import write_penalty

PART = "{}: {:g} -> {:g} points."
RULE = (
    "The gradebook has one maximum per exercise, so the points that students have are rescaled, including "
    "those set by hand: half of 2 becomes half of 4. Submissions from an earlier release that are graded "
    "later are rescaled in the same way."
)
FROM_ZERO = "What was worth 0 points cannot be rescaled: these grades wait for a person."


def run(root, lesson, yes=False):
    return change.run(root, f"points-of-{lesson}", partial(change_points, lesson=lesson), yes)


def change_points(writer, lesson):
    """Enter the lesson's current points and rescale all its grades, without a commit; return the Changes."""
    release = store.current(lesson)
    if store.refusal(lesson):
        raise Refused(store.refusal(lesson))
    cells = changed_cells(writer.gradebook, release)
    sentences = [PART.format(cell.name.removeprefix("test_"), cell.max_score, cells[cell]) for cell in cells]
    sentences += [RULE] if cells else []
    sentences += [FROM_ZERO] if any(not cell.max_score for cell in cells) else []
    rows = differences(writer.gradebook, partial(rescale, writer, cells))
    return Changes(rows, sentences, needed=bool(cells))


def changed_cells(book, release):
    """{nbgrader's cell: points in the release} of the cells with other points in the gradebook."""
    try:
        cells = book.find_notebook(release.lesson, release.lesson).grade_cells
    except MissingEntry:
        return {}
    now = points_of(release)
    return {cell: now[cell.name] for cell in cells if now.get(cell.name, cell.max_score) != cell.max_score}


def rescale(writer, cells):
    """Rescale the grades in these cells, and recompute late penalties, which may depend on the score. A grade
    that cannot be rescaled waits for a person; points that a person gave stay in it."""
    db, notebooks = writer.gradebook.db, set()
    for cell, worth in cells.items():
        for grade in db.query(Grade).filter(Grade.cell_id == cell.id):
            notebooks.add(grade.notebook)
            grade.auto_score = scaled(grade.auto_score, cell.max_score, worth)
            if cell.max_score:
                grade.manual_score = scaled(grade.manual_score, cell.max_score, worth)
            else:
                grade.needs_manual_grade = True
        cell.max_score = worth
    for notebook in notebooks:
        write_penalty(db, notebook.assignment, notebook, writer.late_plugin)
