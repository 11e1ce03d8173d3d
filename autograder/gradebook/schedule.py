"""Reads schedule.csv, and refuses to hand out a lesson before its date."""

from datetime import UTC, datetime

from autograder.csv_file import WrongLine, need, parsed_lines
from autograder.gradebook.class_files import check_lesson
from autograder.gradebook.times import EXAMPLE, shown_time, utc_of
from autograder.notes import quoted
from autograder.refused import Refused

FILE = "schedule.csv"
COLUMNS = "lesson", "from"
NO_DATE = f"{{}} is not a date with a time zone, such as {EXAMPLE}"
TOO_EARLY = (
    "No zip was made: {} {} scheduled for later ({}). Name the other lessons with --lesson, or add "
    "--even-before."
)


def read_schedule(root):
    """{lesson: the earliest time to hand it out}; raises Refused when a line is wrong."""
    dates = {}

    def enter(cells):
        lesson, text = need(cells, "lesson", "from")
        check_lesson(lesson)
        time = utc_of(text)
        if time is None:
            raise WrongLine(NO_DATE.format(quoted(text)))
        dates[lesson] = max(time, dates.get(lesson, time))

    parsed_lines(root / FILE, COLUMNS, enter)
    return dates


def refuse_early(root, lessons, now=None):
    """Raise Refused when one of these lessons has a date in the future."""
    now = now or datetime.now(UTC).replace(tzinfo=None)
    dates = read_schedule(root)
    early = [lesson for lesson in lessons if dates.get(lesson, now) > now]
    if early:
        verb, when = "are" if len(early) > 1 else "is", ", ".join(shown_time(dates[name]) for name in early)
        raise Refused(TOO_EARLY.format(", ".join(early), verb, when))
