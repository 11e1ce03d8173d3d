"""Writes rows to submitted/STUDENT/LESSON/, each in one step; what was there moves to submitted_before/."""

import os
import shutil
from datetime import UTC, datetime

from nbgrader.utils import parse_utc

from autograder.gradebook import submitted
from autograder.gradebook.writer import EARLIER
from autograder.refused import Refused

from . import sentences
from .lms import claim_of, contradict
from .places import Doubt
from .plan import NEW, OTHER, REPLACES, SAME, YOU, sha_of

BEFORE, UNFINISHED = "submitted_before", ".collecting"


def state_of(row, place, before, zone):
    """NEW, SAME, REPLACES or OTHER: the later time counts; without times, a file never collected before.
    Raises Doubt if the file there came from somebody with another number in the LMS."""
    if place.is_symlink() or place.parent.is_symlink():
        raise Refused(f"{place}: {submitted.IS_LINK}")
    if not place.is_dir():
        return NEW
    earlier = map(claim_of, source_of(place).split("/"))
    if row.how != YOU and any(contradict(claim, row.claim) for claim in earlier):
        raise Doubt(sentences.which.format(row.lesson, row.person.id))
    submission = submitted.read_student_folder(row.person.id, row.lesson, place, zone)
    if submission.data is not None and sha_of(submission.data) == row.sha:
        return SAME
    if submission.time and row.time:
        return OTHER if row.time < submission.time else REPLACES
    versions = before.glob(f"*/{row.lesson}.ipynb")
    return OTHER if row.sha in {sha_of(path.read_bytes()) for path in versions} else REPLACES


def put(row, place, before, zone):
    """Put one notebook into its place; raises Doubt if the file was removed or changed since it was read. If
    the run is killed between the two renames, the old folder is in submitted_before/ and none in place."""
    data, new = row.read(), place.parent.parent / UNFINISHED
    if sha_of(data) != row.sha:
        raise Doubt(sentences.changed)
    shutil.rmtree(new, ignore_errors=True)
    try:
        new.mkdir(parents=True)
        for name, content in files_of(row, data, place, zone).items():
            (new / name).write_bytes(content)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            before.mkdir(parents=True, exist_ok=True)
            os.replace(place, before / f"{datetime.now(UTC):%Y-%m-%d %H.%M.%S.%f} UTC")
        os.replace(new, place)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def source_of(folder):
    """The path from which the notebook in a folder of submitted/ was collected; "" if it was not."""
    path = folder / submitted.SOURCE
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def files_of(row, data, place, zone):
    """{name: bytes} to write. Where the LMS says "late", a time is not certain, or only the replaced file has
    one, there is no timestamp.txt, but a file that says so: the grader asks a person for the time."""
    files = {f"{row.lesson}.ipynb": data, submitted.SOURCE: row.label.encode(), **row.small}
    text = files.pop(submitted.TIMESTAMP, row.claim.time.encode())
    if row.time:  # nbgrader reads some names of time zones as UTC
        if parse_utc(text.decode("utf-8-sig").strip()) != row.time:
            text = f"{row.time:%Y-%m-%d %H:%M:%S.%f} UTC".encode()
        return files | {submitted.TIMESTAMP: text}
    old = submitted.read_student_folder(row.person.id, row.lesson, place, zone)
    before = EARLIER.format(old.time) if old.time else old.unknown_time and sentences.unknown_before
    return files | ({submitted.NO_TIME: why.encode()} if (why := row.no_time or before) else {})
