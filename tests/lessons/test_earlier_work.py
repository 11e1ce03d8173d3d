"""Learners who began with an earlier version of the course go on: nothing of theirs is lost or changed."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder.grading.notebook import grade_notebook
from autograder.setup.lab import copy_lessons
from tests.tools.executed import environment, errors, execute_from_here, points
from tests.tools.forking_worker import ForkingWorker

ROOT = Path(__file__).resolve().parents[2]
# As the course of 21 November 2026 left it: 00 solved and run, and what its checks kept in 00 and 01.
EARLIER = Path(__file__).with_name("work_of_21_november.zip")
FIRST, SECOND, NEXT = "00_start_here", "01_masks", "02_split_concat"
KEPT_THEN = ["softmax", "create_causal_mask", "to_additive_mask", "create_padding_mask"]
KEPT_THEN += ["create_attention_mask", "masked_softmax", "create_causal_mask_with_cache"]
ASK = """
from course_utils import progress
from course_utils.yours import kept_object
assert all(kept_object(name) for name in KEPT_THEN), "an answer that was kept then is not one now"
progress()
"""


@pytest.fixture
def work(tmp_path):
    """An earlier work/ in a newer course, after `make lab`."""
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    with zipfile.ZipFile(EARLIER) as files:
        files.extractall(tmp_path)
    return tmp_path / "work"


def test_the_notebook_of_then_stays_and_the_new_one_is_beside_it(work):
    mine = work / FIRST / f"{FIRST}.ipynb"
    before = mine.read_bytes()
    message = copy_lessons(work.parent)
    assert any(f"newer version of {FIRST}.ipynb" in sentence for sentence in message)
    assert mine.read_bytes() == before
    there = {path.stem for path in (ROOT / "notebooks").glob("*/*.ipynb")}
    assert {path.parent.name for path in work.glob("*/[0-9]*.ipynb")} == there
    assert (work / SECOND / ".progress" / "softmax.py").is_file()


def test_the_notebook_of_then_runs_and_is_graded(work):
    mine = work / FIRST / f"{FIRST}.ipynb"
    ran = execute_from_here(sys.executable, mine)
    assert errors(ran) == []
    graded = grade_notebook(mine.read_bytes(), seed=5, worker=ForkingWorker())
    assert (graded.status, graded.score) == ("graded", graded.max_score)
    assert sum(points(ran).values()) == graded.max_score


def test_answers_kept_then_pass_now(work):
    copy_lessons(work.parent)
    ask = f"KEPT_THEN = {KEPT_THEN}\n{ASK}"
    process = subprocess.run(
        [sys.executable, "-c", ask], cwd=work / NEXT, env=environment(), capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    done = next(line for line in process.stdout.splitlines() if line.startswith(SECOND))
    assert done.count("[x]") == len(KEPT_THEN), done
