"""A course in the middle of a term: late work gets no points, and the instructor's files can change that."""

import pytest

from tests.tools.school import LESSON, new_course


@pytest.fixture
def course(course):
    return new_course(course, 'c.LateSubmissionPlugin.penalty_method = "zero"')


@pytest.fixture
def due(book):
    with book() as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")


@pytest.fixture
def write(course):
    """write(name, *lines) writes a file of the course folder."""
    return lambda name, *lines: (course / name).write_text("".join(f"{line}\n" for line in lines))


@pytest.fixture
def extend(write):
    """extend(*lines) writes extensions.csv."""
    return lambda *lines: write("extensions.csv", "student,lesson,extension,reason", *lines)
