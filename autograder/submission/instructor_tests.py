"""An instructor's own test cells, with ordinary asserts: an error is 0, no error is full points.

They run in the sandbox, but in the process of the student's code, which could change what they find.
"""

from functools import cache
from pathlib import Path

import jupytext

from course_utils.diagnose.assess import says_unwritten
from course_utils.model.result import Result

from .notebook_file import Cell

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
NOT_PROTECTED = "An ordinary test cell: its points are not protected against cheating."


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


def shown_name(grade_id):
    """What the results call it, as they do with exercises."""
    return grade_id.removeprefix("test_")


def plain_result(name, points, seen):
    """The Result for what the worker said: no observations, or a sentence on what went wrong."""
    passed = isinstance(seen, list)
    not_started = not passed and says_unwritten(*str(seen).partition(": ")[::2])
    message = (
        "The test runs without an error."
        if passed
        else "Not started yet."
        if not_started
        else f"The test ended with {seen}"
    )
    status = "passed" if passed else "not_started" if not_started else "wrong"
    return Result(name, passed, message, None, points if passed else 0.0, points, status, note=NOT_PROTECTED)
