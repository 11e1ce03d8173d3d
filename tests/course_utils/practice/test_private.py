"""What is practised is in nothing that is handed in or handed out."""

import shutil

from nbgrader.utils import ignore_patterns
from traitlets.config import PyFileConfigLoader

from autograder.publish.bundle import AS_THEY_ARE, contents
from course_utils.practice.log import Fact, now, remember
from tests.conftest import ROOT

LESSON = "01_masks"


def practised(folder, monkeypatch):
    """Files of all kinds that practice leaves beside a notebook."""
    monkeypatch.chdir(folder)
    assert remember(Fact("memory:softmax", now(), True)) is None
    for name in (".progress/softmax_from_memory.py", "course-progress.json", "course-progress (1).json"):
        (folder / name).write_text("private")


def test_nbgrader_leaves_it_out_of_a_submission(tmp_path, monkeypatch):
    folder = tmp_path / LESSON
    folder.mkdir()
    (folder / f"{LESSON}.ipynb").write_text("{}")
    practised(folder, monkeypatch)
    ignored = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config().CourseDirectory.ignore
    shutil.copytree(folder, tmp_path / "inbound", ignore=ignore_patterns(exclude=ignored))
    assert [path.name for path in (tmp_path / "inbound").rglob("*")] == [f"{LESSON}.ipynb"]


def test_the_zip_for_a_class_leaves_it_out(tmp_path, monkeypatch):
    tree = tmp_path / "tree"
    for name in (f"solutions/{LESSON}", f"notebooks/{LESSON}"):
        shutil.copytree(ROOT / name, tree / name)
    for name in ("pyproject.toml", "environment.yml", *AS_THEY_ARE):
        shutil.copy(ROOT / name, tree)
    practised(tree / "notebooks" / LESSON, monkeypatch)
    names = contents(tree)
    assert f"notebooks/{LESSON}/{LESSON}.ipynb" in names
    assert not [name for name in names if "progress" in name]
