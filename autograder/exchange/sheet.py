"""A CSV file of an LMS or a registrar -> Sheet: what its columns hold, and whose rows it has."""

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
    """rows: [[text]], the heading first. columns: {what it holds: its number}. students: {number: row} of the
    students' rows. people: {number: Person} of the same. has_comma: do numbers have a decimal comma?"""

    def __init__(self, path):
        self.table = CsvFile(path)
        self.name, self.rows = self.table.name, self.table.rows
        self.heading = [text.strip() for text in self.rows[0]]
        texts = [exact(text) for text in self.heading]
        meanings = [(m, text) for m, headings in MEANINGS.items() for text in texts if text in headings]
        self.columns = {meaning: texts.index(text) for meaning, text in reversed(meanings)}
        self.students = {n: row for n, row in enumerate(self.rows) if n and any(map(str.strip, row))}
        for lms in systems():
            lms.adapt(self)
        self.people = {number: self.person(row) for number, row in self.students.items()}
        self.has_comma = any(re.fullmatch(r"\d+,\d+", text.strip()) for row in self.rows for text in row)

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
