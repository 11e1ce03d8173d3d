"""`python -m autograder penalties`: computes late penalties again from the gradebook; nothing is run."""

from functools import partial

from nbgrader.api import Assignment, SubmittedAssignment, SubmittedNotebook

from autograder.gradebook.class_files import EXTENSIONS, GROUPS
from autograder.gradebook.record import write_penalty
from autograder.gradebook.writer import Writer
from autograder.tables import first_of

from . import change

UNKNOWN = "{} names {}, which the gradebook does not know: is it misspelt?"
BEHIND = (
    "extensions.csv, or a due date, has changed since submissions were graded ({} of them): "
    "`.venv/bin/python -m autograder penalties` shows the effect."
)
NO_DUE_DATE = "{} has no due date, so its extensions have no effect yet."


def run(root, yes=False):
    return change.run(root, "penalties", recompute, yes)


def recompute(writer):
    """Enter extensions and penalties, without a commit -> Changes."""
    rows = change.differences(writer, partial(enter_penalties, writer))
    return change.Changes(change.COLUMNS, rows, sentences(writer))


def enter_penalties(writer):
    db = writer.gradebook.db
    for notebook in db.query(SubmittedNotebook).all():
        writer.files.extend(notebook.assignment, take_away=True)
        write_penalty(db, notebook.assignment, notebook, writer.late_plugin)


def sentences(writer):
    """What to know of the files besides."""
    students, sentences = writer.students(), []
    due = dict(map(tuple, writer.gradebook.db.query(Assignment.name, Assignment.duedate)))
    for file, places in ((EXTENSIONS, writer.files.extensions), (GROUPS, writer.files.groups.names)):
        strangers = sorted({student for student, _ in places} - students)
        sentences += [UNKNOWN.format(file, first_of(strangers))] if strangers else []
    extended = {lesson for (_, lesson), line in writer.files.extensions.items() if not line.excused}
    return sentences + [NO_DUE_DATE.format(lesson) for lesson in sorted(extended) if due.get(lesson) is None]


def hints(root):
    """[sentence] for after a grading: what the files say that is not in the gradebook."""
    with Writer(root) as writer:
        rows = writer.gradebook.db.query(SubmittedAssignment).all() if writer.files.has_extensions else []
        places = ((row, row.student_id, row.assignment.name, row.assignment.duedate) for row in rows)
        behind = sum(writer.files.extension(*place) != row.extension for row, *place in places)
        return [*sentences(writer), *([BEHIND.format(behind)] if behind else [])]
