"""[Outcome] -> grades.csv: the gradebook's scores as they are now, for a spreadsheet or a platform."""

import csv
import os

from autograder.report.happened import summary
from autograder.report.spreadsheet import safe

from .class_table import has_score, status

# as nbgrader's export names them
COLUMNS = (
    "assignment", "student_id", "last_name", "first_name", "score", "max_score", "raw_score",
    "late_submission_penalty", "duedate", "timestamp", "status", "email", "lms_user_id", "seed",
)  # fmt: skip


def write_csv(path, outcomes):
    """In one piece: what was there before stays until the new file is complete."""
    outcomes = [outcome for outcome in outcomes if outcome.lesson]
    cells = dict.fromkeys(name for o in outcomes if o.score for name in o.score.cells)
    new = path.with_name(f".{path.name}.new")
    with open(new, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        exercises = [name.removeprefix("test_") for name in cells]
        table.writerow([*COLUMNS, "what_happened", "what_to_know", *exercises])
        table.writerows([safe(cell) for cell in row(outcome, cells)] for outcome in outcomes)
    os.replace(new, path)


def row(outcome, cells):
    """Who has no score has empty cells, whatever the reason."""
    score, about = outcome.score, outcome.about
    scored = has_score(outcome)
    points = [score.final, score.max_score, score.raw, score.penalty] if scored else ["", "", "", ""]
    dates = [score.duedate, score.timestamp] if score else ["", ""]
    said = [summary(outcome.memory.get("happened", {})), " ".join(outcome.notes)]
    each = [score.cells.get(name, "") if scored else "" for name in cells]
    names = [about.last_name, about.first_name]
    more = [status(outcome), about.email, about.lms_user_id, outcome.memory.get("seed", "") if scored else ""]
    return [outcome.lesson, outcome.student, *names, *points, *dates, *more, *said, *each]
