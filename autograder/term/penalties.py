"""`python -m autograder penalties`: recomputes late penalties from the gradebook, without grading again."""

from functools import partial

from nbgrader.api import Assignment

from autograder.gradebook.class_files import EXTENSIONS, GROUPS
from autograder.gradebook.differences import COLUMNS, differences
from autograder.gradebook.penalties import bring_up_to_date
from autograder.gradebook.writer import Writer
from autograder.tables import first_of

from . import change

UNKNOWN = "{} names {}, which the gradebook does not know: is it misspelt?"
NO_DUE_DATE = "{} has no due date, so its extensions have no effect yet."


def run(root, yes=False):
    return change.run(root, "penalties", recompute, yes)


def recompute(writer):
    """Store hand-in times, extensions and penalties, without a commit; return the Changes."""
    rows = differences(writer.gradebook, partial(bring_up_to_date, writer))
    return change.Changes(COLUMNS, rows, sentences(writer))


def sentences(writer):
    """Remarks on the course's files: students that the gradebook lacks, and extensions without a due date."""
    students, sentences = writer.students(), []
    due = dict(map(tuple, writer.gradebook.db.query(Assignment.name, Assignment.duedate)))
    for file, places in ((EXTENSIONS, writer.files.extensions), (GROUPS, writer.files.groups.names)):
        strangers = sorted({student for student, _ in places} - students)
        sentences += [UNKNOWN.format(file, first_of(strangers))] if strangers else []
    extended = {lesson for (_, lesson), line in writer.files.extensions.items() if not line.excused}
    return sentences + [NO_DUE_DATE.format(lesson) for lesson in sorted(extended) if due.get(lesson) is None]


def hints(root):
    """Sentences to print after grading, on what the course's files say and the gradebook does not have."""
    with Writer(root) as writer:
        return sentences(writer)
