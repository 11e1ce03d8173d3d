"""An instructor's own test cells run in the same process as the submission and are graded all or nothing."""

from dataclasses import replace

import pytest

from autograder.grading.feedback import as_page
from autograder.grading.looks import NOT_PROTECTED
from autograder.grading.notebook import grade_notebook
from autograder.releases.release import Stub
from autograder.releases.store import lessons
from autograder.setup.sample_class import as_bytes, solved
from tests.corpus.notebooks import code_cell
from tests.tools.forking_worker import ForkingWorker

LESSON = "00_start_here"
STUB = 'def double(x):\n    raise NotImplementedError("Not written yet: put your code here.")'
RIGHT, VISIBLY_RIGHT = "def double(x):\n    return 2 * x", "def double(x):\n    return 4"
VISIBLE = "assert double(2) == 4"
WHOLE = f"{VISIBLE}\n### BEGIN HIDDEN TESTS\nassert double(-3) == -6\n### END HIDDEN TESTS"


@pytest.fixture
def lesson(monkeypatch):
    """The first lesson with an exercise that an instructor has added."""
    first = lessons()[LESSON]
    with_one_more = replace(
        first, plain={"test_double": (2.0, WHOLE)}, stubs={**first.stubs, "double": Stub("double", STUB)}
    )
    monkeypatch.setitem(lessons(), LESSON, with_one_more)


def marked(source, grade_id, **marks):
    off = dict.fromkeys(("grade", "solution", "locked", "task"), False)
    metadata = {**off, "schema_version": 3, "grade_id": grade_id, **marks}
    return code_cell(source, nbgrader=metadata) | {"id": grade_id}


def grade_answer(answer, after="", test=VISIBLE):
    notebook = solved(LESSON)
    tests = [marked(answer, "double", solution=True), marked(test, "test_double", grade=True, points=2)]
    notebook["cells"] += [*tests, code_cell(after)]
    return grade_notebook(as_bytes(notebook), seed=1, worker=ForkingWorker())


@pytest.mark.parametrize(("answer", "changes", "points", "message"), [
    (RIGHT, {}, 2, "runs without an error"),
    (RIGHT, {"after": VISIBLY_RIGHT}, 2, "runs without an error"),
    ("def double(x):\n    return x * x", {}, 0, "AssertionError"),
    (VISIBLY_RIGHT, {}, 0, "AssertionError"),
    (VISIBLY_RIGHT, {"test": "pass"}, 0, "AssertionError"),
    (STUB, {}, 0, "Not started yet"),
    ("import os\ndef double(x):\n    os._exit(0)", {}, 0, "the process died"),
])  # fmt: skip
def test_an_instructors_own_test_decides_despite_edits_by_students(lesson, answer, changes, points, message):
    submission = grade_answer(answer, **changes)
    graded, page = submission.as_dict(), as_page("ada", submission)
    double = graded["exercises"]["double"]
    assert (double["points"], double["max_points"], double["passed"]) == (points, 2, points == 2)
    assert message in double["message"]
    assert (graded["score"], graded["max_score"]) == (4 + points, 6)
    assert graded["exercises"]["attention_weights"]["points"] == 1
    assert f"double: {NOT_PROTECTED}" in graded["notes"]
    assert "not protected against cheating" in page
    assert "hint(" not in page, "the course has no hint for an instructor's own exercise"
