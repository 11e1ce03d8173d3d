"""schedule.csv -> which lessons are not to be handed out yet."""

from datetime import UTC, datetime

from autograder.gradebook.database import Refused

from .extensions import check_lesson
from .tables import Wrong, need, parsed, quoted
from .times import EXAMPLE, said, utc_of

FILE = "schedule.csv"
COLUMNS = "lesson", "from"
NO_DATE = f"{{}} is no date with a time zone, such as {EXAMPLE}"
AHEAD = (
    "Nothing is made: {} {} to be handed out later ({}). Name the other lessons with --lesson, or add "
    "--even-before."
)


def read_schedule(root):
    """{lesson: when it may first be handed out}; Refused when a line is wrong."""

    def dated(_, cells):
        lesson, text = need(cells, "lesson", "from")
        check_lesson(lesson)
        time = utc_of(text)
        if time is None:
            raise Wrong(NO_DATE.format(quoted(text)))
        return lesson, time

    found = {}
    for lesson, time in parsed(root / FILE, COLUMNS, dated):
        found[lesson] = max(time, found.get(lesson, time))
    return found


def refuse_early(root, lessons, now=None):
    """Refused when one of these lessons has a date that lies ahead."""
    now = now or datetime.now(UTC).replace(tzinfo=None)
    dates = read_schedule(root)
    early = [lesson for lesson in lessons if dates.get(lesson, now) > now]
    if early:
        verb, when = "are" if len(early) > 1 else "is", ", ".join(said(dates[lesson]) for lesson in early)
        raise Refused(AHEAD.format(", ".join(early), verb, when))
