"""The path of a file -> Claim: what an LMS, nbgrader or the student wrote into its name."""

import re
from dataclasses import dataclass, field

from autograder.releases import store

from . import systems

SUFFIX = re.compile(r"\.(ipynb|zip)$", re.I)


@dataclass
class Claim:
    """What a file's path says, or a list, of a student.

    kind: the LMS, or "name". names: texts that may be the student's name, id or mail address, of folders the
    outermost first. student: an id that is certain. lms_id: the student's number in the LMS. participant: the
    number in this assignment alone. order: numbers that grow from version to version, () where the path holds
    none. nameless: why there are no names.
    """

    kind: str
    names: list = field(default_factory=list)
    student: str | None = None
    lms_id: str | None = None
    participant: str | None = None
    late: bool = False
    time: object = None
    order: tuple = ()
    nameless: str = "its name says no student"

    @property
    def number(self):
        return self.lms_id or self.participant


def claim_of(parts):
    """The first convention that the path follows, looked for from the outermost folder inwards."""
    conventions = systems()
    claims = (convention.claim_of(part) for part in parts for convention in conventions)
    return next(filter(None, claims), None) or conventions[-1].claim_of_loose(parts)


def pattern_of(lesson):
    """A lesson's name with whatever stands between its words: 01_masks, 01-masks, 01 Masks."""
    return r"(?<![^\W_])" + r"[\W_]{0,3}".join(map(re.escape, lesson.split("_"))) + r"(?![^\W_])"


def lessons_named(text):
    """[lesson] that a text names, each once."""
    return [lesson for lesson in store.lessons() if re.search(pattern_of(lesson), text, re.I)]
