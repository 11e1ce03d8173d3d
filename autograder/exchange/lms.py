"""What differs from LMS to LMS: the names in its downloads, and its CSV files."""

import re
from dataclasses import dataclass, field

from autograder.releases import store

from . import systems


@dataclass
class Claim:
    """What a file's path says of its student. texts: each may be the name, an id or a mail address. id: an id
    that is certain. lms_id, participant: numbers in the LMS, everywhere and in one assignment."""

    texts: list = field(default_factory=list)
    id: str = ""
    lms_id: str = ""
    participant: str = ""
    late: bool = False
    time: object = None


class Lms:
    """file: what grades are filled into. needs: a column that it must have. own_words: words of the LMS, in
    small letters, that a grade never replaces. upload, upload_feedback: where the filled file and the pages
    go."""

    file, needs, own_words = "", "", ()

    def claim_of(self, part):
        """A Claim where a part of a path has the form of the LMS's downloads."""

    def adapt(self, sheet):
        """Correct the sheet's columns and students, where headings alone do not tell them."""

    def columns(self, sheet, lesson):
        """[number of a column] that looks as if it were for the lesson's grades."""
        return [sheet.columns["grade"]] if "grade" in sheet.columns else []

    def feedback_name(self, person, lesson, source):
        """The name under which the LMS takes a page; None where it cannot. source: the path handed in."""


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


def cell(row, column):
    return row[column].strip() if column < len(row) else ""


def value_of(text):
    """The number in a cell, with a decimal point or comma; None if there is none."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
