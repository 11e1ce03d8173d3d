"""Writes rows to submitted/STUDENT/LESSON/, each in one step; what was there moves to submitted_before/."""

import os
import shutil
from datetime import UTC, datetime

from autograder.gradebook.submitted import IS_LINK, TIMESTAMP, read_student_folder, small_files
from autograder.refused import Refused

from .places import Doubt
from .plan import NEW, OTHER, REPLACES, SAME, sha_of

BEFORE, UNFINISHED, SOURCE = "submitted_before", ".collecting", "collected_from.txt"


def state_of(row, place, before):
    """NEW, SAME, REPLACES or OTHER: the later time counts; without times, a file never collected before."""
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
    """Put one notebook into its place; raises Doubt if the file was removed or changed since it was read.

    If the run is killed, the old folder or the new one is in place, or (between two renames) neither: then
    the old one is in submitted_before/, and the next run puts the new one in place.
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
    """The original path of the notebook in a folder of submitted/; "" if it was not collected."""
    path = folder / SOURCE
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def files_of(row, data, place):
    """{name: bytes} to write. A late file without a time, or one without a time that replaces a file with
    one, gets a timestamp.txt that is no date, so that the grader asks a person for it."""
    before = small_files(place).get(TIMESTAMP, b"").decode().strip()
    time = "LATE" if row.claim.late else f"unknown; an earlier file: {before}" if before else ""
    time = f"{row.time:%Y-%m-%d %H:%M:%S.%f} UTC" if row.time else time
    files = {f"{row.lesson}.ipynb": data, SOURCE: row.label.encode()}
    return files | ({TIMESTAMP: time.encode()} if time else {}) | row.small
