"""Canvas: the names in its downloads, its gradebook's export, and the names of files it takes as comments."""

import re

from autograder.refused import Refused

from .claim import SUFFIX, Claim, lessons_named
from .headings import cell
from .template import Template as FilledTemplate
from .template import value_of

NAME = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_(?P<file>\d{3,})_(?P<rest>.+)", re.S)
ANONYMOUS = re.compile(r"(?:LATE_)?anon_\w{3,8}_\d+_", re.I)
NAMELESS = "Canvas hid the name: turn off anonymous grading, and download again"
ASSIGNMENT = re.compile(r"(.+) \(\d+\)\s*")
POINTS, TEST_STUDENT = "Points Possible", "Student, Test"
NO_COLUMN = "{} has no column for {}: name it with --column, one of {}."
TWO_COLUMNS = "{} has several columns for {}: name one with --column, one of {}."
NO_SUCH_COLUMN = "{} has no column {!r}: it has {}."


def claim_of(part, below):
    """lastfirst_LATE_12345_67890_01_masks-1.ipynb: Canvas' numbers of the student and of the file."""
    match = NAME.fullmatch(part)
    if ANONYMOUS.match(part):
        return Claim("Canvas", text=below, nameless=NAMELESS)
    if not match or " " in match["name"] or "+" in match["name"]:
        return None
    text = "/".join([match["rest"], below.partition("/")[2]])
    order, late = (int(match["file"]),), bool(match["late"])
    return Claim("Canvas", [match["name"]], lms_id=match["id"], late=late, order=order, text=text)


def adapt(columns, rows):
    """Beside a section, "ID" is Canvas' own number of the student."""
    if {"section", "id"} <= columns.keys() and ("name" in columns or {"first", "last"} <= columns.keys()):
        columns["canvas"] = columns["lms"] = columns.pop("id")
    return columns


def is_student(row, columns):
    """Not one of the rows that Canvas writes beside its students'."""
    first = row[0].strip() if row else ""
    is_other = POINTS in first or first == TEST_STUDENT
    return "canvas" not in columns or not is_other and bool(cell(row, columns["canvas"]))


class Template(FilledTemplate):
    kind, needs, ids = "Canvas", "canvas", ("login", "sis")
    other_file = "{} is not an export of Canvas' gradebook, which has the columns Student, ID and Section."
    several_lessons = True
    own_words = ("ex", "n/a")  # excused, and not assigned to this student
    upload = "import it in Canvas: Grades, Import"
    upload_feedback = "in the assignment, Upload Submissions; Canvas shows each page as a comment"

    def column(self, lesson, name=None):
        """The number of the lesson's column; None where there is none and none was named."""
        heading = [text.strip() for text in self.rows[0]]
        assignments = [text for text in heading if ASSIGNMENT.fullmatch(text)]
        listed = ", ".join(f'"{text}"' for text in assignments) or "none"
        if name and name.strip() not in heading:
            raise Refused(NO_SUCH_COLUMN.format(self.table.name, name, listed))
        matches = [name.strip()] if name else [t for t in assignments if lesson in lessons_named(t)]
        if len(matches) > 1:
            raise Refused(TWO_COLUMNS.format(self.table.name, lesson, listed))
        self.no_column = NO_COLUMN.format(self.table.name, lesson, listed)
        return heading.index(matches[0]) if matches else None

    def most(self, column):
        """The points that Canvas gives for it; None where it does not say."""
        rows = [row for row in self.rows if POINTS in row[0]]
        return value_of(cell(rows[0], column)) if rows else None

    def is_student(self, row):
        return is_student(row, self.columns)

    def feedback_name(self, line, lesson, file):
        """The name of the file that was handed in, by whose two numbers Canvas knows student and submission;
        None where it was not collected from Canvas."""
        match = NAME.fullmatch(SUFFIX.sub("", file.partition("/")[0]))
        return f"{match['name']}_{match['id']}_{match['file']}_{lesson}.html" if match else None
