"""Chooses which of a group's submissions counts, and copies it for the other members."""

from dataclasses import replace

from autograder.notes import INFO, LOOK, Note

from .submitted import read_student_folder

NO_NEWEST = (
    "The group {} handed in different notebooks ({}), and their times do not show which is newest: write the "
    "hand-in time of each into a timestamp.txt next to it, such as 2026-03-01 12:00:00 UTC, and grade "
    "again."
)
HANDED_IN_BY = "Handed in by {} for the group {} ({}), who all get the same grade."


def places(folders, groups):
    """{(student, lesson)} of everybody who gets a grade from these folders, including other group members."""
    return {(member, lesson) for student, lesson, _ in folders for member in groups.of(student, lesson)}


def read_folders(folders, groups, zone="UTC"):
    """Read [(student, lesson, folder)], and yield ([Submitted], reason): the submission that counts, and a
    copy for each other member of its group. reason: why it cannot be graded; "" if it can. zone: see
    time_in."""
    by_place, finished = {(student, lesson): folder for student, lesson, folder in folders}, set()
    for student, lesson, _ in folders:
        if (student, lesson) in finished:
            continue
        members = groups.of(student, lesson)
        handed_in = [member for member in members if (member, lesson) in by_place]
        files = [read_student_folder(member, lesson, by_place[member, lesson], zone) for member in handed_in]
        finished |= {(member, lesson) for member in members}
        yield share_newest(files, members, groups.names[student, lesson]) if len(members) > 1 else (files, "")


def share_newest(files, members, group):
    newest = newest_of(files)
    if newest is None:
        reason = NO_NEWEST.format(group, ", ".join(file.student for file in files))
        return [replace(files[0], student=member) for member in members], reason
    newest.notes.append(Note(INFO, HANDED_IN_BY.format(newest.student, group, ", ".join(members))))
    other_members = [member for member in members if member != newest.student]
    notes = [note for note in newest.notes if note.kind != LOOK]
    copies = [replace(newest, student=name, notes=[*notes]) for name in other_members]
    return [newest, *copies], ""


def newest_of(files):
    """Return the newest submission that has a notebook; None if their times do not show which is newest.

    When another member hands in the same file again, it keeps the time of the first hand-in.
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
