"""Files that no LMS named: those in nbgrader's exchange, and files or folders with a student's name."""

import re

from autograder.releases import store

from .lms import Claim, Lms, pattern_of

EXCHANGE = re.compile(r"(?P<student>[^+]+)\+[^+]+\+(?P<time>\d{4}-\d\d-\d\d [^+]*[^+ ])(\+[\w-]+)?")
SUFFIX = re.compile(r"(\.(ipynb|zip|txt|json|html?|pdf|docx?|py|rar|7z|tar|t?gz))+$", re.I)
NOBODY = {"archive", "extracted", "submitted", "downloaded", "inbound", "submissions", "notebooks"}


class System(Lms):
    def claim_of(self, part):
        """Parse student+lesson+time+hash, as in nbgrader's inbound/; any other name may be the student's."""
        if match := EXCHANGE.fullmatch(part):
            return Claim(id=match["student"], time=match["time"])
        text = without_lesson(SUFFIX.sub("", part))
        return Claim((text,)) if text and text.lower() not in NOBODY else Claim()


def without_lesson(text):
    """Remove lesson names, and the number that browsers give to a copy."""
    for lesson in store.lessons():
        text = re.sub(pattern_of(lesson), " ", text, flags=re.I)
    return re.sub(r"\s*\(\d+\)$", "", text).strip(" _-.+")
