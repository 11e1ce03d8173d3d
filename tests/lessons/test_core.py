"""A learner who solves only a lesson's core, and runs no other cell, gets no error."""

import sys

import pytest

from autograder.publish.minutes import HEADING
from autograder.publish.solutions import answers, grade_id
from autograder.releases.store import lessons
from autograder.setup.sample_class import untouched
from tests.tools.executed import errors, execute_from_here, points, save

LIGHT = "01_masks"  # runs with every change, the others before a release


def run_of(lesson):
    return pytest.param(lesson, marks=pytest.mark.slow if lesson == LIGHT else pytest.mark.release)


@pytest.mark.parametrize("lesson", map(run_of, lessons()))
def test_a_lesson_runs_with_only_its_core_solved(lesson, tmp_path):
    notebook, texts, is_optional, cells, names = untouched(lesson), answers(lesson), False, [], set()
    for cell in notebook["cells"]:
        is_text, name = cell["cell_type"] == "markdown", grade_id(cell)
        headings = HEADING.findall("".join(cell["source"])) if is_text else []
        is_optional = headings[-1].endswith("(optional)") if headings else is_optional
        if name in texts and not is_optional:
            cell["source"] = texts[name]
            names.add(name)
        if is_text or not is_optional:
            cells.append(cell)
    ran = execute_from_here(sys.executable, save({**notebook, "cells": cells}, tmp_path / f"{lesson}.ipynb"))
    assert errors(ran) == []
    earned = points(ran)
    assert names
    assert {name for name, score in earned.items() if score} == names & {*earned}
