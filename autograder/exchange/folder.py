"""Files that no LMS named: those in nbgrader's exchange, and files or folders with a student's name."""

import re

from autograder.gradebook.submitted import time_in
from autograder.releases import store

from .lms import Claim, Lms, pattern_of

EXCHANGE = re.compile(r"(?P<student>[^+]+)\+[^+]+\+(?P<time>\d{4}-\d\d-\d\d [\d:.]+ ?[^+]*)(\+.*)?", re.S)
SUFFIX = re.compile(r"\.(ipynb|zip)$", re.I)
COPY = re.compile(
    r"(?:\s*\(\d+\)|[-_ ]?\d{1,2}|[-_ ]+(?:copy|final|done|solved|submission|new|kopie))++$", re.I
)
STEPS = {"archive", "extracted", "submitted", "downloaded", "inbound", "submissions", "notebooks"}


class System(Lms):
    def claim_of(self, part):
        """Parse student+lesson+time+hash, as in nbgrader's inbound/."""
        match = EXCHANGE.fullmatch(part)
        return match and Claim(id=match["student"], time=time_in(match["time"].strip().encode()))

    def claim_of_loose(self, parts):
        """Take the name of each folder, and of the file, as a text that may name the student."""
        texts = [without_lesson(SUFFIX.sub("", part)) for part in parts]
        return Claim(list(dict.fromkeys(text for text in texts if text and text.lower() not in STEPS)))


def without_lesson(text):
    """Remove lesson names from the text, and suffixes that mark a copy."""
    bare = text
    for lesson in store.lessons():
        bare = re.sub(pattern_of(lesson), " ", bare, flags=re.I)
    bare = COPY.sub("", bare) if bare != text else re.sub(r"\s*\(\d+\)$", "", bare)
    return bare.strip(" _-.+")
