"""`python -m autograder penalties`: computes late penalties again from the gradebook; nothing is run."""

from nbgrader.api import Assignment, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import or_

from autograder.gradebook.class_files import EXTENSIONS, GROUPS
from autograder.gradebook.record import write_penalty
from autograder.gradebook.times import shown_time
from autograder.gradebook.writer import Writer
from autograder.tables import first_of

from . import change

COLUMNS = "student", "lesson", "handed in", "in time until", "penalty", "score"
UNKNOWN = "{} names {}, which the gradebook does not know: is it misspelt?"
BEHIND = (
    "extensions.csv, or a due date, has changed since submissions were graded ({} of them): "
    "`.venv/bin/python -m autograder penalties` shows what follows."
)
NO_DUE_DATE = "{} has no due date, so its extensions have no effect yet."


def run(root, yes=False):
    return change.run(root, "penalties", recompute, yes)


def recompute(writer):
    """Enter extensions and penalties, without a commit -> Changes."""
    db, rows = writer.gradebook.db, []
    for submission, notebook in submissions(db):
        before = standing_of(submission, notebook)
        writer.files.extend(submission, take_away=True)
        write_penalty(db, submission, notebook, writer.late_plugin)
        after = standing_of(submission, notebook)
        if before != after:
            rows.append(row(submission, before, after))
    in_order = sorted(rows, key=lambda cells: (cells[1], cells[0]))
    return change.Changes(COLUMNS, in_order, list(sentences(writer)))


def submissions(db):
    """(SubmittedAssignment, SubmittedNotebook) of each whose penalty may change."""
    pairs = db.query(SubmittedAssignment, SubmittedNotebook)
    pairs = pairs.join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
    pairs = pairs.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    dated, changed = Assignment.duedate.isnot(None), SubmittedAssignment.extension.isnot(None)
    return pairs.filter(or_(dated, changed, SubmittedNotebook.late_submission_penalty.isnot(None))).all()


def standing_of(submission, notebook):
    """(until when it is in time, the extension, what is taken off, what it scores without that)."""
    due, more = submission.assignment.duedate, submission.extension
    until = due + more if due and more else due
    return until, more, notebook.late_submission_penalty or 0.0, notebook.score or 0.0


def row(submission, before, after):
    columns = zip(*(cells(*values) for values in (before, after)), strict=True)
    texts = (" -> ".join(dict.fromkeys(pair)) for pair in columns)
    return submission.student_id, submission.assignment.name, shown_time(submission.timestamp), *texts


def cells(until, _, penalty, score):
    return shown_time(until), f"-{penalty:g}" if penalty else "0", f"{max(score - penalty, 0):g}"


def sentences(writer):
    """What to know of the files besides."""
    students = writer.students()
    due = dict(map(tuple, writer.gradebook.db.query(Assignment.name, Assignment.duedate)))
    for file, places in ((EXTENSIONS, writer.files.extensions), (GROUPS, writer.files.groups.names)):
        strangers = sorted({student for student, _ in places} - students)
        if strangers:
            yield UNKNOWN.format(file, first_of(strangers))
    extended = {lesson for (_, lesson), line in writer.files.extensions.items() if not line.excused}
    yield from (NO_DUE_DATE.format(lesson) for lesson in sorted(extended) if due.get(lesson) is None)


def hints(root):
    """[sentence] for after a grading: what the files say that is not in the gradebook."""
    with Writer(root) as writer:
        rows = writer.gradebook.db.query(SubmittedAssignment).all() if writer.files.has_extensions else []
        places = ((row, row.student_id, row.assignment.name, row.assignment.duedate) for row in rows)
        behind = sum(writer.files.extension(*place) != row.extension for row, *place in places)
        return [*sentences(writer), *([BEHIND.format(behind)] if behind else [])]
