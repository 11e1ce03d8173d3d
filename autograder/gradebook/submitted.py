"""What lies in submitted/STUDENT/LESSON/: found and read without following a link or trusting a name."""

import hashlib
import os
import re
import stat
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.utils import parse_utc

from autograder.submission.files import DEEPEST, deep, is_notebook, read, shown

from .rebuild import is_lesson

STUDENT = re.compile(r"[\w@.+-]+( +[\w@.+-]+)*")
IS_LINK = "This folder is a link, and links are not followed: put the notebook itself here."
TOO_DEEP = (
    f"In this folder lie folders in folders, {DEEPEST} deep and deeper: take them out, and grade again."
)
TIMESTAMP = "timestamp.txt"
NO_TIME = f"Its {TIMESTAMP} holds no time, such as 2026-03-01 12:00:00 UTC: it counts as in time."
ZONE = re.compile(
    r"[\w+-]+(/[\w+-]+)*", re.ASCII
)  # UTC, +01, America/New_York; a zone that begins like a path is opened as one
SMALL_FILES, SMALL = (TIMESTAMP, "submission_secret.txt"), 1000


@dataclass
class HandedIn:
    """data, or the reason why there is none. handed_in_at: what nbgrader's timestamp.txt says. notes: what to know. for_a_person: what somebody has to look at."""

    student: str
    lesson: str
    folder: Path
    data: bytes | None = None
    reason: str | None = None
    handed_in_at: bytes = b""
    notes: list = field(default_factory=list)
    for_a_person: list = field(default_factory=list)

    @property
    def fingerprint(self):
        """Tells one content, and one time, from another; of what cannot be read, its reason."""
        content = self.data if self.data is not None else self.reason.encode()
        return hashlib.sha256(content + self.handed_in_at).hexdigest()


def hand_in(student, lesson, folder):
    """What one student handed in for one lesson."""
    found = HandedIn(student, lesson, Path(folder))
    link = next((part for part in (found.folder.parent, found.folder) if os.path.islink(part)), None)
    if link is not None:
        found.reason = f"{shown(link.name)}: {IS_LINK}"
        return found
    try:
        path, found.reason = choose(found)
    except OSError as error:
        path, found.reason = None, f"The folder cannot be read ({error.strerror})."
    if path is not None:
        found.data, found.reason = read(path)
        found.handed_in_at = small_files(folder).get(TIMESTAMP, b"")
        found.for_a_person += (
            [NO_TIME]
            if os.path.lexists(found.folder / TIMESTAMP) and time_in(found.handed_in_at) is None
            else []
        )
    return found


def time_in(text):
    """What the bytes of a timestamp.txt say; None when that is no time."""
    time = text.decode("utf-8", "replace").strip()
    words = time.split(" ")
    if not time or (len(words) == 3 and not ZONE.fullmatch(words[2])):
        return None
    try:
        return parse_utc(time)
    except Exception:  # not ValueError alone: a long number is another error
        return None


def choose(found):
    """-> (path, None), or (None, why there is no choice)."""
    wanted = f"{found.lesson}.ipynb"
    names = sorted(name for name in os.listdir(found.folder) if is_notebook(name))
    others = [name for name in names if name != wanted]
    if wanted in names:
        found.for_a_person += (
            [f"There are other notebooks beside {wanted} that were not graded: {listed(others)}."]
            if others
            else []
        )
        return found.folder / wanted, None
    if len(others) == 1:
        found.notes.append(f"The file is called {shown(others[0])}: taken as {wanted}.")
        return found.folder / others[0], None
    if others:
        return (
            None,
            f"There are {len(others)} notebooks and none is called {wanted} ({listed(others)}): keep the one that counts.",
        )
    return None, f"There is no notebook in the folder: {wanted} is missing."


def listed(names):
    return ", ".join(map(shown, names[:4])) + (" ..." if len(names) > 4 else "")


def small_files(folder):
    """{name: bytes} of the files of nbgrader's own beside a submission; no time that is none, for nbgrader reads what is kept."""
    found = {}
    for name in SMALL_FILES:
        data, _ = read(Path(folder) / name)
        if data is not None and len(data) <= SMALL and (name != TIMESTAMP or time_in(data)):
            found[name] = data
    return found


def find_all(root, only=()):
    """-> ([(student, lesson, folder)], [(place, why it is left out)]) of the folder `submitted`."""
    found, left_out = [], []
    for student in listing(root):
        reason = wrong_student(student)
        if reason:
            left_out.append((shown(student.relative_to(root)), reason))
            continue
        for folder in listing(student):
            if only and folder.name not in only:
                continue
            reason = wrong_folder(folder)
            if reason:
                left_out.append((shown(folder.relative_to(root)), reason))
            elif folder.is_dir():
                found.append((student.name, folder.name, folder))
    return found, left_out


def listing(folder):
    """Its entries, without hidden ones; none of a link's."""
    if os.path.islink(folder) or not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if not path.name.startswith((".", "__MACOSX")))


def wrong_student(path):
    if os.path.islink(path):
        return IS_LINK
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        return "This lies outside a student's folder: the grader looks for STUDENT/LESSON/LESSON.ipynb."
    if not STUDENT.fullmatch(unicodedata.normalize("NFC", path.name)):  # macOS writes é as e and an accent
        return "This is no name for a student: letters, digits and any of @ . + - _ make one."
    if not os.access(path, os.R_OK | os.X_OK):
        return "This folder cannot be read: it is not yours."
    return None


def wrong_folder(path):
    if os.path.islink(path):
        return IS_LINK
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        return (
            "This lies outside a lesson's folder: the grader looks for STUDENT/LESSON/LESSON.ipynb."
            if is_notebook(path.name)
            else None
        )
    if not is_lesson(path.name):
        return "This is no lesson of the course: the grader looks for STUDENT/LESSON/LESSON.ipynb, so this folder must have a lesson's name."
    if any(deep(above, path) for above, *_ in os.walk(path)):  # nbgrader goes to the bottom of it
        return TOO_DEEP
    return None
