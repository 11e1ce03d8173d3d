"""`python -m autograder scores FILE`: points that a person gave for written answers go into the gradebook."""

import json
import sys
from pathlib import Path

from nbgrader.api import MissingEntry

from autograder.releases import store

from .database import Refused
from .record import write_penalty
from .term.backup import back_up
from .term.change import renew_table
from .writer import Writer

NO_FILE = "{} holds no scores: give the file that the page of written answers saves (written_answers)."
UNKNOWN = "{}, {}: the gradebook has no such submission. Nothing was entered."
NO_ANSWER = "{} is no written answer of {}. Nothing was entered."
NO_POINTS = "{}, {}: {!r} is no number of points from 0 to {:g}. Nothing was entered."
HANDED_IN_AGAIN = (
    "{}, {}: was handed in anew since the page was made, so its points were not entered. Make the "
    "page anew, and read that answer again."
)
TEXTS = "lesson", "grade_id", "student", "submission", "comment"


def run(root, file):
    """The exit code: 0 when all that the file holds is in the gradebook."""
    try:
        entered, old = enter_scores(root, rows_in(file))
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    print(f"{entered} {'score is' if entered == 1 else 'scores are'} in the gradebook and in grades.csv.")
    for sentence in old:
        print(sentence, file=sys.stderr)
    return int(bool(old))


def rows_in(file):
    try:
        rows = json.loads(Path(file).read_text(encoding="utf-8"))["written_answers"]
    except (OSError, ValueError, KeyError, TypeError):
        raise Refused(NO_FILE.format(file)) from None
    if not isinstance(rows, list) or not all(map(is_row, rows)):
        raise Refused(NO_FILE.format(file))
    return rows


def is_row(row):
    return isinstance(row, dict) and "points" in row and all(isinstance(row.get(text), str) for text in TEXTS)


def enter_scores(root, rows):
    """(how many were entered, [sentence] on each that was not): all in one commit, or Refused and nothing.

    An answer that was handed in anew after the page was made is left as it is. All members of a group get
    what is given for the answer that they handed in together.
    """
    entered, old = 0, []
    with Writer(root) as writer:
        if writer.recorded:
            back_up(writer.coursedir, "scores")
        try:
            for row in rows:
                place = row["student"], row["lesson"]
                check(writer, row)
                if writer.memory(*place).get("submission") != row["submission"]:
                    old.append(HANDED_IN_AGAIN.format(*place))
                    continue
                for student in writer.term.groups.of(*place):
                    if writer.memory(student, row["lesson"]).get("submission") == row["submission"]:
                        enter(writer, row | {"student": student})
                entered += 1
            writer.gradebook.db.commit()
            renew_table(writer)
        finally:
            writer.gradebook.db.rollback()
    return entered, old


def check(writer, row):
    lesson, points = row["lesson"], row["points"]
    if lesson not in store.lessons() or row["grade_id"] not in store.current(lesson).by_hand:
        raise Refused(NO_ANSWER.format(row["grade_id"], lesson))
    most = store.current(lesson).by_hand[row["grade_id"]]
    if (row["student"], lesson) not in writer.recorded:
        raise Refused(UNKNOWN.format(row["student"], lesson))
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
    notebook = grade.notebook
    write_penalty(book.db, notebook.assignment, notebook, writer.late_plugin)
