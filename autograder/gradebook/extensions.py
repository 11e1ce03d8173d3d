"""extensions.csv -> who hands in what later, and whose work is excused."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from autograder.csv_file import WrongLine, need, parsed_lines, quoted
from autograder.releases import store

from .times import EXAMPLE, utc_of

FILE = "extensions.csv"
COLUMNS = "student", "lesson", "extension", "reason"
EXCUSED = "excused"
MOST_DAYS = 3650
NO_LESSON = "{} is no lesson of this course: give its folder's name, such as 01_masks"
NO_EXTENSION = (
    f"{{}} is no number of days, no date with a time zone such as {EXAMPLE}, and not the word {EXCUSED}"
)
TWICE = "{} has two lines for {}"


@dataclass(frozen=True)
class Extension:
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
        """As nbgrader keeps it: what is added to the due date; None for nothing."""
        if due is None or self.excused:
            return None
        more = timedelta(days=self.days) if self.until is None else self.until - due
        return more if more > timedelta(0) else None


def read_extensions(root):
    """{(student, lesson): Extension}; Refused when a line is wrong."""
    extensions = {}

    def enter(cells):
        student, lesson, amount = need(cells, "student", "lesson", "extension")
        check_lesson(lesson)
        if (student, lesson) in extensions:
            raise WrongLine(TWICE.format(quoted(student), lesson))
        extensions[student, lesson] = Extension(student, lesson, cells["reason"], *amount_in(amount))

    parsed_lines(root / FILE, COLUMNS, enter)
    return extensions


def amount_in(text):
    """(days, None), (None, a date), or (None, None) for excused."""
    if text.lower() == EXCUSED:
        return None, None
    until = utc_of(text)
    if until:
        return None, until
    try:
        days = float(text.lower().removesuffix("s").removesuffix("day").strip())
    except ValueError:
        days = math.nan
    if not 0 < days <= MOST_DAYS:
        raise WrongLine(NO_EXTENSION.format(quoted(text)))
    return days, None


def check_lesson(lesson):
    if lesson not in store.lessons():
        raise WrongLine(NO_LESSON.format(quoted(lesson)))
