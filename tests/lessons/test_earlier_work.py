"""Work that was begun with an earlier version of the course goes on: nothing is lost or changed."""

import contextlib
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from autograder.grading.notebook import grade_notebook
from autograder.releases import store
from autograder.setup.lab import copy_lessons
from tests.conftest import ROOT
from tests.tools.executed import environment, errors, execute_from_here, points
from tests.tools.forking_worker import ForkingWorker

# Left by the course of 21 November 2026: 00 solved and run, and the answers that checks saved in 00 and 01.
EARLIER = Path(__file__).with_name("work_of_21_november.zip")
SECOND, NEXT = "01_masks", "02_split_concat"
ASK = f"""
from course_utils import progress
from course_utils.model.sheet import lessons
from course_utils.yours import in_files
assert all(in_files(name)[0] for name in lessons()["{SECOND}"])
progress()
"""


@pytest.fixture
def earlier_notebook(tmp_path):
    """A notebook in a work/ folder of the earlier version, next to the newer course."""
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    with zipfile.ZipFile(EARLIER) as files:
        files.extractall(tmp_path)
    return tmp_path / "work" / "00_start_here" / "00_start_here.ipynb"


def test_an_earlier_notebook_runs_and_is_graded(earlier_notebook):
    ran = execute_from_here(sys.executable, earlier_notebook)
    assert errors(ran) == []
    graded = grade_notebook(earlier_notebook.read_bytes(), seed=5, worker=ForkingWorker())
    assert (graded.status, graded.score) == ("graded", graded.max_score)
    assert sum(points(ran).values()) == graded.max_score


GONE = "`prose` was part of course_utils up to 2026-11-24 and is gone: `make lab` puts the newer lesson, .* "
ENDS_WITH = {("06_in_the_wild", "526d8e4ca827"): pytest.raises(CellExecutionError, match=GONE)}


@pytest.mark.release
@pytest.mark.parametrize("place", sorted(store.kept_files()), ids="/".join)
def test_an_untouched_earlier_lesson_runs_as_far_as_the_course_has_what_it_uses(place, tmp_path):
    nbformat.write(store.find(*place).skeleton(), tmp_path / "lesson.ipynb")
    with ENDS_WITH.get(place, contextlib.nullcontext()):
        assert errors(execute_from_here(sys.executable, tmp_path / "lesson.ipynb")) == []


def test_an_earlier_notebook_is_kept_next_to_the_new_lessons_and_its_answers_pass(earlier_notebook):
    work, before = earlier_notebook.parents[1], earlier_notebook.read_bytes()
    sentences = copy_lessons(work.parent)
    assert any(f"newer version of {earlier_notebook.name}" in sentence for sentence in sentences)
    assert earlier_notebook.read_bytes() == before
    lessons = {path.stem for path in (ROOT / "notebooks").glob("*/*.ipynb")}
    assert {path.parent.name for path in work.glob("*/[0-9]*.ipynb")} == lessons
    assert (work / SECOND / ".progress" / "softmax.py").is_file()
    surroundings = {"cwd": work / NEXT, "env": environment()}
    process = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, **surroundings)
    assert process.returncode == 0, process.stderr
    line = next(line for line in process.stdout.splitlines() if line.startswith(SECOND))
    assert line.count("[x]") == 7, line
