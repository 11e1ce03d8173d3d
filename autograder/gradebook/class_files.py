"""Reads what an instructor writes: extensions.csv, groups.csv and releases.csv in a class's folder, and
schedule.csv in the clone."""

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from autograder.csv_file import WrongLine, need, parsed_lines
from autograder.notes import quoted
from autograder.refused import Refused
from autograder.releases import store

from .times import EXAMPLE, shown_time, utc_of

EXTENSIONS, GROUPS, RELEASES, SCHEDULE = "extensions.csv", "groups.csv", "releases.csv", "schedule.csv"
EXCUSED, MOST_DAYS = "excused", 3650
NO_EXTENSION = (
    f"{{}} is not a number of days, a date with a time zone such as {EXAMPLE}, or the word {EXCUSED}"
)
TWICE = "{} has two lines for {}"
TWO_GROUPS = "{} is in the group {} already, for {}"
UNKNOWN_RELEASE = "the grader has no release {} of {}: copy the id from the table that `grade` prints"
NO_DATE = f"{{}} is not a date with a time zone, such as {EXAMPLE}"
TOO_EARLY = (
    "No zip was made: {} {} scheduled for later ({}). Name the other lessons with --lesson, or add "
    "--even-before."
)


class Extension(NamedTuple):
    """A student's extension. amount: a timedelta, or the new deadline as a datetime; None if excused."""

    amount: timedelta | datetime | None
    reason: str

    @property
    def excused(self):
        return self.amount is None

    def after(self, due):
        """The time to add to the due date, as nbgrader stores an extension; None for no extension."""
        if due is None or self.amount is None:
            return None
        extra = self.amount - due if isinstance(self.amount, datetime) else self.amount
        return extra if extra > timedelta(0) else None


@dataclass
class Groups:
    """The class's groups. names: {(student, lesson): group}. members: {(group, lesson): [student]}."""

    names: dict = field(default_factory=dict)
    members: dict = field(default_factory=dict)

    def of(self, student, lesson):
        """All students who hand in together with this one, including this one."""
        return self.members.get((self.names.get((student, lesson)), lesson), [student])


class ClassFiles:
    """The contents of the files. extensions: {(student, lesson): Extension}. has_extensions: is there an
    extensions.csv? releases: {(lesson, release)} that the instructor accepted for this class, although they
    lack exercises of today's lesson. Raises Refused, with a sentence for each wrong line."""

    def __init__(self, root):
        self.extensions, self.groups = read_extensions(Path(root)), read_groups(Path(root))
        self.has_extensions = Path(root, EXTENSIONS).exists()
        self.releases = read_releases(Path(root))

    def excused(self, student, lesson):
        """Return the Extension that excuses the student from the lesson, or None."""
        extension = self.extensions.get((student, lesson))
        return extension if extension and extension.excused else None

    def extension(self, student, lesson, due):
        """Return the longest extension that a member of the student's group has; None if there is none."""
        lines = [self.extensions.get((member, lesson)) for member in self.groups.of(student, lesson)]
        return max(filter(None, (line.after(due) for line in lines if line)), default=None)

    def extend(self, submission, take_away=False):
        """Store the extension in nbgrader's SubmittedAssignment; the caller commits. take_away: also remove
        an extension that extensions.csv does not list."""
        due = submission.assignment.duedate
        extension = self.extension(submission.student_id, submission.assignment.name, due)
        if extension or (self.has_extensions and (take_away or due is None)):
            submission.extension = extension  # nbgrader fails on an extension without a due date


def read_extensions(root):
    """Read extensions.csv as {(student, lesson): Extension}."""
    extensions = {}

    def enter(cells):
        student, lesson, amount = need(cells, "student", "lesson", "extension")
        check_lesson(lesson)
        if (student, lesson) in extensions:
            raise WrongLine(TWICE.format(quoted(student), lesson))
        extensions[student, lesson] = Extension(amount_in(amount), cells["reason"])

    parsed_lines(root / EXTENSIONS, ("student", "lesson", "extension", "reason"), enter)
    return extensions


def amount_in(text):
    """Parse a number of days, a date or the word "excused" into the value of Extension.amount."""
    if text.lower() == EXCUSED:
        return None
    if until := utc_of(text):
        return until
    try:
        days = float(text.lower().removesuffix("s").removesuffix("day").strip())
    except ValueError:
        days = math.nan
    if not 0 < days <= MOST_DAYS:
        raise WrongLine(NO_EXTENSION.format(quoted(text)))
    return timedelta(days=days)


def read_groups(root):
    """Read groups.csv as Groups; a line without a lesson applies to all lessons."""
    groups = Groups()

    def enter(cells):
        group, student = need(cells, "group", "student")
        if cells.get("lesson"):
            check_lesson(cells["lesson"])
        for lesson in [cells["lesson"]] if cells.get("lesson") else store.lessons():
            first_group = groups.names.setdefault((student, lesson), group)
            members = groups.members.setdefault((group, lesson), [])
            if first_group != group or student in members:
                raise WrongLine(TWO_GROUPS.format(quoted(student), quoted(first_group), lesson))
            members.append(student)

    parsed_lines(root / GROUPS, ("group", "student"), enter)
    return groups


def read_releases(root):
    """Read releases.csv as {(lesson, id of an accepted release)}."""

    def parse(cells):
        lesson, release = need(cells, "lesson", "release")
        check_lesson(lesson)
        if store.find(lesson, release) is None:
            raise WrongLine(UNKNOWN_RELEASE.format(quoted(release), lesson))
        return lesson, release

    return {*parsed_lines(root / RELEASES, ("lesson", "release"), parse)}


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

    parsed_lines(root / SCHEDULE, ("lesson", "from"), enter)
    return dates


def refuse_early(root, lessons, now=None):
    """Raise Refused when one of these lessons has a date in the future."""
    now = now or datetime.now(UTC).replace(tzinfo=None)
    dates = read_schedule(root)
    early = [lesson for lesson in lessons if dates.get(lesson, now) > now]
    if early:
        verb, when = "are" if len(early) > 1 else "is", ", ".join(shown_time(dates[name]) for name in early)
        raise Refused(TOO_EARLY.format(", ".join(early), verb, when))


def check_lesson(lesson):
    if lesson not in store.lessons():
        raise WrongLine(store.NO_LESSON.format(quoted(lesson)).removesuffix("."))
