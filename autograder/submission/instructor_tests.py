"""An instructor's own test cells, with ordinary asserts: an error is 0, no error is full points.

They run in the sandbox, but in the process of the student's code, which could change what they find.
"""

from functools import cache
from pathlib import Path

import jupytext

from .notebook_file import Cell

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"


@cache
def sources(lesson):
    """{grade_id: source, hidden tests included} of the test cells in the lesson's own source; {} where there is none."""
    path = SOLUTIONS / lesson / f"{lesson}.py"
    cells = jupytext.read(path, fmt="py:percent").cells if path.exists() else []
    return {
        cell.metadata["nbgrader"]["grade_id"]: cell.source
        for cell in cells
        if cell.metadata.get("nbgrader", {}).get("grade")
    }


def placed(cells, own, lesson):
    """[Cell] with the instructor's text, where the student has that cell; after the last one, if its solution stands there."""
    found = []
    for name, (_, released) in lesson.plain.items():
        test = Cell(0, "code", sources(lesson.name).get(name, released), name)
        here = max((cell.number for cell in cells if cell.grade_id == name), default=None)
        written = [cell.number for cell in own if cell.defines & test.uses]
        test.number = here if here is not None and (not written or min(written) < here) else float("inf")
        found.append(test)
    return found
