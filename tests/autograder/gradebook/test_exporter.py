"""nbgrader's own autograde, which formgrader's button calls, uses the course's grader."""

import subprocess
import sys

import pytest

from autograder.gradebook import grade as grading
from autograder.gradebook.course import seed_of
from autograder.gradebook.page import feedback_path, page_in, summary_of
from autograder.releases import store
from autograder.sandbox.host import supervisor
from autograder.sandbox.host.warm_process import SandboxUnavailable
from tests.tools.forking_worker import ForkingWorker
from tests.tools.points import full_marks
from tests.tools.school import LESSON, buttons, copied_test, enter_all, new_course, solved, submit

LIGHT = "00_start_here"
NO_SANDBOX = "c.TrustedExporter.no_sandbox = True"


@pytest.fixture(scope="session")
def nobody(tmp_path_factory):
    return enter_all(new_course(tmp_path_factory.mktemp("trusted"), NO_SANDBOX), LIGHT, LESSON)


@pytest.fixture(autouse=True)
def forking_worker(monkeypatch):
    monkeypatch.setattr(grading, "PlainWorker", ForkingWorker)


def press_the_button(course, student, lesson=LIGHT, force=True):
    return buttons(course).autograde(lesson, student, force=force)


def grade_of(book, student):
    with book() as gradebook:
        result = gradebook.find_submission(LIGHT, student)
        return result.score, result.needs_manual_grade


def test_the_autograde_button_gives_a_right_submission_its_points(course, book):
    submit(course, "ada", LIGHT, copied_test(solved(LIGHT)))
    submit(course, "ada", LESSON, b"{")
    outcome, first = press_the_button(course, "ada"), next(iter(store.current(LIGHT).exercises))
    assert outcome["success"], outcome
    assert f"There are 2 test cells of {first}: the last one counts." in outcome["log"]
    assert "WITHOUT the sandbox" in outcome["log"]
    assert "JSON" not in outcome["log"], "the log is on this lesson alone"
    page = course / "autograded" / "ada" / LIGHT / f"{LIGHT}.ipynb"
    assert summary_of(page_in(page))["seed"] == seed_of(course), "as in every other grading of this gradebook"
    assert grade_of(book, "ada") == (full_marks(LIGHT), False)
    page = feedback_path(course, "ada", LIGHT).read_text(encoding="utf-8")
    assert f"<b>{full_marks(LIGHT):g}</b> of {full_marks(LIGHT):g} points" in page


def test_a_notebook_of_another_lesson_is_reported_and_waits_for_a_person(course, book):
    submit(course, "odd", LIGHT, solved(LESSON))
    outcome = press_the_button(course, "odd")
    assert outcome["success"], outcome
    assert "This is 01_masks, but it was handed in as 00_start_here" in outcome["log"]
    assert grade_of(book, "odd") == (0.0, True)


def test_nbgrader_autograde_grades_a_class_and_goes_on_after_a_bad_file(course, hand_in, book):
    """In a separate nbgrader process, which goes on after a bad submission."""
    hand_in("bad", time="no time at all", data=b"{", lesson=LIGHT)
    hand_in("zoe", data=solved(LIGHT), lesson=LIGHT)
    command = [sys.executable, "-m", "nbgrader", "autograde", LIGHT]
    process = subprocess.run(command, cwd=course, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert "not a full date" in process.stderr
    assert "is not complete JSON" in process.stderr
    assert grade_of(book, "bad") == (0.0, True)
    assert grade_of(book, "zoe") == (full_marks(LIGHT), False)


def test_a_newer_submission_is_graded_without_force_and_feedback_is_released(course, hand_in, book, tmp_path):
    new_course(course, f"{NO_SANDBOX}\nc.Exchange.root = {str(tmp_path / 'exchange')!r}")
    feedback_folder = tmp_path / "exchange" / "attention" / "feedback"
    feedback_folder.mkdir(parents=True)
    (tmp_path / "exchange").chmod(0o777)
    path = hand_in("ada", time="2026-03-01 12:00:00 UTC", data=b"{", lesson=LIGHT)
    path.with_name("submission_secret.txt").write_text("a secret")
    press_the_button(course, "ada", force=False)
    path.write_bytes(solved(LIGHT))
    press_the_button(course, "ada", force=False)
    assert grade_of(book, "ada") == (full_marks(LIGHT), False)
    assert buttons(course).generate_feedback(LIGHT, "ada")["success"]
    assert buttons(course).release_feedback(LIGHT, "ada")["success"]
    assert len(list(feedback_folder.glob("*.html"))) == 1


def test_without_a_sandbox_the_autograde_button_shows_the_reason(course, monkeypatch):
    new_course(course)

    def raise_unavailable(parent):
        raise SandboxUnavailable("The sandbox needs bubblewrap: apt install bubblewrap.")

    monkeypatch.setattr(supervisor, "start", raise_unavailable)
    # another test's worker may be warm
    monkeypatch.setattr(supervisor, "_shared", supervisor.SandboxWorker())
    submit(course, "ada", LIGHT)
    outcome = press_the_button(course, "ada")
    assert outcome["success"] is False
    assert "[ERROR] The sandbox needs bubblewrap: apt install bubblewrap." in outcome["log"]
    assert "Traceback" not in outcome["log"]


def test_an_unknown_and_an_unbuilt_lesson_are_refused_by_the_autograde_button(course, monkeypatch):
    submit(course, "ada", "99_other", b"{}", "99_other.ipynb")
    outcome = press_the_button(course, "ada", "99_other")
    assert "99_other is not a lesson of this course" in outcome["log"]
    submit(course, "ada", LIGHT)
    monkeypatch.setattr(store, "refusal", lambda lesson: "Run `make notebooks`.")
    outcome = press_the_button(course, "ada")
    assert outcome["success"] is False
    assert "Run `make notebooks`." in outcome["log"]
