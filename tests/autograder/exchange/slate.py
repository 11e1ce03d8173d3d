"""A made-up LMS: notebooks called `slate-77-Ada Lovelace.ipynb`, and a CSV file with a column `Slate no`."""

import re

from autograder.exchange.lms import Claim, Lms

NAME = re.compile(r"slate-(\d+)-(.+)")


class System(Lms):
    file, needs, own_words = "a list of Slate", "lms", ("ill",)
    upload, upload_feedback = "give it to Slate", "give them to Slate"

    def claim_of(self, part):
        match = NAME.fullmatch(part)
        return Claim((match[2].removesuffix(".ipynb"),), lms_id=match[1]) if match else None

    def adapt(self, sheet):
        if "Slate no" in sheet.heading:
            sheet.columns["lms"] = sheet.heading.index("Slate no")
            sheet.maxima = {
                n: float(text[8:]) for n, text in enumerate(sheet.heading) if text.startswith("Mark of")
            }
            sheet.students = {n: row for n, row in sheet.students.items() if row[0] != "Everybody"}

    def columns(self, sheet, lesson):
        return [number for number, text in enumerate(sheet.heading) if text.startswith("Mark")]

    def feedback_name(self, person, lesson, file):
        return f"slate-{person.lms_id}.html"
