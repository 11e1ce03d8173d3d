"""A lesson's own answers, out of its source in solutions/."""

import re
from pathlib import Path

from autograder.releases.marks import grade_id, marks

from .lesson import parsed

ROOT = Path(__file__).resolve().parents[2]
MARKER = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.M)


def answers(lesson):
    """{grade id: source} of the cells that a student writes in, with the lesson's own answers."""
    cells = parsed((ROOT / "solutions" / lesson / f"{lesson}.py").read_text(encoding="utf-8")).cells
    return {
        grade_id(cell): MARKER.sub("", cell.source).rstrip() for cell in cells if marks(cell).get("solution")
    }
