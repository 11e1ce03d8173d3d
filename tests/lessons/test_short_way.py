"""Who takes only a lesson's short way, solves its exercises alone and runs no other cell, meets no error."""

import sys

import pytest

from autograder.publish.minutes import HEADING
from autograder.publish.solutions import answers, grade_id
from autograder.releases.store import lessons
from autograder.setup.sample_class import untouched
from tests.tools.executed import errors, execute_from_here, points, save

LESSONS = list(lessons())


def with_short_way(lesson):
    """(the student's notebook without the long way's code, with the short way's answers; their names)"""
    notebook, texts, is_long, solved, cells = untouched(lesson), answers(lesson), False, [], []
    for cell in notebook["cells"]:
        for heading in HEADING.findall("".join(cell["source"])) if cell["cell_type"] == "markdown" else ():
            is_long = heading.endswith("(long way)")
        if grade_id(cell) in texts and not is_long:
            cell["source"] = texts[grade_id(cell)]
            solved.append(grade_id(cell))
        if cell["cell_type"] == "markdown" or not is_long:
            cells.append(cell)
    return {**notebook, "cells": cells}, solved


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_runs_with_only_its_short_way_solved(lesson, tmp_path):
    notebook, solved = with_short_way(lesson)
    ran = execute_from_here(sys.executable, save(notebook, tmp_path / f"{lesson}.ipynb"))
    assert errors(ran) == []
    earned = points(ran)
    assert solved
    assert {name for name, score in earned.items() if score} == {name for name in solved if name in earned}
