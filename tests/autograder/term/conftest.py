"""A course in the middle of a term: a gradebook that knows two lessons, and a grader that only pretends."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.gradebook import class_run
from autograder.gradebook.class_run import grade_class
from autograder.grading.graded import GradedSubmission
from autograder.releases import store
from tests.tools.school import LESSON, WRITTEN, enter_all, exercise, gradebook, graded, new_course, submit

ZERO = 'c.LateSubmissionPlugin.penalty_method = "zero"'
DUE = "2026-03-01 12:00:00 UTC"


@pytest.fixture(scope="session")
def nobody(tmp_path_factory):
    return enter_all(new_course(tmp_path_factory.mktemp("term"), ZERO), LESSON, WRITTEN)


@pytest.fixture(autouse=True)
def ran(monkeypatch):
    """The students whose submissions were run, in order."""
    names = []

    def pretended(submitted, seed, no_sandbox):
        names.append(submitted.student)
        return result_of(submitted, seed)

    monkeypatch.setattr(class_run, "grade_one", pretended)
    return names


def result_of(submitted, seed):
    """Half of the points where the file ends with "half", by the release that it names, if it names one."""
    if submitted.reason:
        return GradedSubmission.rejected(submitted.reason, seed)
    words = submitted.data.decode().split()
    share = 0.5 if words[-1] == "half" else 1.0
    named = (store.find(submitted.lesson, word) for word in words[-2:])
    release = next(filter(None, named), store.current(submitted.lesson))
    result = graded(submitted.lesson, share)
    result.release = release.id
    result.exercises = {name: exercise(name, worth, share, "") for name, worth in release.exercises.items()}
    return result


@pytest.fixture
def book(course):
    """A function that opens the gradebook."""
    return lambda: gradebook(course)


@pytest.fixture
def due(course, book):
    with book() as opened:
        opened.update_or_create_assignment(LESSON, duedate=DUE)
    return DUE


@pytest.fixture
def hand_in(course):
    """A function that puts a notebook, with a time if one is given, where the grader looks for it."""

    def put(student, time="", data=b"{}", lesson=LESSON):
        file = submit(course, student, lesson, data)
        if time:
            file.with_name("timestamp.txt").write_text(f"{time}\n")

    return put


@pytest.fixture
def grade(course):
    """A function that grades -> {student: Outcome} of the first lesson."""

    def run(**choices):
        outcomes = grade_class(course, ThreadPoolExecutor(1), **choices)
        return {outcome.student: outcome for outcome in outcomes if outcome.lesson == LESSON}

    return run


@pytest.fixture
def write(course):
    """A function that writes a file of the course folder, a line for each text."""
    return lambda name, *lines: (course / name).write_text("".join(f"{line}\n" for line in lines))


@pytest.fixture
def extend(write):
    """A function that writes extensions.csv, a line for each text."""
    return lambda *lines: write("extensions.csv", "student,lesson,extension,reason", *lines)
