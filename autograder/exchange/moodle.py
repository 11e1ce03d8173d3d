"""Moodle: the folder names in its downloads, its participant lists, its grading worksheet, its feedback."""

import re

from .lms import Claim, Lms, cell

FOLDER = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?", re.S)
HIDDEN = "participant"  # everybody's name in Moodle while submissions are anonymous
PARTICIPANT = re.compile(r"([^\W\d]\D*)\d+")  # Participant 12, Teilnehmer/in12, Participante12
NOT_IN_NAMES = re.compile(r'[/\\:*?"<>|_\x00-\x1f]+')  # _ separates the parts of the folder's name


class System(Lms):
    file, needs = "a grading worksheet from Moodle", "participant"
    upload = "upload it in Moodle: Upload grading worksheet"
    upload_feedback = "in the assignment, Upload multiple feedback files in a zip"

    def claim_of(self, part):
        """Parse First Last_123456_assignsubmission_file_: the participant's number in this assignment."""
        match = FOLDER.fullmatch(part)
        names = (match["name"],) if match and match["name"].lower() != HIDDEN else ()
        return match and Claim(names, participant=match["id"])

    def adapt(self, sheet):
        """Recognise participants in the first column, and mail addresses, by their form, in any language. A
        column called "id" may hold ids such as student1: there, only a worksheet has participants."""
        numbers, rest = range(len(sheet.heading)), {m: n for m, n in sheet.columns.items() if n}
        texts = [list(filter(None, (cell(row, n) for row in sheet.students.values()))) for n in numbers]
        word = {match and match[1] for match in map(PARTICIPANT.fullmatch, texts[0])}
        is_worksheet = "id" not in sheet.columns or {"grade", "most"} <= rest.keys()
        is_worksheet |= all(re.search(r"[\s/]", text) for text in texts[0])
        if sheet.columns.keys() - rest <= {"id"} and len(word) == 1 and None not in word and is_worksheet:
            sheet.columns = rest | {"participant": 0}
        mails = [n for n in numbers if texts[n] and all("@" in text for text in texts[n])]
        if mails:
            sheet.columns.setdefault("mail", mails[0])

    def feedback_name(self, person, lesson, source):
        """First Last_123456_assignsubmission_file_: Moodle reads the number and the two words after it."""
        name = NOT_IN_NAMES.sub(" ", person.name).strip() or "Participant"
        return f"{name}_{person.participant}_assignsubmission_file_/{lesson}.html"
