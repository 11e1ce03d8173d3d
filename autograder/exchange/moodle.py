"""Moodle: the folders in its downloads, its participants, its grading worksheet, its feedback folders."""

import re

from .claim import Claim
from .lms import Lms, cell

FOLDER = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file(?:_.*)?", re.S)
HIDDEN = "participant"  # what Moodle writes for everybody while submissions are anonymous
NAMELESS = "Moodle hid the name: reveal student identities in the assignment, and download again"
PARTICIPANT = re.compile(r"[^\W\d]\D*[\s/]\D*\d+")  # Participant 12, Teilnehmer/in 12
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

    def claim_of(self, part):
        """First Last_123456_assignsubmission_file_: Moodle's number of the participant in this assignment."""
        match = FOLDER.fullmatch(part)
        if not match:
            return None
        names = [] if match["name"].lower() == HIDDEN else [match["name"]]
        return Claim("Moodle", names, participant=match["id"], nameless=NAMELESS)

    def adapt(self, columns, rows):
        """Identifiers, in the first column, and mail addresses are known by themselves in any language."""
        texts = [
            [cell(row, number) for row in rows[1:] if cell(row, number)] for number in range(len(rows[0]))
        ]
        first = {meaning for meaning, number in columns.items() if number == 0}
        if first <= {"id", "participant"} and texts[0] and all(map(PARTICIPANT.fullmatch, texts[0])):
            columns = {meaning: number for meaning, number in columns.items() if number} | {"participant": 0}
        mails = [
            number for number, column in enumerate(texts) if column and all("@" in text for text in column)
        ]
        return {"mail": mails[0]} | columns if mails else columns

    def feedback_name(self, person, lesson, file):
        """First Last_123456_assignsubmission_file_: Moodle reads the number and the two words behind it."""
        name = NOT_IN_NAMES.sub(" ", person.name).strip() or "Participant"
        return f"{name}_{person.participant}_assignsubmission_file_/{lesson}.html"
