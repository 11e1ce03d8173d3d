"""Previews a change to the gradebook's points, asks for confirmation, and applies it after a backup.

Everybody's scores are compared before and after the change, while it is not committed yet: old -> new.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.refused import Refused
from autograder.releases import store
from autograder.tables import print_table
from autograder.yes import agreed

from .class_table import write_class
from .course import advice, back_up
from .page import write_feedback_pages
from .standing import current_outcomes, existing_course, scores_of
from .times import shown_time
from .writer import Writer

COLUMNS = "student", "lesson", "handed in", "in time until", "late penalty", "score"
MOST = 50  # rows of a table
AND_MORE = "... and {} more"
NOTHING = "Nothing needs to change."
BACKUP_MADE = "The gradebook before the change is saved in {}."
UP_TO_DATE = "The gradebook, grades.csv and the pages in feedback_pages/ are up to date."


def differences(gradebook, act):
    """Return rows of COLUMNS for the students whose score, penalty or times act() changes."""
    before = scores(gradebook)
    act()
    after = scores(gradebook)
    return [
        (place[1], place[0], *row(before.get(place), after[place]))
        for place in sorted(after)
        if before.get(place) != after[place]
    ]


def scores(gradebook):
    """Return {(lesson, student): Score}."""
    return {
        (lesson, student): score
        for lesson in store.lessons()
        for student, score in scores_of(gradebook, lesson).items()
    }


def row(*both):
    """Return the cells of two scores as texts, with an arrow where the scores differ."""
    return [" -> ".join(dict.fromkeys(pair)) for pair in zip(*map(cells, both), strict=True)]


def cells(score):
    if score is None:  # the submission is not in the gradebook yet
        return ("-",) * 4
    penalty, points = f"-{score.penalty:g}" if score.penalty else "0", round(score.final, 2)
    times = shown_time(score.timestamp), shown_time(score.duedate)
    return *times, penalty, f"{points:g} of {score.max_score:g}"


@dataclass
class Changes:
    """columns, rows: a table of who is affected, and how. needed: is there a change even without rows?"""

    rows: list
    sentences: Sequence = ()
    columns: tuple = COLUMNS
    needed: bool = False


def confirmed(coursedir, why, changes, yes, question):
    """Show the Changes, and ask. After a yes, copy the gradebook as it is, and return True."""
    if changes.rows:
        print_table(changes.columns, changes.rows[:MOST])
    if len(changes.rows) > MOST:
        print(AND_MORE.format(len(changes.rows) - MOST))
    print("".join(f"\n{sentence}" for sentence in changes.sentences))
    if not (changes.rows or changes.needed):
        print(NOTHING)
        return False
    if advice(coursedir):
        print(advice(coursedir))
    if not agreed(yes, question):
        return False
    if copy := back_up(coursedir, why):
        print(BACKUP_MADE.format(copy.relative_to(coursedir.root)))
    return True


def run(root, why, make, yes, question="Change this?"):
    """Run make(writer) -> Changes, which changes the gradebook without a commit; return the exit code.

    The preview is rolled back. After a yes, make(writer) runs again and is committed.
    """
    try:
        existing_course(root)
        with Writer(root) as writer:
            changes = make(writer)
            writer.gradebook.db.rollback()  # undo the preview before the question and the copy
            if confirmed(writer.coursedir, why, changes, yes, question):
                make(writer)
                writer.gradebook.db.commit()
                outcomes = current_outcomes(writer.coursedir, writer.gradebook, writer.files)
                write_class(writer.root / "grades.csv", outcomes)
                write_feedback_pages(writer.root, outcomes)
                print(UP_TO_DATE)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0
