"""Colab: one uploaded notebook is enough, with Colab's versions, without network; it is graded as saved."""

import json

import nbformat
import pytest

from autograder.grading.notebook import grade_notebook
from autograder.releases.course_copy import unpack
from autograder.releases.store import lessons
from autograder.setup.sample_class import as_bytes, saved_by_colab, solved, untouched
from autograder.submission.read import submission_from
from autograder.submission.which_release import UNNAMED
from tests.tools.colab import colab_python
from tests.tools.executed import behind_a_wall, errors, execute, points, save

LESSONS = list(lessons())


@pytest.fixture(scope="session")
def python():
    return colab_python()


def by_check(lesson):
    """{exercise: full points} of the exercises that a check in the notebook scores."""
    return lessons()[lesson].exercises


@pytest.mark.release
@pytest.mark.xdist_group("colab")
@pytest.mark.parametrize("lesson", LESSONS)
def test_untouched_notebook_runs_in_colab(lesson, python, bwrap, tmp_path):
    path = save(untouched(lesson), tmp_path / "content" / f"{lesson}.ipynb")
    ran = execute(python, path, behind_a_wall(bwrap, path.parent))
    assert errors(ran) == []
    assert points(ran) == dict.fromkeys(by_check(lesson), 0.0)
    left = {p.name.split("-")[0] for p in path.parent.iterdir()} - {path.name}
    assert left <= {".course", ".progress"}
    assert ".course" in left


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_notebook_alone_knows_all_its_exercises_and_no_other_lesson(lesson):
    files = unpack(nbformat.reads(json.dumps(untouched(lesson)), as_version=4))
    order = json.loads(files["course_utils/answers/lessons.json"])
    sheets = {
        other: {f"course_utils/answers/{name}.json" for name in names} for other, names in order.items()
    }
    assert [key for key in sheets if sheets[key] <= {*files}] == [lesson]  # what progress() shows


@pytest.mark.release
@pytest.mark.xdist_group("colab")
def test_solved_notebooks_run_in_colab_in_one_folder_and_are_graded(python, bwrap, tmp_path):
    for number, lesson in enumerate(LESSONS, 1):
        path = save(solved(lesson), tmp_path / "content" / f"{lesson}.ipynb")
        ran = execute(python, path, behind_a_wall(bwrap, path.parent))
        assert errors(ran) == [], lesson
        assert points(ran) == by_check(lesson)
        assert len(list(path.parent.glob(".course-*"))) == number
        graded = grade_notebook(as_bytes(saved_by_colab(json.loads(json.dumps(ran))))).as_dict()
        assert graded["score"] == sum(by_check(lesson).values()), graded["notes"]
        assert all(e["passed"] for e in graded["exercises"].values())


@pytest.mark.release
@pytest.mark.xdist_group("colab")
def test_the_copy_of_colab_has_colabs_versions_and_not_the_course(python, bwrap, tmp_path):
    wanted = {"IPython": "7.34.0", "ipywidgets": "7.7.1"}
    cell = "import IPython, ipywidgets; print(IPython.__version__, ipywidgets.__version__)"
    cells = [nbformat.v4.new_code_cell(f"{cell}\nimport course_utils", id="a")]
    path = save(untouched(LESSONS[0]) | {"cells": cells}, tmp_path / "content" / "look.ipynb")
    with pytest.raises(AssertionError, match="No module named 'course_utils'") as message:
        execute(python, path, behind_a_wall(bwrap, path.parent))
    assert " ".join(wanted.values()) in str(message.value)


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_colab_saves_loses_nothing(lesson):
    saved = saved_by_colab(solved(lesson))
    assert saved["nbformat_minor"] == 0
    assert all("id" not in cell and cell["metadata"]["id"] for cell in saved["cells"])
    usual, colab = submission_from(as_bytes(solved(lesson))), submission_from(as_bytes(saved))
    assert colab.lesson is usual.lesson
    assert colab.first_look() == usual.first_look()
    assert set(colab.definitions) == set(by_check(lesson))
    assert colab.notes in ([], [UNNAMED])  # where releases differ, a file without an id is told so
