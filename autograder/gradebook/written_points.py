"""`python -m autograder written FILE`: enters a person's points for written answers into the gradebook."""

import json
from functools import partial
from pathlib import Path

from nbgrader.api import MissingEntry

from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import number

from . import change
from .record import write_penalty

COLUMNS = "student", "lesson", "question", "points", "comment"
NO_FILE = "{} holds no scores: give the file that the page of written answers saves (written_answers)."
UNKNOWN = "{}, {}: the gradebook has no such submission. Nothing was entered."
NO_ANSWER = "{} is not a written answer of {}. Nothing was entered."
NO_POINTS = "{}, {}: {!r} is not a number of points from 0 to {:g}. Nothing was entered."
HANDED_IN_AGAIN = (
    "{}, {}: handed in again after the page was made, so its points are not entered. Make the page "
    "again, and reread that answer."
)
TEXTS = "lesson", "grade_id", "student", "submission", "comment"


def run(root, file, yes=False):
    return change.run(root, "written", partial(enter_points, file=file), yes, "Enter these points?")


def enter_points(writer, file):
    """Enter the points, without a commit, and return the Changes. An answer handed in again after the page
    was made is skipped. All members of a group get the points."""
    rows, old = [], []
    for row, points in rows_in(file):
        lesson, grade_id, student, submission, comment = row
        check(writer, lesson, grade_id, student, points)
        if writer.memory(student, lesson).get("submission") != submission:
            old.append(HANDED_IN_AGAIN.format(student, lesson))
            continue
        for member in writer.files.groups.of(student, lesson):
            if writer.memory(member, lesson).get("submission") == submission:
                entered = enter(writer, (grade_id, lesson, lesson, member), points, comment.strip())
                rows.append((member, lesson, grade_id, *entered))
    return change.Changes(rows, old, COLUMNS)


def rows_in(file):
    """Read the file's rows as [([a text for each of TEXTS], points)]; raises Refused if it has none."""
    try:
        rows = json.loads(Path(file).read_text(encoding="utf-8"))["written_answers"]
        rows = [([row[name] for name in TEXTS], row["points"]) for row in rows]
    except (OSError, ValueError, KeyError, TypeError):
        raise Refused(NO_FILE.format(file)) from None
    if not all(isinstance(text, str) for texts, _ in rows for text in texts):
        raise Refused(NO_FILE.format(file))
    return rows


def check(writer, lesson, grade_id, student, points):
    by_hand = store.current(lesson).by_hand if lesson in store.lessons() else {}
    if grade_id not in by_hand:
        raise Refused(NO_ANSWER.format(grade_id, lesson))
    if (student, lesson) not in writer.recorded:
        raise Refused(UNKNOWN.format(student, lesson))
    if type(points) not in (int, float) or not 0 <= points <= by_hand[grade_id]:
        raise Refused(NO_POINTS.format(student, lesson, points, by_hand[grade_id]))


def enter(writer, place, points, comment):
    """Enter points as formgrader does, and recompute the late penalty, which may depend on the score. Returns
    the points and the comment as texts, each with an arrow if an earlier entry is replaced."""
    book = writer.gradebook
    try:
        grade, texts = book.find_grade(*place), book.find_comment(*place)
    except MissingEntry:  # the question is newer than this student's last grading
        raise Refused(UNKNOWN.format(place[-1], place[1])) from None
    before = grade.manual_score, texts.manual_comment
    grade.manual_score, grade.needs_manual_grade = float(points), False
    texts.manual_comment = comment or None
    book.db.flush()
    write_penalty(book.db, grade.notebook.assignment, grade.notebook, writer.late_plugin)
    old_points = "" if before[0] is None else number(before[0])
    return arrow(old_points, number(points)), arrow(before[1] or "", comment)


def arrow(old, new):
    return new if old in ("", new) else f"{old} -> {new or '(none)'}"
