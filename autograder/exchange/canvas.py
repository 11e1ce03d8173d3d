"""Canvas: the file names in its downloads, its gradebook export, and the file names for feedback."""

import re

from .lms import Claim, Lms, cell, lessons_named

NAME = re.compile(r"(?P<name>[^ +]+?)(?P<late>_LATE)?_(?P<id>\d+)_(?P<file>\d{3,})_.+", re.S)
ANONYMOUS = re.compile(r"(?:LATE_)?anon_\w{3,8}_\d+_", re.I)
TEST_STUDENT = "Student, Test"
ASSIGNMENT = re.compile(r".+ \(\d+\)", re.S)


class System(Lms):
    file, needs = "an export of Canvas' gradebook", "canvas"
    own_words = ("ex", "n/a")  # excused, and not assigned to this student
    upload = "import it in Canvas: Grades, Import"
    upload_feedback = "in the assignment, Upload Submissions; Canvas shows each page as a comment"

    def claim_of(self, part):
        """Parse lastfirst_LATE_12345_67890_01_masks-1.ipynb: Canvas' numbers of student and file."""
        if ANONYMOUS.match(part):
            return Claim()
        match = NAME.fullmatch(part)
        return match and Claim([match["name"]], lms_id=match["id"], late=bool(match["late"]))

    def adapt(self, sheet):
        """With a section column, "ID" is Canvas' number of the student; rows without one are dropped."""
        columns = sheet.columns
        if {"section", "id"} <= columns.keys() and columns.keys() & {"name", "last"}:
            columns["canvas"] = columns["lms"] = columns.pop("id")
            rows = sheet.students.items()
            rows = [(n, row) for n, row in rows if sheet.cell(row, "canvas") and cell(row, 0) != TEST_STUDENT]
            sheet.students = dict(rows)

    def columns(self, sheet, lesson):
        texts = enumerate(sheet.heading)
        return [n for n, text in texts if ASSIGNMENT.fullmatch(text) and lesson in lessons_named(text)]

    def feedback_name(self, person, lesson, source):
        """The submitted file's name with the lesson: Canvas finds the student by the numbers in the name."""
        match = next(filter(None, map(NAME.fullmatch, source.split("/"))), None)
        return match and f"{match['name']}_{match['id']}_{match['file']}_{lesson}.html"
