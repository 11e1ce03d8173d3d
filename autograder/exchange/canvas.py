"""Canvas: the file names in its downloads, its gradebook export, and the file names for feedback."""

import re

from .lms import Claim, Lms, lessons_named
from .people import words

# what follows a display name: perhaps LATE, Canvas' number of the student, and that of the file
ENDING = re.compile(r"(?=(?P<late>_LATE)?_(?P<id>\d+)_(?:(?P<file>\d{3,})_.|(?:link|text)\.html$))", re.S)
ANONYMOUS = re.compile(r"(?:LATE_)?anon_\w{3,8}_\d+_", re.I)
TEST_STUDENT = ["student", "test"]
ASSIGNMENT = re.compile(r".+ \(\d+\)", re.S)


class System(Lms):
    file, needs = "an export of Canvas' gradebook", "canvas"
    own_words = ("ex", "n/a")  # excused, and not assigned to this student
    upload = "import it in Canvas: Grades, Import"
    upload_feedback = "in the assignment, Upload Submissions; Canvas shows each page as a comment"

    def claim_of(self, part):
        """Parse lastfirst_LATE_12345_67890_01_masks-1.ipynb. A display name may end in numbers: then each may
        be the student's, and LATE counts in any reading."""
        if ANONYMOUS.match(part):
            return Claim()
        endings = endings_in(part)
        if not endings:
            return None
        number, *others = dict.fromkeys(ending["id"] for ending in endings)
        is_late = any(ending["late"] for ending in endings)
        return Claim((part[: endings[0].start()],), lms_id=number, or_number=tuple(others), late=is_late)

    def adapt(self, sheet):
        """With a section column, "ID" is Canvas' number of the student; rows without one are dropped, and so
        is the test student."""
        columns = sheet.columns
        if {"section", "id"} <= columns.keys() and columns.keys() & {"name", "last"}:
            columns["canvas"] = columns["lms"] = columns.pop("id")
            for n, row in list(sheet.students.items()):
                name = words(" ".join(sheet.cell(row, meaning) for meaning in ("name", "first", "last")))
                if sorted(name) == TEST_STUDENT or not sheet.cell(row, "canvas"):
                    del sheet.students[n]

    def columns(self, sheet, lesson):
        texts = enumerate(sheet.heading)
        return [n for n, text in texts if ASSIGNMENT.fullmatch(text) and lesson in lessons_named(text)]

    def feedback_name(self, person, lesson, source):
        """The submitted file's name with the lesson: Canvas finds the student by the numbers in the name."""
        for part in source.split("/"):
            for ending in endings_in(part):
                if ending["file"] and ending["id"] == person.lms_id:
                    return f"{part[: ending.start()]}_{ending['id']}_{ending['file']}_{lesson}.html"
        return None


def endings_in(part):
    """All matches of ENDING after a display name, which has no spaces."""
    return [match for match in ENDING.finditer(part) if re.fullmatch(r"[^ +]+", part[: match.start()])]
