"""What is practised is in nothing that is handed in or handed out."""

import shutil

from nbgrader.utils import ignore_patterns
from traitlets.config import PyFileConfigLoader

from autograder.publish.bundle import AS_THEY_ARE, contents
from tests.conftest import ROOT

LESSON = "01_masks"
PRIVATE = (
    ".progress/predictions.jsonl",
    ".progress/softmax.py",
    "course-progress.json",
    "course-progress (1).json",
)


def practised(folder):
    """Files of all kinds that practice leaves beside a notebook."""
    (folder / ".progress").mkdir(parents=True)
    for name in PRIVATE:
        (folder / name).write_text("private")


def test_nbgrader_leaves_it_out_of_a_submission(tmp_path):
    practised(tmp_path / LESSON)
    (tmp_path / LESSON / f"{LESSON}.ipynb").write_text("{}")
    ignored = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config().CourseDirectory.ignore
    shutil.copytree(tmp_path / LESSON, tmp_path / "inbound", ignore=ignore_patterns(exclude=ignored))
    assert [path.name for path in (tmp_path / "inbound").rglob("*")] == [f"{LESSON}.ipynb"]


def test_the_zip_for_a_class_leaves_it_out(tmp_path):
    for name in (f"solutions/{LESSON}", f"notebooks/{LESSON}"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("pyproject.toml", "environment.yml", *AS_THEY_ARE):
        shutil.copy(ROOT / name, tmp_path)
    practised(tmp_path / "notebooks" / LESSON)
    names = contents(tmp_path)
    assert f"notebooks/{LESSON}/{LESSON}.ipynb" in names
    assert not [name for name in names if "progress" in name]
