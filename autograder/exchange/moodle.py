"""Moodle: the folders in its downloads, its participants, its grading worksheet, its feedback folders."""

import re

from .claim import Claim
from .lms import Lms
from .sheet import cell

FOLDER = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file(?:_.*)?", re.S)
HIDDEN = "participant"  # what Moodle writes for everybody while submissions are anonymous
NAMELESS = "Moodle hid the name: reveal student identities in the assignment, and download again"
PARTICIPANT = re.compile(r"([^\W\d]\D*[\s/]\D*?)\d+")  # Participant 12, Teilnehmer/in 12
NOT_IN_NAMES = re.compile(r'[/\\:*?"<>|_\x00-\x1f]+')  # _ separates the parts of the folder's name


class System(Lms):
    needs = "participant"
    other_file = (
        "{} is not a grading worksheet from Moodle: that has a column Identifier with cells such as "
        "Participant 123456. Download it in the assignment, with the grading action `Download grading "
        "worksheet`."
    )
    upload = "upload it in Moodle: Upload grading worksheet"
    upload_feedback = "in the assignment, Upload multiple feedback files in a zip"

    def claim_of(self, part, below):
        """First Last_123456_assignsubmission_file_: Moodle's number of the participant in this assignment."""
        match = FOLDER.fullmatch(part)
        if not match:
            return None
        names = [] if match["name"].lower() == HIDDEN else [match["name"]]
        return Claim("Moodle", names, participant=match["id"], text=below, nameless=NAMELESS)

    def adapt(self, columns, rows):
        """Identifiers and mail addresses are known by what stands in the cells, whatever the language."""
        for number in range(len(rows[0])):
            texts = [cell(row, number) for row in rows[1:] if cell(row, number)]
            meanings = {meaning for meaning, column in columns.items() if column == number}
            if texts and meanings <= {"id"} and are_participants(texts):
                for meaning in meanings:
                    del columns[meaning]
                columns.setdefault("participant", number)
            elif texts and all("@" in text for text in texts):
                columns.setdefault("mail", number)
        return columns

    def is_student(self, sheet, row):
        return "participant" not in sheet.columns or sheet.cell(row, "participant")[-1:].isdecimal()

    def feedback_name(self, person, lesson, file):
        """First Last_123456_assignsubmission_file_: Moodle reads the number and the two words behind it."""
        name = NOT_IN_NAMES.sub(" ", person.name).strip() or "Participant"
        return f"{name}_{person.participant}_assignsubmission_file_/{lesson}.html"


def are_participants(texts):
    """Have all the same word before their number, and each another number?"""
    matches = [PARTICIPANT.fullmatch(text) for text in texts]
    return all(matches) and len({match[1] for match in matches}) == 1 and len(set(texts)) == len(texts)
