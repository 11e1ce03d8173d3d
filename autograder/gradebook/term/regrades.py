"""regrades.csv <-> Request: what students ask to be looked at again, and what was decided."""

import csv
import io
import os
from dataclasses import dataclass, field

from autograder.releases import store

from .extensions import NO_LESSON
from .tables import Wrong, has_mark, lines_of, need, parsed, quoted, separator_of

FILE = "regrades.csv"
ASKED = "student", "lesson", "exercise", "request"
DECIDED = "points", "reason", "entered"  # columns that the first decision adds
NO_NUMBER = "{} is no number of points"
NO_REASON = "points are given without a reason"
POINTS_OF_WHAT = "points are given without an exercise"


@dataclass
class Request:
    """A line of the file. points: as a person wrote them, "" to leave them. entered: when reason and points
    went into the gradebook, "" until then. cells: the line as it stands there."""

    student: str
    lesson: str
    exercise: str = ""
    request: str = ""
    points: str = ""
    reason: str = ""
    entered: str = ""
    cells: dict = field(default_factory=dict)

    @property
    def place(self):
        return self.student, self.lesson, self.exercise

    def state(self):
        return "entered" if self.entered else "decided" if self.reason else "open"


def read_requests(root):
    """[Request]; Refused when a line is wrong."""

    def request(_, cells):
        need(cells, "student", "lesson")
        names = [*ASKED, *DECIDED]
        found = Request(*(cells.get(name, "") for name in names), cells=cells)
        check(found)
        return found

    return parsed(root / FILE, ASKED, request)


def check(request):
    """Wrong, with the reason, where the gradebook could not take it."""
    if request.lesson not in store.lessons():
        raise Wrong(NO_LESSON.format(quoted(request.lesson)))
    if request.points and not request.exercise:
        raise Wrong(POINTS_OF_WHAT)
    if request.points and not request.reason:
        raise Wrong(NO_REASON)
    if request.points and not is_number(request.points):
        raise Wrong(NO_NUMBER.format(quoted(request.points)))


def is_number(text):
    try:
        return 0 <= float(text) < float("inf")
    except ValueError:
        return False


def write_requests(root, requests):
    """Replace the file in one step; its other columns, its separator and its encoding stay."""
    file = root / FILE
    there = list(dict.fromkeys(name for request in requests for name in request.cells))
    names = [*there, *(name for name in (*ASKED, *DECIDED) if name not in there)]
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, names, restval="", delimiter=separator_of(file))
    table.writeheader()
    for request in requests:
        table.writerow(request.cells | {name: getattr(request, name) for name in (*ASKED, *DECIDED)})
    new = root / f".{FILE}.new"
    new.write_text(text.getvalue(), encoding="utf-8-sig" if has_mark(file) else "utf-8")
    os.replace(new, file)


def read_decisions(root):
    """{(student, lesson): [(exercise, points, reason)]} of what was entered, in the file's order."""
    found = {}
    for _, cells in lines_of(root / FILE, ASKED):
        if cells.get("entered"):
            decision = cells["exercise"], cells.get("points", ""), cells.get("reason", "")
            found.setdefault((cells["student"], cells["lesson"]), []).append(decision)
    return found


def has_cell(lesson, exercise):
    """Does a student write this exercise in a cell of its own name, where nbgrader shows a comment?"""
    release = store.lessons().get(lesson)
    return bool(release) and (exercise in release.stubs or exercise in release.by_hand)
