"""groups.csv -> who hands in together, and which of a group's submissions counts."""

from dataclasses import dataclass, field

from autograder.releases import store

from .extensions import NO_LESSON
from .tables import Wrong, need, parsed, quoted

FILE = "groups.csv"
COLUMNS = "group", "student"
TWO_GROUPS = "{} is in the group {} already, for {}"
NO_NEWEST = (
    "The group {} handed in different notebooks ({}), and their times do not say which is the newest: write "
    "into a timestamp.txt beside each when it was handed in, such as 2026-03-01 12:00:00 UTC, and grade "
    "again."
)
HANDED_IN_BY = "Handed in by {} for the group {} ({}), who all get the same grade."


@dataclass
class Groups:
    """names: {(student, lesson): group}. members: {(group, lesson): [student]}, in the file's order."""

    names: dict = field(default_factory=dict)
    members: dict = field(default_factory=dict)

    def of(self, student, lesson):
        """All who hand in together with this student, the student included."""
        return self.members.get((self.names.get((student, lesson)), lesson), [student])


def read_groups(root):
    """Groups; a line without a lesson is for all lessons. Refused when a line is wrong."""
    groups = Groups()

    def enter(number, cells):
        group, student = need(cells, "group", "student")
        lesson = cells.get("lesson", "")
        if lesson and lesson not in store.lessons():
            raise Wrong(NO_LESSON.format(quoted(lesson)))
        for one in [lesson] if lesson else store.lessons():
            there = groups.names.setdefault((student, one), group)
            members = groups.members.setdefault((group, one), [])
            if there != group or student in members:
                raise Wrong(TWO_GROUPS.format(quoted(student), quoted(there), one))
            members.append(student)

    parsed(root / FILE, COLUMNS, enter)
    return groups


def newest(submissions):
    """The Submitted that counts, the newest with a notebook; None where the times do not tell.

    The same file, handed in again by another member, is not newer than it was the first time.
    """
    readable = [one for one in submissions if one.data is not None] or submissions[:1]
    if len({one.data for one in readable}) == 1:
        return min(readable, key=lambda one: (one.time is not None, one.time))
    if any(one.time is None for one in readable):
        return None
    last = max(one.time for one in readable)
    of_last = {one.data for one in readable if one.time == last}
    same = [one for one in readable if one.data in of_last]
    return min(same, key=lambda one: one.time) if len(of_last) == 1 else None
