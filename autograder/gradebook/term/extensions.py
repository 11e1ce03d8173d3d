"""extensions.csv -> who hands in what later, and whose work is excused."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from autograder.releases import store

from .tables import Wrong, need, parsed, quoted
from .times import EXAMPLE, utc_of

FILE = "extensions.csv"
COLUMNS = "student", "lesson", "extension", "reason"
EXCUSED = "excused"
MOST_DAYS = 3650
NO_LESSON = "{} is no lesson of this course: give its folder's name, such as 01_masks"
NO_EXTENSION = (
    f"{{}} is no number of days, no date with a time zone such as {EXAMPLE}, and not the word {EXCUSED}"
)
TWICE = "{} has two lines for {}, the first one is line {}"


@dataclass(frozen=True)
class Granted:
    """A line of the file: days more, or a date, or neither, which is excused."""

    student: str
    lesson: str
    reason: str
    days: float | None = None
    until: datetime | None = None

    @property
    def excused(self):
        return self.days is None and self.until is None

    def after(self, due):
        """The extension as nbgrader keeps it: what is added to the due date; None for nothing."""
        if due is None or self.excused:
            return None
        more = timedelta(days=self.days) if self.until is None else self.until - due
        return more if more > timedelta(0) else None


def read_extensions(root):
    """{(student, lesson): Granted}; Refused when a line is wrong."""
    places = {}

    def granted(number, cells):
        student, lesson, extension = need(cells, "student", "lesson", "extension")
        check_lesson(lesson)
        first = places.setdefault((student, lesson), number)
        if first != number:
            raise Wrong(TWICE.format(quoted(student), lesson, first))
        return Granted(student, lesson, cells["reason"], *amount(extension))

    return {(one.student, one.lesson): one for one in parsed(root / FILE, COLUMNS, granted)}


def amount(text):
    """(days, None), (None, a date), or (None, None) for excused; Wrong when it is nothing of these."""
    if text.lower() == EXCUSED:
        return None, None
    until = utc_of(text)
    if until:
        return None, until
    try:
        days = float(text.lower().removesuffix("s").removesuffix("day").strip())
    except ValueError:
        raise Wrong(NO_EXTENSION.format(quoted(text))) from None
    if not (math.isfinite(days) and 0 < days <= MOST_DAYS):
        raise Wrong(NO_EXTENSION.format(quoted(text)))
    return days, None


def check_lesson(lesson):
    if lesson not in store.lessons():
        raise Wrong(NO_LESSON.format(quoted(lesson)))
