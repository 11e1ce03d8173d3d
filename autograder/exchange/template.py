"""A file that an LMS exported and takes back: a line for each student, and a column of grades to fill."""

import re
from dataclasses import dataclass

from autograder.csv_file import CsvFile
from autograder.refused import Refused

from .claim import Claim
from .headings import cell, columns_of


@dataclass
class Line:
    """A student's row. row: its number in the file. name: as the LMS writes it. grade: what stands there."""

    row: int
    name: str
    claim: Claim
    grade: str
    student: str = ""


class Template:
    """Each LMS has one of its own: which lines are students', what their cells claim, and which column."""

    def __init__(self, path):
        self.table = CsvFile(path)
        self.rows, self.columns = self.table.rows, columns_of(self.table.rows)
        if self.needs not in self.columns:
            raise Refused(self.other_file.format(self.table.name))

    def lines(self, column):
        return [
            self.line(number, row, row[column])
            for number, row in enumerate(self.rows)
            if number and column < len(row) and self.is_student(row)
        ]

    def line(self, number, row, grade):
        cells = {meaning: cell(row, column) for meaning, column in self.columns.items()}
        name = cells.get("name") or f"{cells.get('first', '')} {cells.get('last', '')}".strip()
        texts = [cells.get(meaning, "") for meaning in self.ids]
        claim = Claim(self.kind, [text for text in (*texts, name) if text], lms_id=self.number_in(cells))
        return Line(number, name or f"{self.kind} {claim.lms_id}", claim, grade)

    def has_comma(self, column):
        """Do numbers in the file have a decimal comma?"""
        columns = [column, *(self.columns[key] for key in ("most", "grade") if key in self.columns)]
        return any(re.fullmatch(r"\d+,\d+", cell(row, n)) for row in self.rows[1:] for n in columns)


def value_of(text):
    """The number that a cell holds, with a point or a comma; None where it holds none."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
