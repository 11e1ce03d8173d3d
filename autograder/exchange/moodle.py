"""Moodle: the folders in its downloads, its participants, its grading worksheet, its feedback folders."""

import re

from autograder.refused import Refused

from .claim import Claim
from .headings import cell, number_in
from .template import Template as FilledTemplate
from .template import value_of

FOLDER = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file(?:_.*)?", re.S)
HIDDEN = "participant"  # what Moodle writes for everybody while submissions are anonymous
NAMELESS = "Moodle hid the name: reveal student identities in the assignment, and download again"
PARTICIPANT = re.compile(r"[^\W\d]\D*[\s/]\D*?(\d+)")  # Participant 12, Teilnehmer/in 12
NO_COLUMN = "{} has no column that looks like the grade: name it with --column, one of {}."
NOT_IN_NAMES = re.compile(r'[/\\:*?"<>|_\x00-\x1f]+')  # _ separates the parts of the folder's name


def claim_of(part, below):
    """First Last_123456_assignsubmission_file_: Moodle's number of the participant in this assignment."""
    match = FOLDER.fullmatch(part)
    if not match:
        return None
    names = [] if match["name"].lower() == HIDDEN else [match["name"]]
    return Claim("Moodle", names, participant=match["id"], text=below, nameless=NAMELESS)


def adapt(columns, rows):
    """Identifiers and mail addresses are known by what stands in the cells, whatever the language."""
    for number in range(max(map(len, rows), default=0)):
        texts = [cell(row, number) for row in rows[1:] if cell(row, number)]
        if not texts or (number in columns.values() and number != columns.get("id")):
            continue
        if "participant" not in columns and are_participants(texts):
            columns["participant"] = number
            if columns.get("id") == number:
                del columns["id"]
        elif "mail" not in columns and all("@" in text for text in texts):
            columns["mail"] = number
    return columns


def are_participants(texts):
    """Have all the same word before their number, and each another number?"""
    words = {re.sub(r"\d+$", "", text) for text in texts}
    return all(map(PARTICIPANT.fullmatch, texts)) and len(words) == 1 and len(set(texts)) == len(texts)


def is_student(row, columns):
    return True


class Template(FilledTemplate):
    kind, needs, ids = "Moodle", "participant", ("username", "number", "mail")
    other_file = (
        "{} is not a grading worksheet from Moodle: that has a column Identifier with cells such as "
        "Participant 123456. Download it in the assignment, with the grading action `Download grading "
        "worksheet`."
    )
    several_lessons = False
    upload = "upload it in Moodle: Upload grading worksheet"
    upload_feedback = "in the assignment, Upload multiple feedback files in a zip"

    def column(self, lesson, name=None):
        """The number of the column of grades."""
        heading = [text.strip() for text in self.rows[0]]
        if name in heading:
            return heading.index(name)
        if name or "grade" not in self.columns:
            raise Refused(NO_COLUMN.format(self.table.name, ", ".join(f'"{text}"' for text in heading)))
        return self.columns["grade"]

    def most(self, column):
        """The points of the assignment; None where no row says them."""
        texts = [cell(row, self.columns["most"]) for row in self.rows[1:]] if "most" in self.columns else []
        return next((value_of(text) for text in texts if value_of(text) is not None), None)

    def is_student(self, row):
        return bool(number_in(cell(row, self.columns["participant"])))

    def feedback_name(self, line, lesson, file):
        """First Last_123456_assignsubmission_file_: Moodle reads the number and the two words behind it."""
        name = NOT_IN_NAMES.sub(" ", line.name).strip() or "Participant"
        return f"{name}_{line.claim.participant}_assignsubmission_file_/{lesson}.html"
