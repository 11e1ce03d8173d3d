"""grades.csv: the gradebook's scores as they are now, for a spreadsheet or a learning platform."""

import csv
import os

from autograder.report.spreadsheet import safe

from .show_class import about, status

COLUMNS = (
    "assignment", "student_id", "last_name", "first_name", "score", "max_score", "raw_score", "late_submission_penalty",
    "duedate", "timestamp", "status", "what_to_know",
)  # fmt: skip


def write_csv(path, outcomes):
    """In one piece: what was there before stays until the new one is complete. Columns as nbgrader's export names them."""
    new = path.with_name(f".{path.name}.new")
    with open(new, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        table.writerows([safe(cell) for cell in row(outcome)] for outcome in outcomes if outcome.lesson)
    os.replace(new, path)


def row(outcome):
    score = outcome.score or {}
    raw, penalty = score.get("score", ""), score.get("penalty", "")
    final = max(0.0, raw - penalty) if score and status(outcome) != "rejected" else ""
    names = [score.get("last_name"), score.get("first_name")]
    dates = [score.get("duedate"), score.get("timestamp")]
    return [
        outcome.lesson,
        outcome.student,
        *names,
        final,
        score.get("max_score", ""),
        raw,
        penalty,
        *dates,
        status(outcome),
        about(outcome),
    ]
