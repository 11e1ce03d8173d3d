"""Brings hand-in times, extensions and late penalties in the gradebook up to date with the course's files.

`python -m autograder penalties` does so without grading again.
"""

from functools import partial

from nbgrader.api import Assignment, SubmittedAssignment, SubmittedNotebook

from autograder.tables import first_of

from . import change
from .class_files import EXTENSIONS, GROUPS
from .course import assignments
from .record import write_penalty
from .submitted import find_all, read_folders
from .writer import Writer


def bring_up_to_date(writer):
    """Enter what was written into the course's files since the last grading; the caller commits."""
    enter_times(writer)
    enter_penalties(writer)


def enter_times(writer):
    """Enter the times in submitted/. A time counts for the file that it lies beside, if that was graded."""
    folders, _ = find_all(writer.root / writer.coursedir.submitted_directory)
    for files, why_not in read_folders(folders, writer.files.groups, writer.zone):
        for file in () if why_not else files:
            place = file.student, file.lesson
            is_new = file.time and place in writer.recorded and file.time != writer.recorded[place]
            if is_new and file.was_graded(writer.memory(*place), writer.page(file)):
                writer.gradebook.find_submission(*place[::-1]).timestamp = file.time


def enter_penalties(writer):
    """Enter all extensions and late penalties. Rows that have neither are skipped, because loading one of
    nbgrader's rows computes sums in the database."""
    db = writer.gradebook.db
    columns = SubmittedNotebook.id, SubmittedNotebook.late_submission_penalty, SubmittedAssignment.extension
    more = SubmittedAssignment.timestamp, Assignment.duedate, SubmittedAssignment.student_id, assignments.name
    rows = db.query(*columns, *more).select_from(SubmittedNotebook).join(SubmittedAssignment).join(Assignment)
    for number, penalty, extension, time, due, *place in rows.all():
        is_late = due and time and time > due
        if is_late or penalty or extension != writer.files.extension(*place, due):
            notebook = db.get(SubmittedNotebook, number)
            writer.files.extend(notebook.assignment, take_away=True)
            write_penalty(db, notebook.assignment, notebook, writer.late_plugin)


UNKNOWN = "{} names {}, which the gradebook does not know: is it misspelt?"
NO_DUE_DATE = "{} has no due date, so its extensions have no effect yet."


def run(root, yes=False):
    return change.run(root, "penalties", recompute, yes)


def recompute(writer):
    """Store hand-in times, extensions and penalties, without a commit; return the Changes."""
    rows = change.differences(writer.gradebook, partial(bring_up_to_date, writer))
    return change.Changes(rows, sentences(writer))


def sentences(writer):
    """Remarks on the course's files: students that the gradebook lacks, and extensions without a due date."""
    students, sentences = writer.students(), []
    due = dict(map(tuple, writer.gradebook.db.query(assignments.name, assignments.duedate)))
    for file, places in ((EXTENSIONS, writer.files.extensions), (GROUPS, writer.files.groups.names)):
        strangers = sorted({student for student, _ in places} - students)
        sentences += [UNKNOWN.format(file, first_of(strangers))] if strangers else []
    extended = {lesson for (_, lesson), line in writer.files.extensions.items() if not line.excused}
    return sentences + [NO_DUE_DATE.format(lesson) for lesson in sorted(extended) if due.get(lesson) is None]


def hints(root):
    """Sentences to print after grading, on what the course's files say and the gradebook does not have."""
    with Writer(root) as writer:
        return sentences(writer)
