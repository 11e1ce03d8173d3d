"""Practice records are in no submission and in no bundle for a class."""

import shutil

import pytest
from nbgrader.utils import ignore_patterns
from traitlets.config import PyFileConfigLoader

from autograder.publish.bundle import COPIED_FILES, contents
from tests.conftest import ROOT

LESSON = "01_masks"


@pytest.fixture
def practice_folder(tmp_path):
    """A lesson's folder with every kind of file that practice leaves next to a notebook."""
    folder = tmp_path / "notebooks" / LESSON
    shutil.copytree(ROOT / "notebooks" / LESSON, folder)
    (folder / ".progress").mkdir()
    for name in ("predictions.jsonl", "softmax.py"):
        (folder / ".progress" / name).write_text("private")
    for name in (
        "course-progress.json",
        "course-progress (1).json",
        "mock_interview_intern_2026-11-28_2000.html",
    ):
        (folder / name).write_text("private")
    return folder


def test_nbgrader_leaves_practice_records_out_of_a_submission(practice_folder, tmp_path):
    ignored = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config().CourseDirectory.ignore
    shutil.copytree(practice_folder, tmp_path / "inbound", ignore=ignore_patterns(exclude=ignored))
    assert [path.name for path in (tmp_path / "inbound").rglob("*")] == [f"{LESSON}.ipynb"]


@pytest.mark.usefixtures("practice_folder")
def test_the_bundle_for_a_class_leaves_practice_records_out(tmp_path):
    shutil.copytree(ROOT / "solutions" / LESSON, tmp_path / "solutions" / LESSON)
    for name in ("pyproject.toml", "environment.yml", *COPIED_FILES):
        shutil.copy(ROOT / name, tmp_path)
    names = contents(tmp_path)
    assert f"notebooks/{LESSON}/{LESSON}.ipynb" in names
    assert not [name for name in names if "progress" in name or "mock" in name]
