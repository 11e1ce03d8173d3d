"""An LMS's CSV file, or a list of the class -> what its columns hold, and whose rows it has."""

import re
import tomllib
from pathlib import Path

from autograder.csv_file import CsvFile

from . import systems
from .lms import cell, value_of
from .people import Person, exact

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

    def most(self, column):
        """The points that the LMS gives, in a row of their own or in each student's; None without."""
        texts = [cell(row, column) for row in self.rows if exact(row[0]).strip() in MEANINGS["most"]]
        values = map(value_of, [*texts, *(self.cell(row, "most") for row in self.rows[1:])])
        return next((value for value in values if value is not None), None)

    def person(self, row):
        """All ids of a row are the person's; which one is to be used is not said."""
        cells = {meaning: self.cell(row, meaning) for meaning in (*MEANINGS, "participant")}
        first, last, name = cells["first"], cells["last"], cells["name"]
        if name and not last:
            last, _, first = name.partition(",") if "," in name else name.rpartition(" ")[::-1]
        mail = cells["mail"] or (cells["login"] if "@" in cells["login"] else "")
        participant = re.search(r"\d*$", cells["participant"])[0]  # of Participant 123456
        ids = {meaning: cells[meaning] for meaning in OTHER_IDS if cells[meaning]}
        return Person("", first.strip(), last.strip(), mail, cells["lms"], participant, ids)


def columns_of(rows):
    heading = [exact(text).strip() for text in rows[0]]
    columns = {
        meaning: heading.index(text)
        for meaning, texts in MEANINGS.items()
        for text in reversed(heading)
        if text in texts
    }
    for lms in systems():
        columns = lms.adapt(columns, rows)
    return columns
