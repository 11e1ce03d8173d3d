"""groups.csv -> who hands in together, and which of a group's submissions counts."""

from dataclasses import dataclass, field, replace

from autograder.csv_file import WrongLine, need, parsed_lines, quoted
from autograder.releases import store

from .extensions import check_lesson
from .submitted import read_student_folder

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

    def enter(cells):
        group, student = need(cells, "group", "student")
        if cells.get("lesson"):
            check_lesson(cells["lesson"])
        for lesson in [cells["lesson"]] if cells.get("lesson") else store.lessons():
            there = groups.names.setdefault((student, lesson), group)
            members = groups.members.setdefault((group, lesson), [])
            if there != group or student in members:
                raise WrongLine(TWO_GROUPS.format(quoted(student), quoted(there), lesson))
            members.append(student)

    parsed_lines(root / FILE, COLUMNS, enter)
    return groups


def places(folders, groups):
    """{(student, lesson)} that get a grade from these folders."""
    return {(member, lesson) for student, lesson, _ in folders for member in groups.of(student, lesson)}


def read_folders(folders, groups):
    """Read [(student, lesson, folder)] one by one -> (Submitted, "" or why it cannot be graded), one for a
    whole group."""
    by_place, done = {(student, lesson): folder for student, lesson, folder in folders}, set()
    for student, lesson, folder in folders:
        members = groups.of(student, lesson)
        if (student, lesson) in done:
            continue
        if members == [student]:
            yield read_student_folder(student, lesson, folder), ""
            continue
        done |= {(member, lesson) for member in members}
        handed_in = [member for member in members if (member, lesson) in by_place]
        files = [read_student_folder(member, lesson, by_place[member, lesson]) for member in handed_in]
        yield of_group(files, members, groups.names[student, lesson])


def of_group(files, members, group):
    """The one that counts of what the members handed in, with a copy for each other member."""
    newest = newest_of(files)
    if newest is None:
        first = files[0]
        first.also = [replace(first, student=member) for member in members if member != first.student]
        return first, NO_NEWEST.format(group, ", ".join(file.student for file in files))
    notes = [*newest.notes, HANDED_IN_BY.format(newest.student, group, ", ".join(members))]
    copies = [replace(newest, student=member, notes=list(notes), for_a_person=[]) for member in members]
    first = next(copy for copy in copies if copy.student == newest.student)
    first.for_a_person = newest.for_a_person
    first.also = [copy for copy in copies if copy is not first]
    return first, ""


def newest_of(files):
    """The newest with a notebook; None where the times do not tell.

    The same file, handed in again by another member, is not newer than it was the first time.
    """
    readable = [file for file in files if file.data is not None] or files[:1]
    if len({file.data for file in readable}) == 1:
        return min(readable, key=lambda file: (file.time is not None, file.time))
    if any(file.time is None for file in readable):
        return None
    last = max(file.time for file in readable)
    contents = {file.data for file in readable if file.time == last}
    same = [file for file in readable if file.data in contents]
    return min(same, key=lambda file: file.time) if len(contents) == 1 else None
