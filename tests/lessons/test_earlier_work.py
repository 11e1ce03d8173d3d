"""Work that was begun with an earlier version of the course goes on: nothing is lost or changed."""

import ast
import contextlib
import importlib
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
from course_utils.former import FormerName
from course_utils.source import names_in
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


GONE = "`({})` was part of course_utils up to 2026-11-[0-9]+ and is gone: `make lab` puts the newer lesson"


def former_names_used(notebook):
    """The names of an earlier lesson's imports that course_utils no longer has and that another cell uses."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    imports = [node for text in code for node in ast.walk(tree_of(text)) if isinstance(node, ast.ImportFrom)]
    gone = {
        alias.name
        for node in imports
        if (node.module or "").startswith("course_utils")
        for alias in node.names
        if isinstance(getattr(importlib.import_module(node.module), alias.name, None), FormerName)
    }
    return gone & {name for text in code for name in names_in(text).used}


def tree_of(text):
    try:
        return ast.parse(text)
    except SyntaxError:  # a magic
        return ast.Module([], [])


@pytest.mark.release
@pytest.mark.parametrize("place", sorted(store.kept_files()), ids="/".join)
def test_an_untouched_earlier_lesson_runs_as_far_as_the_course_has_what_it_uses(place, tmp_path):
    notebook = store.find(*place).skeleton()
    nbformat.write(notebook, tmp_path / "lesson.ipynb")
    gone = former_names_used(notebook)
    is_whole = contextlib.nullcontext()
    ends = pytest.raises(CellExecutionError, match=GONE.format("|".join(sorted(gone)))) if gone else is_whole
    with ends:
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
