"""A lesson is refused everywhere if something that decides scores was edited since the last build."""

import re
import shutil

import pytest

from autograder.gradebook.writer import Writer
from autograder.grading.notebook import grade_notebook
from autograder.notes import texts_of
from autograder.publish.bundle import hand_out
from autograder.publish.lesson import LessonError
from autograder.refused import LessonRefused
from autograder.releases import store
from tests.autograder.publish.test_build import edit
from tests.conftest import ROOT
from tests.corpus.notebooks import as_bytes, released
from tests.tools.school import new_course

LESSON = "01_masks"
SOURCE, EXERCISE = f"solutions/{LESSON}/{LESSON}.py", "autograder/exercises/masks/softmax.py"


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A copy of the files that decide the lesson's scores."""
    ignore_releases = lambda _, names: [n for n in names if "." in n[:-3]]  # noqa: E731
    for name in ("autograder", "course_utils"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignore_releases)
    (tmp_path / SOURCE).parent.mkdir(parents=True)
    shutil.copy(ROOT / SOURCE, tmp_path / SOURCE)
    monkeypatch.setattr(store, "ROOT", tmp_path)
    return tmp_path


def what_decides(root, cells=None):
    return store.what_decides(cells or store.current(LESSON).skeleton().cells, LESSON, root)


WITH_OTHER = "def other(): ...\n\n\ndef "


@pytest.mark.parametrize(
    ("file", "old", "new", "decides"),
    [
        (EXERCISE, "e.sum(dim, keepdim", "e.mean(dim, keepdim", True),
        ("autograder/exercises/masks/masked_softmax.py", "def ", WITH_OTHER, True),
        ("autograder/exercises/kv_cache/attend_in_chunks.py", "def ", WITH_OTHER, False),
        ("autograder/authoring/draws.py", "def ", WITH_OTHER, True),
        ("course_utils/compare/verdict.py", "def ", WITH_OTHER, True),
        ("course_utils/show/card.py", "def ", WITH_OTHER, False),
        (SOURCE, 'grade("softmax"', 'assert True\ngrade("softmax"', True),
        (SOURCE, "# %% [markdown]", "# %% [markdown]\n# Another word.", False),
    ],
)
def test_an_edit_is_noticed_exactly_if_it_decides_scores(clone, file, old, new, decides):
    before = what_decides(clone)
    edit(clone / file, old, new)
    assert (what_decides(clone) != before) is decides


def test_no_exercise_imports_another_exercise():
    for path in (ROOT / "autograder" / "exercises").rglob("[!_]*.py"):
        assert not re.search(r"^ *(from|import) (autograder\.exercises|\.)", path.read_text(), re.M), path


def test_points_in_the_notebook_are_part_of_what_decides():
    cells = store.current(LESSON).skeleton().cells
    before = what_decides(ROOT, cells)
    assert before == store.current(LESSON).record["notebook"]["metadata"]["course"]["built_from"]
    next(c for c in cells if c.metadata.get("nbgrader", {}).get("grade")).metadata.nbgrader.points += 1
    assert what_decides(ROOT, cells) != before


def test_an_edited_lesson_is_refused_by_grading_the_gradebook_and_the_bundle(tmp_path, monkeypatch):
    real, edited_message = store.graded_cells, store.EDITED.format(LESSON)
    graded_cells = lambda lesson, root: [] if lesson == LESSON else real(lesson, root)  # noqa: E731
    monkeypatch.setattr(store, "graded_cells", graded_cells)
    monkeypatch.setattr(store, "KEPT", tmp_path / "kept")
    graded = grade_notebook(as_bytes(released(LESSON)), 1)
    assert (graded.status, graded.retry, texts_of(graded.notes)) == ("rejected", True, [edited_message])
    with Writer(new_course(tmp_path / "course")) as writer, pytest.raises(LessonRefused) as by_make_grade:
        writer.enter(LESSON)
    with pytest.raises(LessonError) as by_make_bundle:
        hand_out(ROOT, tmp_path / "course.zip")
    assert {str(by_make_grade.value), str(by_make_bundle.value)} == {edited_message}
    assert store.refusal("02_split_concat") == ""
