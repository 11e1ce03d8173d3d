"""A made-up LMS, as one file: `slate-77-Ada Lovelace.ipynb`, and a CSV file with the column `Slate no`."""

import re

from autograder.exchange.claim import Claim
from autograder.exchange.template import Template as FilledTemplate

NAME = re.compile(r"slate-(\d+)-(.+)")


def claim_of(part, below):
    match = NAME.fullmatch(part)
    return Claim("Slate", [match[2].removesuffix(".ipynb")], lms_id=match[1], text=below) if match else None


def adapt(columns, rows):
    heading = rows[0]
    return columns | ({"lms": heading.index("Slate no")} if "Slate no" in heading else {})


def is_student(row, columns):
    return row[0] != "Everybody"


class Template(FilledTemplate):
    kind, needs, ids = "Slate", "lms", ()
    other_file = "{} is no list of Slate."
    several_lessons = False
    upload, upload_feedback = "give it to Slate", "give them to Slate"
    own_words = ("ill",)

    def column(self, lesson, name=None):
        return self.rows[0].index("Mark")

    def most(self, column):
        return None

    def is_student(self, row):
        return is_student(row, self.columns)

    def feedback_name(self, line, lesson, file):
        return f"slate-{line.claim.lms_id}.html"
