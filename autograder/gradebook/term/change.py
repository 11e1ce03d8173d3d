"""A change of the gradebook's points: what it does is shown first, and done with --yes, after a backup."""

import contextlib
import sys
from dataclasses import dataclass
from pathlib import Path

from autograder.gradebook.class_csv import write_csv
from autograder.gradebook.class_run import standing
from autograder.gradebook.database import Refused, exists, shown_url
from autograder.gradebook.writer import Writer
from autograder.report.class_report.collect import NO_GRADEBOOK
from autograder.report.printing import print_table

from .backup import advice, back_up

MOST = 50  # rows of a table
AND_MORE = "... and {} more"
NOTHING = "Nothing has to be changed."
NOT_YET = "Nothing is changed yet: run it again with --yes."
KEPT = "The gradebook as it was is kept in {}."
DONE = (
    "The gradebook and grades.csv are up to date. Feedback pages made before are not: "
    "`nbgrader generate_feedback LESSON --force` makes them anew."
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


def run(root, why, make, yes):
    """make(writer) changes what it has to, without a commit -> Changes.

    The exit code. Without `yes`, all of it is undone again after it was shown.
    """
    try:
        with opened(root) as writer:
            change(writer, why, make, yes)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


@contextlib.contextmanager
def opened(root):
    """The Writer of a course that has a gradebook; what was not committed at the end is undone."""
    writer = Writer(Path(root).resolve())
    if not exists(writer.coursedir.db_url):
        raise Refused(NO_GRADEBOOK.format(shown_url(writer.coursedir.db_url)))
    with writer:
        try:
            yield writer
        finally:
            writer.gradebook.db.rollback()


def change(writer, why, make, yes):
    changes = make(writer)
    show(changes)
    if not (changes.rows or changes.needed):
        print(NOTHING)
        return
    if advice(writer.coursedir):
        print(advice(writer.coursedir))
    if not yes:
        print(NOT_YET)
        return
    writer.gradebook.db.rollback()  # the backup is of what stood there before
    kept = back_up(writer.coursedir, why)
    make(writer)
    writer.gradebook.db.commit()
    if kept:
        print(KEPT.format(kept.relative_to(writer.root)))
    renew_table(writer)
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


def renew_table(writer):
    """Write grades.csv as the gradebook is now; nothing is graded for it."""
    write_csv(writer.root / "grades.csv", standing(writer))
