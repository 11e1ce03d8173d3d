"""Files that no LMS named: nbgrader's exchange, Blackboard's form of nbgrader's zip_collect, loose files."""

import re

from autograder.gradebook.submitted import time_in
from autograder.releases import store

from .claim import SUFFIX, Claim, pattern_of

EXCHANGE = re.compile(
    r"(?P<student>[^+]+)\+(?P<lesson>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d [\d:.]+ ?[^+]*)(\+.*)?", re.S
)
BLACKBOARD = re.compile(r".*?_(?P<student>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_.*|\..*)?", re.S)
COPY = re.compile(
    r"(?:\s*\(\d+\)|[-_ ]?\d{1,2}|[-_ ]+(?:copy|final|done|solved|submission|new|kopie))++$", re.I
)
STEPS = {"archive", "extracted", "submitted", "downloaded", "inbound", "submissions", "notebooks"}


def claim_of(part, below):
    """student+lesson+time+hash, as in inbound/; lesson_student_attempt_2026-03-01-12-00-00."""
    match = EXCHANGE.fullmatch(part)
    if match:
        time = time_in(match["time"].strip().encode())
        return Claim("nbgrader", [match["student"]], match["student"], time=time, text=match["lesson"])
    match = BLACKBOARD.fullmatch(part)
    if match:
        order = tuple(map(int, match["time"].split("-")))
        return Claim("Blackboard", [match["student"]], order=order, text=below)
    return None


def claim_of_loose(parts):
    """The student is named in the file's name or in a folder above it."""
    texts = [without_lesson(SUFFIX.sub("", part)) for part in reversed(parts)]
    names = [text for text in texts if text and text.lower() not in STEPS]
    return Claim("name", list(dict.fromkeys(names)), text="/".join(parts))


def without_lesson(text):
    """The text without names of lessons, and without what marks a copy."""
    bare = text
    for lesson in store.lessons():
        bare = re.sub(pattern_of(lesson), " ", bare, flags=re.I)
    bare = COPY.sub("", bare) if bare != text else re.sub(r"\s*\(\d+\)$", "", bare)
    return bare.strip(" _-.+")


def adapt(columns, rows):
    """A list of one's own has its columns as they are named."""
    return columns


def is_student(row, columns):
    return True
