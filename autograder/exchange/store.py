"""Rows -> submitted/STUDENT/LESSON/, each in one piece; what was there is kept in submitted_before/."""

import os
import shutil
from datetime import UTC, datetime

from autograder.gradebook.submitted import IS_LINK, TIMESTAMP, read_student_folder, small_files
from autograder.refused import Refused

from .places import Doubt
from .plan import NEW, OTHER, REPLACES, SAME, sha_of

BEFORE, UNFINISHED, SOURCE = "submitted_before", ".collecting", "collected_from.txt"


def state_of(row, place, before):
    """The state of a certain row. The later time counts; without times, what was never collected before."""
    if place.is_symlink() or place.parent.is_symlink():
        raise Refused(f"{place}: {IS_LINK}")
    if not place.is_dir():
        return NEW
    submission = read_student_folder(row.person.id, row.lesson, place)
    if submission.data is not None and sha_of(submission.data) == row.sha:
        return SAME
    if submission.time and row.time:
        return OTHER if row.time < submission.time else REPLACES
    versions = before.glob(f"*/{row.lesson}.ipynb")
    return OTHER if row.sha in {sha_of(path.read_bytes()) for path in versions} else REPLACES


def put(row, place, before):
    """Put one notebook into its place. Doubt: the file was taken away, or changed, since it was read.

    A run that is killed leaves the old folder, the new one, or (between two renames) none, and the old one in
    submitted_before/: the next run puts the new one there.
    """
    data, new = row.read(), place.parent.parent / UNFINISHED
    if sha_of(data) != row.sha:
        raise Doubt("it has changed since it was read: run the command again")
    shutil.rmtree(new, ignore_errors=True)
    try:
        new.mkdir(parents=True)
        for name, content in files_of(row, data, place).items():
            (new / name).write_bytes(content)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            before.mkdir(parents=True, exist_ok=True)
            os.replace(place, before / f"{datetime.now(UTC):%Y-%m-%d %H.%M.%S.%f} UTC")
        os.replace(new, place)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def source_of(folder):
    """The original path of a collected notebook, for a folder in submitted/; "" if it was not collected."""
    path = folder / SOURCE
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def files_of(row, data, place):
    """{name: bytes} to write. A late file without a time, and one that replaces a file with a time, get a
    timestamp.txt that is no date: the grader then asks a person for it."""
    before = small_files(place).get(TIMESTAMP, b"").decode().strip()
    time = "LATE" if row.claim.late else f"unknown; an earlier file: {before}" if before else ""
    time = f"{row.time:%Y-%m-%d %H:%M:%S.%f} UTC" if row.time else time
    files = {f"{row.lesson}.ipynb": data, SOURCE: row.label.encode()}
    return files | ({TIMESTAMP: time.encode()} if time else {}) | row.small
