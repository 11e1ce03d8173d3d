"""Finds submissions in submitted/STUDENT/LESSON/, reads them without following links, and chooses the one of
a group that counts."""

import hashlib
import os
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from autograder.csv_file import parsed_lines
from autograder.notes import INFO, LOOK, Note, quoted
from autograder.releases import store
from autograder.submission.files import DEEPEST, deep, is_notebook, printable, read_regular_file

from .times import utc_of

IS_LINK = "This folder is a link, and links are not followed: put the notebook itself here."
TOO_DEEP = f"This folder has folders nested {DEEPEST} deep or deeper: take them out, and grade again."
OUTSIDE = "The grader looks for STUDENT/LESSON/LESSON.ipynb: this is somewhere else, so it was not graded."
ZIP = "Zip files are not opened: unpack it, so that there is STUDENT/LESSON/LESSON.ipynb, and grade again."
NO_NAME = (
    'This cannot be a student name: it has unprintable characters, one of " < \\ that '
    "formgrader's pages cannot show, or a space at either end, or is too long: rename the folder."
)
CLOSED = "This folder cannot be read: it does not belong to you."
NO_LESSON = (
    "This is not a lesson of the course: the grader looks for STUDENT/LESSON/LESSON.ipynb, so this "
    "folder must have a lesson's name."
)
TIMESTAMP, NO_TIME = "timestamp.txt", "time_unknown.txt"  # nbgrader's file, and ours: why there is no time
WRITE_TIME = "write it into timestamp.txt, such as 2026-03-01 12:00:00 UTC"
TIME_UNKNOWN = f"Its hand-in time is not known ({{}}): {WRITE_TIME}."
NOT_A_DATE = f"Its timestamp.txt says {{}}, not a full date with a certain time zone: {WRITE_TIME}."
OTHERS = "There are other notebooks next to {} that were not graded: {}."
SEVERAL = "There are {} notebooks and none is called {} ({}): keep the one that counts."
SMALL_FILES, SMALL = (TIMESTAMP, "submission_secret.txt"), 1000
SOURCE = "collected_from.txt"  # the path from which `collect` copied the notebook
MOST_WAITING = 200  # lines
COLLECT = "collect.csv"  # in the class's folder: files that `collect` did not copy
OUR_FILES = {*SMALL_FILES, NO_TIME, SOURCE}
LONGEST_NAME = 128  # characters that the gradebook holds
NO_NEWEST = (
    "The group {} handed in different notebooks ({}), and their times do not show which is newest: write the "
    "hand-in time of each into a timestamp.txt next to it, such as 2026-03-01 12:00:00 UTC, and grade "
    "again."
)
HANDED_IN_BY = "Handed in by {} for the group {} ({}), who all get the same grade."


@dataclass
class Submitted:
    """A student's folder for a lesson: the notebook's bytes, or the reason why there are none.

    time: when it was handed in. unknown_time: a sentence on why `time` waits for a person; "" for no time at
    all. small_files: {name: bytes} of nbgrader's own files next to it. release_question: may the release that
    it was made from count in this class? "" if it may. group_copies: those of the group's other members.
    """

    student: str
    lesson: str
    data: bytes | None = None
    reason: str | None = None
    time: datetime | None = None
    unknown_time: str = ""
    small_files: dict = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    release_question: str = ""
    group_copies: list = field(default_factory=list)

    @cached_property
    def fingerprint(self):
        """A hash of the notebook; for an unreadable submission, of the reason."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def content(self):
        return self.data if self.data is not None else (self.reason or "").encode()

    def was_graded(self, memory, page, time_before=None):
        """Is this the file that a page (a folder) shows, whose summary is `memory`? Not if its hand-in time
        was taken away since: time_before is the gradebook's. Pages made before 2026-12 have a hash that
        includes the bytes of timestamp.txt."""
        before = small_files(page).get(TIMESTAMP, b"")
        hashes = self.fingerprint, hashlib.sha256(self.content + before).hexdigest()
        same_time = self.unknown_time in ("", memory.get("unknown_time")) and (self.time or not time_before)
        return bool(same_time) and memory.get("submission") in hashes


def read_student_folder(student, lesson, folder, zone="UTC"):
    """Read what one student handed in for one lesson, and return it as Submitted. zone: see time_in."""
    submitted, folder = Submitted(student, lesson), Path(folder)
    link = next((part for part in (folder.parent, folder) if os.path.islink(part)), None)
    if link is not None:
        submitted.reason = f"{printable(link.name)}: {IS_LINK}"
        return submitted
    try:
        names = sorted(filter(is_notebook, os.listdir(folder)))
    except OSError as error:
        submitted.reason = f"The folder cannot be read ({error.strerror})."
        return submitted
    name, submitted.reason = choose(submitted, names, folder)
    if name is not None:
        submitted.data, submitted.reason = read_regular_file(folder / name)
        submitted.time, submitted.unknown_time = time_of(folder, zone)
        submitted.notes += [Note(LOOK, submitted.unknown_time)] if submitted.unknown_time else []
        kept = SMALL_FILES if submitted.time else SMALL_FILES[1:]
        submitted.small_files = {name: data for name, data in small_files(folder).items() if name in kept}
    return submitted


def time_of(folder, zone):
    """(the hand-in time of a folder in submitted/ or None, why a person has to write it or "")."""
    files = small_files(folder, (TIMESTAMP, NO_TIME)).items()
    texts = {name: quoted(data.decode("utf-8", "replace")) for name, data in files}
    if not os.path.lexists(Path(folder, TIMESTAMP)):
        return None, TIME_UNKNOWN.format(texts[NO_TIME]) if NO_TIME in texts else ""
    time = time_in(dict(files).get(TIMESTAMP, b""), zone)
    return time, "" if time else NOT_A_DATE.format(texts.get(TIMESTAMP, quoted("")))


def also_there(folder):
    """A sentence on what is in a folder without a notebook, and in its own folders."""
    paths = [Path(above, name) for above, _, names in os.walk(folder) for name in names]
    names = sorted(str(path.relative_to(folder)) for path in paths if path.name not in OUR_FILES)
    return f" There is {list_names(names)}: if that is it, give it this name, in this place." if names else ""


def choose(submitted, names, folder):
    """Choose the notebook that counts, and return (name, None); (None, reason) if none can be chosen."""
    wanted = f"{submitted.lesson}.ipynb"
    other_names = [name for name in names if name != wanted]
    if wanted in names:
        if other_names:
            submitted.notes.append(Note(LOOK, OTHERS.format(wanted, list_names(other_names))))
        return wanted, None
    if len(other_names) == 1:
        text = f"The file is called {quoted(other_names[0])}: taken as {wanted}."
        submitted.notes.append(Note(INFO, text))
        return other_names[0], None
    if other_names:
        return None, SEVERAL.format(len(other_names), wanted, list_names(other_names))
    return None, f"There is no notebook in the folder: {wanted} is missing.{also_there(folder)}"


def list_names(names):
    return ", ".join(map(quoted, names[:4])) + (" ..." if len(names) > 4 else "")


def time_in(data, zone="UTC"):
    """Parse the time in the bytes of a timestamp.txt; None if that is not certain. zone: c.Exchange.timezone,
    in which nbgrader writes; like nbgrader, we read a date without a zone as UTC if that is the setting."""
    return utc_of(data.decode("utf-8-sig", "replace"), "UTC" if zone == "UTC" else "", zone)


def exchange_zone(config):
    return config.Exchange.get("timezone", "UTC")


def small_files(folder, names=SMALL_FILES):
    """{name: bytes} of small files next to a notebook, those of nbgrader by default."""
    contents = {name: read_regular_file(Path(folder) / name)[0] for name in names}
    return {name: data for name, data in contents.items() if data is not None and len(data) <= SMALL}


def find_all(root, only=()):
    """Search the folder `submitted` and return ([(student, lesson, folder)], [(path, why it is left out)]).
    only: the lessons to search for; () for all."""
    folders, left_out = [], []

    def is_left_out(path, fits, otherwise, every_file=False):
        reason = why_left_out(path, fits, otherwise, every_file)
        if reason:
            left_out.append((printable(path.relative_to(root)), reason))
        return reason or not path.is_dir()

    for student in listing(root):
        if is_left_out(student, is_name(student.name), NO_NAME, every_file=True):
            continue
        for folder in listing(student):
            if only and folder.name not in only:
                continue
            fits = folder.name in store.lessons()
            looked_into = fits and not os.path.islink(folder)  # nbgrader walks all of it
            is_deep = looked_into and any(deep(above, folder) for above, *_ in os.walk(folder))
            if not is_left_out(folder, fits and not is_deep, TOO_DEEP if fits else NO_LESSON):
                folders.append((student.name, folder.name, folder))
    return folders, left_out


def waiting_files(root):
    """[((student, lesson), sentence)] of the files that `collect` listed and nobody has decided about.
    Student and lesson may be ""."""

    def parse(cells):
        return (
            (cells.get("from", ""), cells.get("lesson", "")),
            f"{quoted(cells['file'])}: {cells['why']}.",
            cells["student"],
        )

    lines = parsed_lines(Path(root, COLLECT), ("file", "why", "student"), parse)
    waiting = [line[:2] for line in lines if not line[2]]
    more = (
        [(("", ""), f"And {len(waiting) - MOST_WAITING} more in {COLLECT}.")]
        if waiting[MOST_WAITING:]
        else []
    )
    return waiting[:MOST_WAITING] + more


def listing(folder):
    """The entries of a folder that are not hidden; none if the folder is a link."""
    if os.path.islink(folder) or not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if not path.name.startswith((".", "__MACOSX")))


def why_left_out(path, fits, otherwise, every_file):
    """The reason to skip a path; None for a folder that fits, or a file that does not matter.

    every_file: does every file matter, as it may be somebody's work, or only notebooks and zips?
    """
    if os.path.islink(path):
        return IS_LINK
    if not path.is_dir():
        matters = every_file or is_notebook(path.name)
        return ZIP if path.suffix.lower() == ".zip" else OUTSIDE if matters else None
    if not fits:
        return otherwise
    return None if os.access(path, os.R_OK | os.X_OK) else CLOSED


def is_name(text):
    """Is the text printable, and safe in formgrader's pages, which do not escape names?"""
    plain = text.isprintable() and not set(text) & set('"<\\')
    return plain and text == text.strip() and len(text) <= LONGEST_NAME


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
