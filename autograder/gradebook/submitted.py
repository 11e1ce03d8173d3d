"""Finds submissions in submitted/STUDENT/LESSON/, and reads them without following links."""

import hashlib
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

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
TIMESTAMP = "timestamp.txt"
NO_TIME = (
    "Its timestamp.txt says {}, not a full date such as 2026-03-01 12:00:00 UTC: write the hand-in time "
    "there. Until then it counts as on time."
)
OTHERS = "There are other notebooks next to {} that were not graded: {}."
SEVERAL = "There are {} notebooks and none is called {} ({}): keep the one that counts."
SMALL_FILES, SMALL = (TIMESTAMP, "submission_secret.txt"), 1000
LONGEST_NAME = 128  # characters that the gradebook holds


@dataclass
class Submitted:
    """A student's folder for a lesson: the notebook's bytes, or the reason why there are none.

    small_files: {name: bytes} of nbgrader's own files next to it. release_question: may the release that it
    was made from count in this class? "" if it may. group_copies: the Submitted of each other member of the
    group.
    """

    student: str
    lesson: str
    data: bytes | None = None
    reason: str | None = None
    small_files: dict = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    release_question: str = ""
    group_copies: list = field(default_factory=list)

    @property
    def time(self):
        """When it was submitted, from nbgrader's timestamp.txt; None when that gives no time."""
        return time_in(self.small_files.get(TIMESTAMP, b""))

    @cached_property
    def fingerprint(self):
        """A hash of the notebook and its timestamp.txt; for an unreadable submission, of the reason."""
        content = self.data if self.data is not None else self.reason.encode()
        return hashlib.sha256(content + self.small_files.get(TIMESTAMP, b"")).hexdigest()


def read_student_folder(student, lesson, folder):
    """Read what one student handed in for one lesson, and return it as Submitted."""
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
    name, submitted.reason = choose(submitted, names)
    if name is not None:
        submitted.data, submitted.reason = read_regular_file(folder / name)
        submitted.small_files = small_files(folder)
        if os.path.lexists(folder / TIMESTAMP) and submitted.time is None:
            data, _ = read_regular_file(folder / TIMESTAMP)
            words = (data or b"")[:100].decode("utf-8", "replace")
            submitted.notes.append(Note(LOOK, NO_TIME.format(quoted(words))))
    return submitted


def choose(submitted, names):
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
    return None, f"There is no notebook in the folder: {wanted} is missing."


def list_names(names):
    return ", ".join(map(quoted, names[:4])) + (" ..." if len(names) > 4 else "")


def time_in(text):
    """Parse the time in the bytes of a timestamp.txt; None if there is none."""
    return utc_of(text.decode("utf-8", "replace"), zone="UTC")


def small_files(folder):
    """{name: bytes} of nbgrader's own files next to a notebook; timestamp.txt only if it holds a time."""
    contents = {}
    for name in SMALL_FILES:
        data, _ = read_regular_file(Path(folder) / name)
        if data is not None and len(data) <= SMALL and (name != TIMESTAMP or time_in(data)):
            contents[name] = data
    return contents


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
