"""A lesson's own answers, out of its source in solutions/."""

import re
from functools import cache
from pathlib import Path

import jupytext

ROOT = Path(__file__).resolve().parents[2]
MARKER = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.M)


def answers(lesson):
    """{grade id: source} of the cells that a student writes in, with the lesson's own answers."""
    return dict(answers_in(ROOT / "solutions" / lesson / f"{lesson}.py"))


@cache
def answers_in(path):
    source = jupytext.read(path, fmt="py:percent")
    return {
        grade_id(cell): MARKER.sub("", cell.source).rstrip()
        for cell in source.cells
        if marks(cell).get("solution")
    }


def marks(cell):
    return cell["metadata"].get("nbgrader", {})


def grade_id(cell):
    return marks(cell).get("grade_id", "")
