"""Reports -> rows for spreadsheets, and for the tables behind the plots."""

import csv
import io

from autograder.report.spreadsheet import safe

from .entries import STATES
from .numbers import SHARES

EXERCISES = (
    "lesson", "exercise", "max_points", "graded", "started", *STATES, "one_left", "share_right",
    "mean_points", "discrimination",
)  # fmt: skip
MISTAKES = ("mistake", "sentence", "students", "came_back", "lesson", "exercise", "students_there", "who")
SIGNS = ("kind", "lesson", "exercise", "students", "sentence", "who")


def exercise_rows(report):
    for one in report["exercises"]:
        yield [(one | one["states"])[key] for key in EXERCISES] + [one["points"][share] for share in SHARES]


def mistake_rows(report):
    """A row for each mistake and exercise."""
    for one in report["mistakes"]:
        for where in one["exercises"]:
            there = [where["lesson"], where["exercise"], where["students"]]
            yield [one["mistake"], where["sentence"], one["students"], one["came_back"], *there, who(one)]


def sign_rows(report):
    """Doubts, flags and what waits for a person."""
    for kind, rows in (
        ("waiting", report["waiting"]),
        ("doubt", report["doubts"]),
        ("flag", report["flags"]),
    ):
        for row in rows:
            about = [row.get("lesson", ""), row.get("exercise", ""), row["students"], row["sentence"]]
            yield [row.get("kind", kind), *about, who(row)]


def who(row):
    return "; ".join(row.get("who", ()))


def files(report):
    """{name: text} of the course's tables."""
    shares = [f"points: {share}" for share in SHARES]
    return {
        "exercises.csv": as_csv([*EXERCISES, *shares], exercise_rows(report)),
        "mistakes.csv": as_csv(MISTAKES, mistake_rows(report)),
        "to_look_at.csv": as_csv(SIGNS, sign_rows(report)),
    }


def as_csv(columns, rows):
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(columns)
    table.writerows([safe(cell) for cell in row] for row in rows)
    return text.getvalue()
