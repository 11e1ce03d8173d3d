"""Rows -> submitted/STUDENT/LESSON/, each in one piece; what was there is kept in submitted_before/."""

import os
import shutil
from datetime import UTC, datetime

from autograder.gradebook.submitted import IS_LINK, TIMESTAMP, read_student_folder, small_files
from autograder.refused import Refused

from .plan import NEW, OTHER, REPLACES, SAME, sha_of

BEFORE, UNFINISHED, SOURCE = "submitted_before", ".collecting", "collected_from.txt"


def state_of(row, place, before):
    """What becomes of a certain row: the later time counts, else what was not collected before."""
    if place.is_symlink() or place.parent.is_symlink():
        raise Refused(f"{place}: {IS_LINK}")
    if not place.is_dir():
        return NEW
    there = read_student_folder(row.person.id, row.lesson, place)
    if there.data is not None and sha_of(there.data) == row.sha:
        return SAME
    if there.time and row.time:
        return OTHER if row.time < there.time else REPLACES
    versions = before.glob(f"*/{row.lesson}.ipynb")
    return OTHER if row.sha in {sha_of(path.read_bytes()) for path in versions} else REPLACES


def put(row, place, before):
    """Put one notebook into its place.

    A run that is killed leaves the old folder, the new one, or (between two renames) none, and the old one in
    submitted_before/: the next run puts the new one there.
    """
    new = place.parent.parent / UNFINISHED
    shutil.rmtree(new, ignore_errors=True)
    try:
        new.mkdir(parents=True)
        for name, content in files_of(row, place).items():
            (new / name).write_bytes(content)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            before.mkdir(parents=True, exist_ok=True)
            os.replace(place, before / f"{datetime.now(UTC):%Y-%m-%d %H.%M.%S.%f} UTC")
        os.replace(new, place)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def source_of(folder):
    """The path under which a notebook in submitted/ was handed in; "" where it was not collected."""
    path = folder / SOURCE
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def files_of(row, place):
    """{name: bytes} of the folder: the notebook, its path as it was handed in, and nbgrader's small files.
    Where it is late, or follows one with a time, and its own time is not known, the grader asks a person."""
    before = small_files(place).get(TIMESTAMP, b"").decode().strip()
    time = "LATE" if row.claim.late else f"unknown; an earlier file: {before}" if before else ""
    time = f"{row.time:%Y-%m-%d %H:%M:%S.%f} UTC" if row.time else time
    files = {f"{row.lesson}.ipynb": row.read(), SOURCE: row.label.encode(), TIMESTAMP: time.encode()}
    return {name: content for name, content in (files | row.small).items() if content}
