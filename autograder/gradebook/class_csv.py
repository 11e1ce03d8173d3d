"""[Outcome] -> grades.csv: the gradebook's scores as they are now, for a spreadsheet or a platform."""

import csv
import os

from autograder.report.happened import summary
from autograder.report.spreadsheet import safe

from .class_table import has_score, status

# as nbgrader's export names them
COLUMNS = (
    "assignment", "student_id", "last_name", "first_name", "score", "max_score", "raw_score",
    "late_submission_penalty", "duedate", "timestamp", "status",
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
    score = outcome.score
    scored = has_score(outcome)
    about = [score.last_name, score.first_name] if score else ["", ""]
    points = [score.final, score.max_score, score.raw, score.penalty] if scored else ["", "", "", ""]
    dates = [score.duedate, score.timestamp] if score else ["", ""]
    said = [summary(outcome.memory.get("happened", {})), " ".join(outcome.notes)]
    each = [score.cells.get(name, "") if scored else "" for name in cells]
    return [outcome.lesson, outcome.student, *about, *points, *dates, status(outcome), *said, *each]
