"""Canvas' gradebook, as it exports it -> the lines of its students and the column of an assignment."""

import re

from autograder.gradebook.database import Refused

from .csv_text import Table
from .grades import Line, value_of
from .headings import CANVAS_NUMBER, columns_of
from .naming import Claim, lessons_named
from .roster import cell, is_student

NOT_CANVAS = (
    "{} is no export of Canvas' gradebook: it begins with the columns Student, ID and, further on, Section."
)
NO_COLUMN = "{} has no column for {}: name it with --column, one of {}."
TWO_COLUMNS = "{} has several columns for {}: name one with --column, one of {}."
NO_SUCH_COLUMN = "{} has no column {!r}: it has {}."
ASSIGNMENT = re.compile(r"(.+) \(\d+\)\s*")
POINTS = "Points Possible"


class Canvas:
    """An export that is to be filled."""

    def __init__(self, path):
        self.table = Table.at(path)
        self.rows = self.table.texts()
        self.columns = columns_of(self.rows)
        if CANVAS_NUMBER not in self.columns:
            raise Refused(NOT_CANVAS.format(self.table.name))

    def assignments(self):
        """{number of the column: heading} of the columns with an assignment's number in brackets."""
        return {n: text for n, text in enumerate(self.rows[0]) if ASSIGNMENT.fullmatch(text)}

    def column(self, lesson, wanted=None):
        """The number of the lesson's column; None where there is none and none was named."""
        known = self.assignments()
        if wanted:
            found = [n for n, text in enumerate(self.rows[0]) if text.strip() == wanted.strip()]
            if not found:
                raise Refused(NO_SUCH_COLUMN.format(self.table.name, wanted, listed(known.values())))
            return found[0]
        found = [n for n, text in known.items() if lesson in lessons_named(text)]
        if len(found) > 1:
            raise Refused(TWO_COLUMNS.format(self.table.name, lesson, listed(known[n] for n in found)))
        return found[0] if found else None

    def no_column(self, lesson):
        return Refused(NO_COLUMN.format(self.table.name, lesson, listed(self.assignments().values())))

    def most(self, column):
        """The points that Canvas gives for it; None where it does not say."""
        rows = [row for row in self.rows if POINTS in row[0] and column < len(row)]
        return value_of(rows[0][column]) if rows else None

    def lines(self, column):
        return [
            self.line(number, row, column)
            for number, row in enumerate(self.rows)
            if number and column < len(row) and is_student(row, self.columns)
        ]

    def line(self, number, row, column):
        at = {meaning: cell(row, n) for meaning, n in self.columns.items()}
        name = at.get("name") or f"{at.get('first', '')} {at.get('last', '')}".strip()
        names = [at.get("login", ""), at.get("sis", ""), name]
        claim = Claim("Canvas", [text for text in names if text], lms_id=at["lms"])
        return Line(number, name, claim, row[column])


def listed(texts):
    return ", ".join(f'"{text}"' for text in texts) or "none"
