"""Graded submissions as a table for a spreadsheet."""

import csv
import re

from .happened import happened, summary

MAYBE_FORMULA = re.compile(r"(?:^|[;|\t\r\n])\s*(?=[=+\-@])|^(?=[\t\r\n])")
COLUMNS = ("submission", "lesson", "status", "score", "max_score")


def write_csv(graded, path):
    """One row for each (path, GradedSubmission): scores, points of every exercise, what happened, notes."""
    names = list(dict.fromkeys(name for _, submission in graded for name in submission.exercises))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*COLUMNS, *names, "what_happened", "notes"])
        writer.writerows([safe(cell) for cell in row(*one, names)] for one in graded)


def row(name, graded, names):
    points = [graded.exercises[n].points if n in graded.exercises else None for n in names]
    said = [summary(happened(graded)), " ".join(dict.fromkeys([*graded.notes, *graded.waits]))]
    return [name, graded.lesson, graded.status, graded.score, graded.max_score, *points, *said]


def safe(value):
    """A text that a spreadsheet does not take for a formula, whatever it takes for a separator.

    File names and notes hold what students chose.
    """
    return MAYBE_FORMULA.sub(r"\g<0>'", value) if isinstance(value, str) else value
