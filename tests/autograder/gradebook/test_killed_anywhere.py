"""A grader that is killed at any point leaves a submission graded or not, never half; a rerun grades it."""

import os
import sqlite3

import nbformat
import pytest
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.orm import Session

from autograder.gradebook import class_run, writer
from autograder.gradebook.class_run import grade_class
from autograder.gradebook.course import settings
from tests.autograder.gradebook.test_grade_class import InPickles, pretended
from tests.tools.points import full_marks
from tests.tools.school import LESSON, buttons, copy_of, enter_all, new_course, submit

KILLED = 9

HALF = (full_marks() / 2, full_marks() / 2)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """One submission is graded, and handed in again with a lower score."""
    course = new_course(tmp_path_factory.mktemp("killed"), "c.TrustedExporter.no_sandbox = True")
    enter_all(course, LESSON)
    first = submit(course, "ada").read_bytes()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(class_run, "grade_one", pretended)
        make_grade(course)
    assert scores(course) == (full_marks(), full_marks())
    submit(course, "ada", data=first + b" ").with_name("timestamp.txt").write_text("2026-03-01 12:00:00 UTC")
    return course


@pytest.fixture
def course(graded, tmp_path, monkeypatch):
    monkeypatch.setattr(class_run, "grade_one", pretended)
    return copy_of(graded, tmp_path / "course")


def make_grade(course):
    return grade_class(course, InPickles())[0]


def press_the_button(course):
    buttons(course).autograde(LESSON, "ada")


def nbgrader_autograde(course):
    """The command, without --force."""
    config = settings(course)
    config.CourseDirectory.assignment_id = LESSON
    Autograde(coursedir=CourseDirectory(config=config), config=config).start()


def scores(course):
    """(the sum in the gradebook, the sum in the page; None without a whole page)."""
    with sqlite3.connect(course / "gradebook.db") as book:
        (stored,) = book.execute("select sum(auto_score) from grade").fetchone()
    page = course / "autograded" / "ada" / LESSON / f"{LESSON}.ipynb"
    try:
        cells = nbformat.read(page, as_version=4).cells
    except (OSError, ValueError):
        return stored, None
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return stored, sum(float(o.data["text/plain"]) for o in outputs if o.output_type == "execute_result")


def killed(action, course, owner, name, when):
    """Do it in a process that ends where owner.name is called: before or after."""
    pid = os.fork()
    if not pid:
        real = getattr(owner, name)

        def lost(*arguments, **named):
            if when == "after":
                real(*arguments, **named)
            os._exit(KILLED)

        setattr(owner, name, lost)
        try:
            action(course)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == KILLED


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
@pytest.mark.parametrize(
    ("action", "again"), [(make_grade, make_grade), (press_the_button, nbgrader_autograde)]
)
def test_a_killed_grader_goes_on(course, owner, name, when, action, again):
    killed(action, course, owner, name, when)
    stored, shown = scores(course)
    assert shown in (None, stored)
    again(course)
    assert scores(course) == HALF
    assert make_grade(course).state == "unchanged"
