"""A file that an LMS exported and takes back: a line for each student, and a column of grades to fill."""

import re
from dataclasses import dataclass

from autograder.csv_file import CsvFile
from autograder.refused import Refused

from .claim import Claim
from .headings import cell, columns_of, number_in


@dataclass
class Line:
    """A student's row. row: its number in the file. name: as the LMS writes it. grade: what stands there.
    is_settled: the LMS's own word stands there, such as excused."""

    row: int
    name: str
    claim: Claim
    grade: str
    is_settled: bool = False
    student: str = ""


class Template:
    """Each LMS has one of its own, with

    kind: its name. needs: what a column must hold, so that the file is the right one. other_file: what is
    said of another. ids: columns with ids, logins or mail addresses. several_lessons: are all lessons in one
    file? upload, upload_feedback: where the filled file and the feedback pages go.
    column(lesson, name): the number of the column to fill, Refused where it cannot be told; or None, and
    no_column says why. most(column): the points that the LMS gives, or None. is_student(row): does the row
    belong to a student? feedback_name(line, lesson, file): under which name the LMS takes a page, or None.
    """

    own_words = ()  # words of the LMS, in small letters, in whose place no grade is put

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
        participant = number_in(cells.get("participant", ""))
        claim = Claim(
            self.kind,
            [text for text in (*texts, name) if text],
            lms_id=cells.get("lms"),
            participant=participant or None,
        )
        is_settled = grade.strip().lower() in self.own_words
        return Line(number, name or f"{self.kind} {claim.number}", claim, grade, is_settled)

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
