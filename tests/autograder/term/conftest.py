"""A course in the middle of a term; late submissions get no points unless the instructor allows it."""

import pytest

from tests.tools.school import LESSON, new_course


@pytest.fixture
def course(course):
    return new_course(course, 'c.LateSubmissionPlugin.penalty_method = "zero"')


@pytest.fixture
def due(book):
    with book() as opened:
        opened.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")


@pytest.fixture
def write(course):
    """A function that writes a file of the course folder, a line for each text."""
    return lambda name, *lines: (course / name).write_text("".join(f"{line}\n" for line in lines))


@pytest.fixture
def extend(write):
    """A function that writes extensions.csv, a line for each text."""
    return lambda *lines: write("extensions.csv", "student,lesson,extension,reason", *lines)
