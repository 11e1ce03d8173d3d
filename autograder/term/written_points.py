"""`python -m autograder written FILE`: a person's points for written answers go into the gradebook."""

import json
from functools import partial
from pathlib import Path

from nbgrader.api import MissingEntry

from autograder.gradebook.record import write_penalty
from autograder.refused import Refused
from autograder.releases import store

from . import change

COLUMNS = "student", "lesson", "question", "points", "comment"
NO_FILE = "{} holds no scores: give the file that the page of written answers saves (written_answers)."
UNKNOWN = "{}, {}: the gradebook has no such submission. Nothing was entered."
NO_ANSWER = "{} is not a written answer of {}. Nothing was entered."
NO_POINTS = "{}, {}: {!r} is not a number of points from 0 to {:g}. Nothing was entered."
HANDED_IN_AGAIN = (
    "{}, {}: was handed in again after the page was made, so its points are not entered. Make the page "
    "again, and reread that answer."
)
TEXTS = "lesson", "grade_id", "student", "submission", "comment"


def run(root, file, yes=False):
    return change.run(root, "written", partial(enter_points, file=file), yes, "Enter these points?")


def enter_points(writer, file):
    """Without a commit -> Changes. An answer that was handed in anew after the page was made is left as it
    is. All members of a group get what is given for the answer that they handed in together."""
    rows, old = [], []
    for row in rows_in(file):
        place = row["student"], row["lesson"]
        check(writer, row)
        if writer.memory(*place).get("submission") != row["submission"]:
            old.append(HANDED_IN_AGAIN.format(*place))
            continue
        for student in writer.files.groups.of(*place):
            if writer.memory(student, row["lesson"]).get("submission") == row["submission"]:
                enter(writer, row | {"student": student})
                rows.append((student, row["lesson"], row["grade_id"], f"{row['points']:g}", row["comment"]))
    return change.Changes(COLUMNS, rows, old)


def rows_in(file):
    try:
        rows = json.loads(Path(file).read_text(encoding="utf-8"))["written_answers"]
    except (OSError, ValueError, KeyError, TypeError):
        rows = None
    if not isinstance(rows, list) or not all(map(is_row, rows)):
        raise Refused(NO_FILE.format(file))
    return rows


def is_row(row):
    return isinstance(row, dict) and "points" in row and all(isinstance(row.get(text), str) for text in TEXTS)


def check(writer, row):
    lesson, points = row["lesson"], row["points"]
    by_hand = store.current(lesson).by_hand if lesson in store.lessons() else {}
    if row["grade_id"] not in by_hand:
        raise Refused(NO_ANSWER.format(row["grade_id"], lesson))
    if (row["student"], lesson) not in writer.recorded:
        raise Refused(UNKNOWN.format(row["student"], lesson))
    most = by_hand[row["grade_id"]]
    if not isinstance(points, int | float) or isinstance(points, bool) or not 0 <= points <= most:
        raise Refused(NO_POINTS.format(row["student"], lesson, points, most))


def enter(writer, row):
    """Enter points as formgrader does. The late penalty is computed again: it may depend on the score."""
    book, lesson, student = writer.gradebook, row["lesson"], row["student"]
    place = row["grade_id"], lesson, lesson, student
    try:
        grade, comment = book.find_grade(*place), book.find_comment(*place)
    except MissingEntry:
        raise Refused(UNKNOWN.format(student, lesson)) from None
    grade.manual_score, grade.needs_manual_grade = float(row["points"]), False
    comment.manual_comment = str(row["comment"]).strip() or None
    book.db.flush()
    write_penalty(book.db, grade.notebook.assignment, grade.notebook, writer.late_plugin)
