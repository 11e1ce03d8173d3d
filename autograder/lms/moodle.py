"""Moodle's grading worksheet -> the lines of its participants; feedback pages -> a zip for Moodle."""

import os
import re
import zipfile

from autograder.gradebook.database import Refused
from autograder.gradebook.feedback_pages import page_path

from .csv_text import Table
from .grades import Line, value_of
from .headings import columns_of, participant_in
from .naming import Claim
from .roster import cell

NOT_MOODLE = (
    "{} is no grading worksheet of Moodle: it has a column Identifier with cells such as Participant 123456. "
    "Download it in the assignment, with the grading action `Download grading worksheet`."
)
NO_COLUMN = "{} has no column that is known as the grade: name it with --column, one of {}."
NOT_IN_NAMES = re.compile(r'[/\\:*?"<>|_\x00-\x1f]+')  # _ separates the parts of the folder's name
STAMP = (2026, 1, 1, 0, 0, 0)  # equal pages make equal zips


class Moodle:
    """A worksheet that is to be filled: of one assignment."""

    def __init__(self, path):
        self.table = Table.at(path)
        self.rows = self.table.texts()
        self.columns = columns_of(self.rows)
        if "participant" not in self.columns:
            raise Refused(NOT_MOODLE.format(self.table.name))

    def column(self, lesson, wanted=None):
        """The number of the column of grades."""
        heading = [text.strip().lstrip("\ufeff") for text in self.rows[0]]
        if wanted in heading:
            return heading.index(wanted)
        if wanted or "grade" not in self.columns:
            raise Refused(NO_COLUMN.format(self.table.name, ", ".join(f'"{text}"' for text in heading)))
        return self.columns["grade"]

    def most(self, column):
        """The points of the assignment; None where no row says them."""
        if "most" not in self.columns:
            return None
        found = (value_of(cell(row, self.columns["most"])) for row in self.rows[1:])
        return next((points for points in found if points is not None), None)

    def lines(self, column):
        return [
            self.line(number, row, column)
            for number, row in enumerate(self.rows)
            if number and column < len(row) and participant_in(cell(row, self.columns["participant"]))
        ]

    def line(self, number, row, column):
        at = {meaning: cell(row, n) for meaning, n in self.columns.items()}
        name = at.get("name") or f"{at.get('first', '')} {at.get('last', '')}".strip()
        names = [at.get(meaning, "") for meaning in ("username", "number", "mail")]
        participant = participant_in(at["participant"])
        claim = Claim("Moodle", [text for text in (*names, name) if text], lms_id=participant)
        return Line(number, name or at["participant"], claim, row[column])


def uses_comma(table, columns):
    """Do numbers in the file have a decimal comma?"""
    texts = (cell(row, columns[key]) for row in table for key in ("most", "grade") if key in columns)
    return any(re.fullmatch(r"\d+,\d+", text) for text in texts)


def zip_feedback(root, lesson, lines, path):
    """Write the feedback pages of the lines' students into a zip, each in its folder -> how many."""
    pages = [(line, page_path(root, line.student, lesson)) for line in lines if line.student]
    pages = [(line, page) for line, page in pages if page.is_file()]
    if not pages:
        return 0
    new = path.with_name(f".{path.name}.new")
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as made:
        for line, page in pages:
            entry = zipfile.ZipInfo(f"{folder_of(line)}/{lesson}.html", STAMP)
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            made.writestr(entry, page.read_bytes())
    os.replace(new, path)
    return len(pages)


def folder_of(line):
    """First Last_123456_assignsubmission_file_: Moodle reads the number and the two words behind it."""
    name = NOT_IN_NAMES.sub(" ", line.name).strip() or "Participant"
    return f"{name}_{line.claim.lms_id}_assignsubmission_file_"
