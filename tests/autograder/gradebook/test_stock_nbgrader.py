"""Unmodified nbgrader on the course's lessons: generate, autograde, feedback, export."""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.releases.store import lessons
from autograder.setup.sample_class import as_bytes, saved_by_colab, solved, untouched
from tests.tools.school import stock_course, submit

BIN = Path(sys.executable).parent
PARTLY, LIGHT = "01_masks", "00_start_here"  # every commit runs the light lesson, a release all lessons
# Right in the core cases, wrong in an edge case: fully masked rows.
PARTIAL = {"masked_softmax": [("return weights.masked_fill(mask, 0.0)", "return weights")]}


def nbgrader(course, command, *rest):
    overrides = {"HOME": str(course / "home"), "PATH": f"{BIN}:/usr/bin:/bin", "OMP_NUM_THREADS": "1"}
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "JUPYTER"))}
    call = {"cwd": course, "env": inherited | overrides, "capture_output": True, "text": True}
    process = subprocess.run([BIN / "nbgrader", command, *rest], **call)
    assert process.returncode == 0, process.stderr[-4000:]


def whole_loop(course, lesson, work):
    """{student: (score, max_score)} from nbgrader's own export."""
    stock_course(course, lesson)
    nbgrader(course, "generate_assignment", lesson)
    for student, notebook in work.items():
        submit(course, student, lesson, as_bytes(notebook))
    nbgrader(course, "autograde", lesson)
    nbgrader(course, "export", "--to=grades.csv")
    rows = csv.DictReader((course / "grades.csv").read_text(encoding="utf-8").splitlines())
    return {row["student_id"]: (float(row["score"] or 0), float(row["max_score"])) for row in rows}


def most_of(lesson):
    """(points from tests, points including those that a person gives)."""
    by_check = sum(lessons()[lesson].exercises.values())
    return by_check, by_check + sum(lessons()[lesson].by_hand.values())


OTHER_LESSONS = [
    pytest.param(lesson, marks=pytest.mark.system if lesson == LIGHT else pytest.mark.release)
    for lesson in lessons()
    if lesson != PARTLY
]


@pytest.mark.parametrize("lesson", OTHER_LESSONS)
def test_stock_nbgrader_gives_a_solved_lesson_full_marks(lesson, tmp_path):
    assert whole_loop(tmp_path, lesson, {"solved": solved(lesson)}) == {"solved": most_of(lesson)}


@pytest.mark.release
def test_stock_nbgrader_gives_full_partial_and_no_credit_with_feedback(tmp_path):
    work = {
        "colab": saved_by_colab(solved(PARTLY)),
        "partial": solved(PARTLY, PARTIAL),
        "untouched": untouched(PARTLY),
    }
    scores, (full, most) = whole_loop(tmp_path, PARTLY, work), most_of(PARTLY)
    assert scores["colab"] == (full, most)
    assert scores["untouched"] == (0.0, most)
    worth = lessons()[PARTLY].exercises["masked_softmax"]
    assert most - 0.31 * worth < scores["partial"][0] < most  # edge cases are worth 30 %
    nbgrader(tmp_path, "generate_feedback", PARTLY, "--student=partial")
    page = (tmp_path / "feedback" / "partial" / PARTLY / f"{PARTLY}.html").read_text(encoding="utf-8")
    match = re.search(r"\(Score: ([\d.]+) ?/ ?([\d.]+)\)", page)  # rounded to two decimals by nbgrader
    assert [float(match[1]), float(match[2])] == pytest.approx([scores["partial"][0], most], abs=0.006)
