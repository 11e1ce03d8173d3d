"""A course with two lessons and no students in its gradebook, a fake grader, a Python without the course."""

import pickle
import sys
import venv
from concurrent.futures import Executor, Future

import pytest

from autograder.cluster import WorkersDied
from autograder.gradebook import class_run
from autograder.gradebook.class_run import grade_class
from autograder.grading.graded import GradedSubmission
from autograder.notes import INFO, Note
from autograder.releases import store
from autograder.sandbox.host.warm_process import SandboxUnavailable
from tests.tools.postgres import postgres, program
from tests.tools.school import (
    LESSON,
    WRITTEN,
    copy_of,
    enter_all,
    exercise,
    gradebook,
    graded,
    new_course,
    submit,
)


@pytest.fixture(scope="session")
def nobody(tmp_path_factory):
    return enter_all(new_course(tmp_path_factory.mktemp("nobody")), LESSON, WRITTEN)


@pytest.fixture
def course(nobody, tmp_path):
    return copy_of(nobody, tmp_path / "course")


@pytest.fixture
def book(course):
    """book() opens the course's gradebook."""
    return lambda: gradebook(course)


@pytest.fixture
def hand_in(course):
    """hand_in(*students, ...) writes files where the grader looks for them, and returns the last path."""

    def put(*students, words="", time="", data=None, lesson=LESSON, name=None):
        for student in students:
            file = submit(course, student, lesson, data or f"{{}} {words}".encode(), name)
            if time:
                file.with_name("timestamp.txt").write_text(time)
        return file

    return put


def pretended(submitted, seed, no_sandbox):
    """A fake grader: words at the end of a file decide its result and its release."""
    if submitted.reason:
        return GradedSubmission.rejected(submitted.reason, seed)
    words = submitted.data.decode().split()[-2:]
    if "breaks" in words:
        raise ZeroDivisionError("division\nby zero")
    if "nobox" in words:
        raise SandboxUnavailable("The sandbox needs bubblewrap: apt install bubblewrap.")
    if "dies" in words:
        raise WorkersDied(3)
    if "again" in words:
        return GradedSubmission.rejected("The sandbox broke: grade it again.", seed, retry=True)
    share = 0.5 if "half" in words else 1.0
    releases = (store.find(submitted.lesson, word) for word in words)
    release = next(filter(None, releases), store.current(submitted.lesson))
    result = graded(
        submitted.lesson, share, {"what_may_one_conclude": "This."}, notes=[Note(INFO, "A note.")]
    )
    result.texts["softmax"] = "\ud800" if "unstorable" in words else ""
    result.release, result.seed = release.id, seed
    result.exercises = {name: exercise(name, worth, share, "") for name, worth in release.exercises.items()}
    result.measured_by = store.measures(release.lesson, release.exercises)
    return result


class InPickles(Executor):
    """An executor that runs calls immediately, but pickles what goes in and out, as if to another machine."""

    def __init__(self, names):
        self.names = names

    def submit(self, action, item):
        future = Future()
        try:
            action, item = pickle.loads(pickle.dumps((action, item)))
            self.names.append(item.student)
            future.set_result(pickle.loads(pickle.dumps(action(item))))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture
def ran(monkeypatch):
    """The students whose submissions the fake grader has run, in order."""
    monkeypatch.setattr(class_run, "grade_one", pretended)
    return []


@pytest.fixture
def grade(course, ran):
    """grade() returns {student: Outcome} for the first lesson, {(student, lesson): Outcome} for others."""

    def run(**choices):
        outcomes = grade_class(course, InPickles(ran), **choices)
        return {o.student if o.lesson == LESSON else (o.student, o.lesson): o for o in outcomes}

    return run


@pytest.fixture
def make_current(monkeypatch):
    """make_current(release) makes a release its lesson's current one and keeps the earlier ones available."""
    current = dict(store.lessons())
    releases = {(release.lesson, release.id): release for release in current.values()}
    monkeypatch.setattr(store, "lessons", lambda: current)
    monkeypatch.setattr(store, "find", lambda *place: releases.get(place))
    monkeypatch.setattr(store, "keep", lambda lesson: None)
    monkeypatch.setattr(store, "refusal", lambda lesson: "")

    def make(release):
        current[release.lesson] = releases[release.lesson, release.id] = release

    return make


@pytest.fixture(scope="session")
def database():
    """A running PostgreSQL server."""
    if program("postgres") is None:
        pytest.fail("PostgreSQL is missing: on Debian and Ubuntu, apt install postgresql", pytrace=False)
    with postgres() as server:
        yield server


@pytest.fixture
def bare(tmp_path):
    """The Python of a venv that sees the installed packages, but not the course."""
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    (next(tmp_path.glob("venv/lib/*/site-packages")) / "here.pth").write_text(packages)
    return tmp_path / "venv" / "bin" / "python"
