"""What each LMS has a form of its own for, and its CSV files: whose rows they have, and what columns."""

import re
import tomllib
from pathlib import Path

from autograder.csv_file import CsvFile

from . import systems
from .names import exact
from .people import Person

MEANINGS = {
    meaning: {exact(text) for text in texts}
    for meaning, texts in tomllib.loads(Path(__file__).with_name("headings.toml").read_text("utf-8")).items()
}
OTHER_IDS = "id", "username", "login", "sis", "number"


class Sheet:
    """rows: [[text]], the heading first. columns: {what it holds: its number}. has_comma: do numbers have a
    decimal comma? people: {row: Person}."""

    def __init__(self, path):
        self.table = CsvFile(path)
        self.name, self.rows = self.table.name, self.table.rows
        self.heading = [text.strip() for text in self.rows[0]]
        self.columns = columns_of(self.rows)
        self.has_comma = any(re.fullmatch(r"\d+,\d+", text.strip()) for row in self.rows for text in row)
        self.people = {
            number: self.person(row)
            for number, row in enumerate(self.rows)
            if number and any(map(str.strip, row)) and all(lms.is_student(self, row) for lms in systems())
        }

    def cell(self, row, meaning):
        """The text in the column that holds this; "" where there is none."""
        return cell(row, self.columns[meaning]) if meaning in self.columns else ""

    def person(self, row):
        """All ids of a row are the person's; which one is to be used is not said."""
        cells = {meaning: self.cell(row, meaning) for meaning in MEANINGS}
        first, last, name = cells["first"], cells["last"], cells["name"]
        if name and not last:
            last, _, first = name.partition(",") if "," in name else name.rpartition(" ")[::-1]
        mail = cells["mail"] or (cells["login"] if "@" in cells["login"] else "")
        participant = re.search(r"\d*$", cells["participant"])[0]  # of Participant 123456
        ids = {meaning: cells[meaning] for meaning in OTHER_IDS if cells[meaning]}
        return Person("", first.strip(), last.strip(), mail, cells["lms"], participant, ids)


def columns_of(rows):
    heading, columns = [exact(text).strip() for text in rows[0]], {}
    for meaning, texts in MEANINGS.items():
        places = [number for number, text in enumerate(heading) if text in texts]
        columns |= {meaning: places[0]} if places else {}
    for lms in systems():
        columns = lms.adapt(columns, rows)
    return columns


def cell(row, column):
    return row[column].strip() if column < len(row) else ""


def value_of(text):
    """The number that a cell holds, with a point or a comma; None where it holds none."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None


class Lms:
    """needs: a column that the file to fill must have. other_file: the error for a file without it.
    several_lessons: are all lessons in one file? own_words: words of the LMS, in small letters, that a grade
    never replaces. headings: the headings of columns that may hold grades. upload, upload_feedback: where the
    filled file and the feedback pages go."""

    needs, several_lessons, own_words = "", False, ()
    headings = re.compile(".+", re.S)

    def claim_of(self, part):
        """A Claim where a part of a path has the form of the LMS's downloads."""

    def adapt(self, columns, rows):
        """{what it holds: number of the column}, with what headings alone do not tell."""
        return columns

    def is_student(self, sheet, row):
        return True

    def columns(self, sheet, lesson):
        """[number of a column] that looks as if it were for the lesson's grades."""
        return [sheet.columns["grade"]] if "grade" in sheet.columns else []

    def most(self, sheet, column):
        """The points that the LMS gives; None where it does not say."""
        values = (value_of(sheet.cell(row, "most")) for row in sheet.rows[1:])
        return next((value for value in values if value is not None), None)

    def feedback_name(self, person, lesson, file):
        """Under which name the LMS takes a page; None where it cannot. file: what was handed in."""
