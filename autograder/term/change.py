"""Previews a change to the gradebook's points, asks for confirmation, and applies it after a backup."""

import sys
from dataclasses import dataclass

from autograder.gradebook.class_table import write_class
from autograder.gradebook.database import advice, back_up
from autograder.gradebook.differences import show_changes
from autograder.gradebook.feedback_pages import write_feedback_pages
from autograder.gradebook.standing import current_outcomes, existing_course
from autograder.gradebook.writer import Writer
from autograder.refused import Refused
from autograder.yes import agreed

NOTHING = "Nothing needs to change."
BACKUP_MADE = "The gradebook before the change is saved in {}."
UP_TO_DATE = "The gradebook, grades.csv and the pages in feedback_pages/ are up to date."


@dataclass
class Changes:
    """columns, rows: a table of who is affected, and how. needed: is there a change even without rows?"""

    columns: tuple
    rows: list
    sentences: list = ()
    needed: bool = False


def run(root, why, make, yes, question="Change this?"):
    """Run make(writer) -> Changes, which changes the gradebook without a commit; return the exit code.

    The preview is rolled back. After a yes, make(writer) runs again and is committed.
    """
    try:
        existing_course(root)
        with Writer(root) as writer:
            change(writer, why, make, yes, question)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


def change(writer, why, make, yes, question):
    changes = make(writer)
    show_changes(changes.columns, changes.rows, changes.sentences)
    writer.gradebook.db.rollback()  # undo the preview before the question and the backup
    if not (changes.rows or changes.needed):
        print(NOTHING)
        return
    if advice(writer.coursedir):
        print(advice(writer.coursedir))
    if not agreed(yes, question):
        return
    copy = back_up(writer.coursedir, why)
    make(writer)
    writer.gradebook.db.commit()
    if copy:
        print(BACKUP_MADE.format(copy.relative_to(writer.root)))
    outcomes = current_outcomes(writer.coursedir, writer.gradebook, writer.files)
    write_class(writer.root / "grades.csv", outcomes)
    write_feedback_pages(writer.root, outcomes)
    print(UP_TO_DATE)
