"""What every LMS has a form of its own for; a subclass called System stands in the file of each."""

import re

from .sheet import value_of


class Lms:
    """needs: what a column must hold, so that a file is the right one to fill. other_file: what is said of
    another. several_lessons: are all lessons in one file? own_words: in small letters, in whose place no
    grade is put. headings: those under which grades may stand. upload, upload_feedback: where the filled file
    and the feedback pages go."""

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
