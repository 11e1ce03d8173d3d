"""Canvas: the names in its downloads, its gradebook's export, and the names of files it takes as comments."""

import re

from .claim import SUFFIX, Claim, lessons_named
from .lms import Lms, cell, value_of

NAME = re.compile(r"(?P<name>[^ +]+?)(?P<late>_LATE)?_(?P<id>\d+)_(?P<file>\d{3,})_.+", re.S)
ANONYMOUS = re.compile(r"(?:LATE_)?anon_\w{3,8}_\d+_", re.I)
NAMELESS = "Canvas hid the name: turn off anonymous grading, and download again"
POINTS, TEST_STUDENT = "Points Possible", "Student, Test"


class System(Lms):
    needs, several_lessons = "canvas", True
    other_file = "{} is not an export of Canvas' gradebook, which has the columns Student, ID and Section."
    own_words = ("ex", "n/a")  # excused, and not assigned to this student
    headings = re.compile(r"(.+) \(\d+\)")
    upload = "import it in Canvas: Grades, Import"
    upload_feedback = "in the assignment, Upload Submissions; Canvas shows each page as a comment"

    def claim_of(self, part):
        """lastfirst_LATE_12345_67890_01_masks-1.ipynb: Canvas' numbers of the student and of the file."""
        if ANONYMOUS.match(part):
            return Claim("Canvas", nameless=NAMELESS)
        match = NAME.fullmatch(part)
        if not match:
            return None
        order, late = (int(match["file"]),), bool(match["late"])
        return Claim("Canvas", [match["name"]], lms_id=match["id"], late=late, order=order)

    def adapt(self, columns, rows):
        """Beside a section, "ID" is Canvas' own number of the student."""
        if {"section", "id"} <= columns.keys() and columns.keys() & {"name", "last"}:
            columns["canvas"] = columns["lms"] = columns.pop("id")
        return columns

    def is_student(self, sheet, row):
        """Not one of the rows that Canvas writes beside its students'."""
        is_other = POINTS in row[0] or row[0].strip() == TEST_STUDENT
        return "canvas" not in sheet.columns or bool(sheet.cell(row, "canvas")) and not is_other

    def columns(self, sheet, lesson):
        texts = enumerate(sheet.heading)
        return [n for n, text in texts if self.headings.fullmatch(text) and lesson in lessons_named(text)]

    def most(self, sheet, column):
        rows = [row for row in sheet.rows if POINTS in row[0]]
        return value_of(cell(rows[0], column)) if rows else None

    def feedback_name(self, person, lesson, file):
        """The submitted file's name and the lesson: Canvas finds the student by the numbers in it."""
        match = NAME.fullmatch(SUFFIX.sub("", file.partition("/")[0]))
        return f"{match['name']}_{match['id']}_{match['file']}_{lesson}.html" if match else None
