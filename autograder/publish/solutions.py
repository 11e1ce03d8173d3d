"""Read a lesson's own answers from its source in solutions/."""

import re
from pathlib import Path

from autograder.releases.release import grade_id, marks

from .lesson import parsed

ROOT = Path(__file__).resolve().parents[2]
MARKER = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.M)


def answers(lesson):
    """{grade_id: source} of the lesson's solution cells, with its own answers."""
    cells = parsed((ROOT / "solutions" / lesson / f"{lesson}.py").read_text(encoding="utf-8")).cells
    return {
        grade_id(cell): MARKER.sub("", cell.source).rstrip() for cell in cells if marks(cell).get("solution")
    }
