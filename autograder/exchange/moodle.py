"""Moodle: the folders in its downloads, its participants, its grading worksheet, its feedback folders."""

import re

from .lms import Claim, Lms, cell

FOLDER = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file(?:_.*)?", re.S)
HIDDEN = "participant"  # what Moodle writes for everybody while submissions are anonymous
PARTICIPANT = re.compile(r"[^\W\d]\D*[\s/]\D*\d+")  # Participant 12, Teilnehmer/in 12
NOT_IN_NAMES = re.compile(r'[/\\:*?"<>|_\x00-\x1f]+')  # _ separates the parts of the folder's name


class System(Lms):
    file, needs = "a grading worksheet from Moodle", "participant"
    upload = "upload it in Moodle: Upload grading worksheet"
    upload_feedback = "in the assignment, Upload multiple feedback files in a zip"

    def claim_of(self, part):
        """First Last_123456_assignsubmission_file_: Moodle's number of the participant in this assignment."""
        match = FOLDER.fullmatch(part)
        names = [match["name"]] if match and match["name"].lower() != HIDDEN else []
        return match and Claim(names, participant=match["id"])

    def adapt(self, columns, rows):
        """Participants, in the first column, and mail addresses are known by themselves in any language."""
        numbers = range(len(rows[0]))
        texts = [list(filter(None, (cell(row, number) for row in rows[1:]))) for number in numbers]
        others = {meaning: number for meaning, number in columns.items() if number}
        if columns.keys() - others <= {"id"} and texts[0] and all(map(PARTICIPANT.fullmatch, texts[0])):
            columns = others | {"participant": 0}
        mails = [n for n in numbers if texts[n] and all("@" in text for text in texts[n])]
        return {"mail": mails[0]} | columns if mails else columns

    def feedback_name(self, person, lesson, source):
        """First Last_123456_assignsubmission_file_: Moodle reads the number and the two words behind it."""
        name = NOT_IN_NAMES.sub(" ", person.name).strip() or "Participant"
        return f"{name}_{person.participant}_assignsubmission_file_/{lesson}.html"
