"""A change of the gradebook's points: what it does is shown, then asked, then done, after a backup."""

import contextlib
import sys
from dataclasses import dataclass

from autograder.gradebook.class_table import write_class
from autograder.gradebook.database import advice, back_up
from autograder.gradebook.standing import existing_course, standing
from autograder.gradebook.writer import Writer
from autograder.refused import Refused
from autograder.tables import print_table
from autograder.yes import agreed

MOST = 50  # rows of a table
AND_MORE = "... and {} more"
NOTHING = "Nothing needs to change."
KEPT = "The gradebook as it was is kept in {}."
DONE = (
    "The gradebook and grades.csv are up to date. Feedback pages made before are not: `nbgrader "
    "generate_feedback LESSON --force` makes them again."
)


@dataclass
class Changes:
    """columns, rows: who is affected, and how. parts: what of a lesson, a table above that. needed: is there
    something to do, although nobody is affected?"""

    columns: tuple
    rows: list
    sentences: list = ()
    part_columns: tuple = ()
    parts: list = ()
    needed: bool = False


def run(root, why, make, yes, question="Change this?"):
    """make(writer) changes what it has to, without a commit -> Changes.

    The exit code. Without a yes, all of it is undone again after it was shown.
    """
    try:
        existing_course(root)
        with Writer(root) as writer, undone(writer.gradebook.db):
            change(writer, why, make, yes, question)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


@contextlib.contextmanager
def undone(db):
    """What was not committed at the end is undone."""
    try:
        yield
    finally:
        db.rollback()


def change(writer, why, make, yes, question):
    changes = make(writer)
    show(changes)
    if not (changes.rows or changes.needed):
        print(NOTHING)
        return
    if advice(writer.coursedir):
        print(advice(writer.coursedir))
    writer.gradebook.db.rollback()  # while it asks, and for the backup, what stood there before
    if not agreed(yes, question):
        return
    copy = back_up(writer.coursedir, why)
    make(writer)
    writer.gradebook.db.commit()
    if copy:
        print(KEPT.format(copy.relative_to(writer.root)))
    write_class(writer.root / "grades.csv", standing(writer.coursedir, writer.gradebook, writer.files))
    print(DONE)


def show(changes):
    if changes.parts:
        print_table(changes.part_columns, changes.parts)
        print()
    if changes.rows:
        print_table(changes.columns, changes.rows[:MOST])
    if len(changes.rows) > MOST:
        print(AND_MORE.format(len(changes.rows) - MOST))
    print("".join(f"\n{sentence}" for sentence in changes.sentences))
