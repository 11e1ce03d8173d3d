"""A grader killed at any point leaves a submission graded or not, never half graded; a rerun grades it."""

import os
import sqlite3

import nbformat
import pytest
from sqlalchemy.orm import Session

from autograder.gradebook import writer
from tests.tools.points import full_marks
from tests.tools.school import LESSON, buttons, new_course


def scores(course):
    """(the sum of points in the gradebook, the sum in the page or None without a complete page)."""
    with sqlite3.connect(course / "gradebook.db") as book:
        (book_sum,) = book.execute("select sum(auto_score) from grade").fetchone()
    page = course / "autograded" / "ada" / LESSON / f"{LESSON}.ipynb"
    try:
        cells = nbformat.read(page, as_version=4).cells
    except (OSError, ValueError):
        return book_sum, None
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return book_sum, sum(float(o.data["text/plain"]) for o in outputs if o.output_type == "execute_result")


def run_killed(action, owner, name, when):
    """Run the action in a process that is killed before or after its call of owner.name."""
    pid = os.fork()
    if not pid:
        real = getattr(owner, name)

        def die(*arguments, **keywords):
            if when == "after":
                real(*arguments, **keywords)
            os._exit(9)

        setattr(owner, name, die)
        try:
            action()
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9


@pytest.mark.parametrize(
    ("owner", "name", "when"),
    [
        (writer, "write_page", "before"),
        (writer, "write_page", "after"),
        (writer, "record", "before"),
        (writer, "record", "after"),
        (Session, "flush", "after"),
        (Session, "commit", "after"),
    ],
)
@pytest.mark.parametrize("button", [False, True])
def test_a_grader_killed_at_any_step_leaves_consistent_scores_and_can_rerun(
    course, hand_in, grade, owner, name, when, button
):
    """A graded submission is handed in again, with a lower score."""
    new_course(course, "c.TrustedExporter.no_sandbox = True")
    hand_in("ada")
    grade()
    assert scores(course) == (full_marks(), full_marks())
    hand_in("ada", time="2026-03-01 12:00:00 UTC", words="half")

    def grade_again(force):
        return buttons(course).autograde(LESSON, "ada", force=force) if button else grade()

    run_killed(lambda: grade_again(force=True), owner, name, when)
    book_sum, page_sum = scores(course)
    assert page_sum in (None, book_sum)
    grade_again(force=False)
    assert scores(course) == (full_marks() / 2, full_marks() / 2)
    assert grade()["ada"].state == "unchanged"
