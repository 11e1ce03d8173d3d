"""What differs from LMS to LMS: the names in its downloads, and its CSV files."""

import re
from dataclasses import dataclass

from autograder.releases import store

from . import systems


@dataclass(frozen=True)
class Claim:
    """What a folder's or file's name says about its student. texts: each may be a name, an id or a mail
    address. id: surely an id. lms_id: the student's number in the LMS; or_number: another one that it may be.
    participant: the number in one assignment. time: the hand-in time, as it is written."""

    texts: tuple = ()
    id: str = ""
    lms_id: str = ""
    or_number: tuple = ()
    participant: str = ""
    late: bool = False
    time: str = ""

    @property
    def number(self):
        return self.lms_id or self.participant or self.id


def contradict(one, other):
    """Do two Claims or Persons have different numbers?"""
    pairs = (one.lms_id, other.lms_id), (one.participant, other.participant)
    return any(all(pair) and pair[0] != pair[1] for pair in pairs)


class Lms:
    """file: a user's name for the file that grades are filled into. needs: a key of `sheet.columns` that it
    must have. own_words: texts in a grade's cell, in lower case, that are never overwritten."""

    file, needs, own_words = "", "", ()

    def claim_of(self, part):
        """Return a Claim if this part of a path has the form of the LMS's downloads; else None."""

    def adapt(self, sheet):
        """Correct sheet.columns, {meaning: number}, sheet.maxima, {column: points}, and sheet.students where
        headings.toml is not enough. Every CSV file is passed: check first that it is this LMS's."""

    def columns(self, sheet, lesson):
        """The numbers of the columns that may be meant for the lesson's grades; exactly one is wanted."""
        return [sheet.columns["grade"]] if "grade" in sheet.columns else []

    def feedback_name(self, person, lesson, source):
        """The name under which the LMS takes a feedback page, or None. source: the path of the submission."""


def claim_of(part):
    """What a part of a path says about the student; an empty Claim if it says nothing."""
    return next(filter(None, (lms.claim_of(part) for lms in systems())))


def pattern_of(lesson):
    """A regular expression for a lesson's name with any separators: 01_masks, 01-masks, 01 Masks."""
    return r"(?<![^\W_])" + r"[\W_]{0,3}".join(map(re.escape, lesson.split("_"))) + r"(?![^\W_])"


def lessons_named(text):
    """The lessons whose names occur in a text, each once."""
    return [lesson for lesson in store.lessons() if re.search(pattern_of(lesson), text, re.I)]


def cell(row, column):
    return row[column].strip() if column < len(row) else ""


def value_of(text):
    """The number in a cell, with a decimal point or comma; None if there is none."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
