"""`python -m autograder penalties`: computes late penalties again from the gradebook; nothing is run."""

from nbgrader.api import Assignment, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import or_

from autograder.gradebook.record import write_penalty
from autograder.gradebook.writer import Writer
from autograder.submission.files import shown

from . import change
from .extensions import FILE as EXTENSIONS
from .groups import FILE as GROUPS
from .times import said

COLUMNS = "student", "lesson", "handed in", "in time until", "penalty", "score"
DATES = Assignment.name, Assignment.duedate
UNKNOWN = "{} names {}, not known to the gradebook: look whether that is misspelt."
BEHIND = (
    "extensions.csv, or a due date, has changed since submissions were graded ({} of them): "
    "`.venv/bin/python -m autograder penalties` shows what follows."
)
NO_DUE_DATE = "{} has no due date, so extensions of it count for nothing yet."


def run(root, yes=False):
    return change.run(root, "penalties", recompute, yes)


def recompute(writer):
    """Enter extensions and penalties, without a commit -> Changes."""
    db, rows = writer.gradebook.db, []
    for submission, notebook in submissions(db):
        before = standing_of(submission, notebook)
        writer.term.extend(submission, take_away=True)
        write_penalty(db, submission, notebook, writer.late_plugin)
        after = standing_of(submission, notebook)
        if before != after:
            rows.append(row(submission, before, after))
    in_order = sorted(rows, key=lambda one: (one[1], one[0]))
    return change.Changes(COLUMNS, in_order, list(sentences(writer)))


def submissions(db):
    """(SubmittedAssignment, SubmittedNotebook) of each whose penalty may change."""
    pairs = db.query(SubmittedAssignment, SubmittedNotebook)
    pairs = pairs.join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
    pairs = pairs.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    dated, changed = Assignment.duedate.isnot(None), SubmittedAssignment.extension.isnot(None)
    return pairs.filter(or_(dated, changed, SubmittedNotebook.late_submission_penalty.isnot(None))).all()


def standing_of(submission, notebook):
    """(until when it is in time, what is taken off, what it scores without that)."""
    due, more = submission.assignment.duedate, submission.extension
    until = due + more if due and more else due
    return until, more, notebook.late_submission_penalty or 0.0, notebook.score or 0.0


def row(submission, before, after):
    (until, _, penalty, score), (until_now, _, penalty_now, score_now) = before, after
    dates, points = (said(until), said(until_now)), (off(penalty), off(penalty_now))
    left = f"{max(score - penalty, 0):g}", f"{max(score_now - penalty_now, 0):g}"
    texts = (" -> ".join(dict.fromkeys(pair)) for pair in (dates, points, left))
    return submission.student_id, submission.assignment.name, said(submission.timestamp), *texts


def off(penalty):
    return f"-{penalty:g}" if penalty else "0"


def sentences(writer):
    """What to know of the files besides."""
    known, lessons = writer.students(), dict(map(tuple, writer.gradebook.db.query(*DATES)))
    named = {EXTENSIONS: writer.term.granted, GROUPS: writer.term.groups.names}
    for file, places in named.items():
        strangers = sorted({student for student, _ in places} - known)
        if strangers:
            yield UNKNOWN.format(file, ", ".join(map(shown, strangers)))
    asked = {lesson for (_, lesson), one in writer.term.granted.items() if not one.excused}
    yield from (NO_DUE_DATE.format(lesson) for lesson in sorted(asked) if lessons.get(lesson) is None)


def hints(root):
    """[sentence] for after a grading: what the files say that is not in the gradebook."""
    with Writer(root) as writer:
        rows = writer.gradebook.db.query(
            SubmittedAssignment.student_id, *DATES, SubmittedAssignment.extension
        )
        rows = rows.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        there = ((writer.term.extension(student, lesson, due), more) for student, lesson, due, more in rows)
        behind = sum(wanted != more for wanted, more in there) if writer.term.has_file else 0
        return [*sentences(writer), *([BEHIND.format(behind)] if behind else [])]
