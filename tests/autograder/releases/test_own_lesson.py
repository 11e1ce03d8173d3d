"""An instructor's own lesson, tested with asserts only, is built, entered in a gradebook and graded."""

import re
import shutil

import pytest
from nbgrader.api import Gradebook

from autograder.grading.notebook import grade_notebook
from autograder.publish.build import build
from autograder.releases import store
from autograder.releases.release import Release
from autograder.releases.store import graded_cells
from autograder.setup.sample_class import as_bytes
from tests.autograder.publish.test_build import read, source_of
from tests.conftest import ROOT
from tests.tools.forking_worker import ForkingWorker
from tests.tools.school import enter_all, new_course

LESSON = "06_mine"
PAGE = ROOT / "docs" / "contributing.md"  # the lesson is shown there


@pytest.fixture
def student_notebook(small_tree, monkeypatch):
    """The student's notebook of the lesson, which is registered with the course."""
    for lesson in (small_tree / "solutions").glob("[0-9]*"):
        shutil.rmtree(lesson)
    source = source_of(small_tree, LESSON)
    source.parent.mkdir()
    (text,) = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    source.write_text(text, encoding="utf-8")
    build(small_tree)
    notebook = read(small_tree, LESSON)
    release = Release.of(store.record_of(notebook, store.published(), small_tree))
    monkeypatch.setitem(store.lessons(), LESSON, release)
    monkeypatch.setattr(store, "KEPT", small_tree / "kept")
    monkeypatch.setattr(store, "graded_cells", lambda lesson, root: graded_cells(lesson, small_tree))
    return notebook


def test_an_instructors_lesson_is_graded_and_entered_in_the_gradebook(student_notebook, tmp_path):
    cell = next(cell for cell in student_notebook.cells if cell.id == "double")
    double = "def double(x):\n    return {}"
    for answer, score in ((cell.source, 0), (double.format("2 * x"), 2), (double.format("x + 2"), 0)):
        cell.source = answer
        graded = grade_notebook(as_bytes(student_notebook), 1, ForkingWorker())
        assert (graded.lesson, graded.status, graded.score, graded.max_score) == (LESSON, "graded", score, 2)
    course = enter_all(new_course(tmp_path / "course"), LESSON)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        (cell,) = gradebook.find_notebook(LESSON, LESSON).grade_cells
        assert (cell.name, cell.max_score) == ("test_double", 2.0)
