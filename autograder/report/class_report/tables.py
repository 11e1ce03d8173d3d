"""Reports -> tables for spreadsheets."""

from autograder.tables import as_csv

from .entries import STATES
from .numbers import SHARES

ABOUT = "lesson", "exercise", "max_points", "graded", "started"
REST = "one_left", "share_right", "mean_points"
MISTAKES = "mistake", "sentence", "students", "came_back", "lesson", "exercise", "students_there", "who"
SIGNS = "kind", "lesson", "exercise", "students", "sentence", "who"


def files(report):
    """{name: text} of the course's tables."""
    columns = [*ABOUT, *STATES, *REST, *(f"points: {share}" for share in SHARES)]
    return {
        "exercises.csv": as_csv(columns, map(exercise_row, report["exercises"])),
        "mistakes.csv": as_csv(MISTAKES, mistake_rows(report)),
        "to_look_at.csv": as_csv(SIGNS, sign_rows(report)),
    }


def exercise_row(report):
    row = report | report["states"]
    return [*(row[key] for key in (*ABOUT, *STATES, *REST)), *report["points"].values()]


def mistake_rows(report):
    """A row for each mistake and exercise."""
    for mistake in report["mistakes"]:
        for where in mistake["exercises"]:
            there = {"students_there": where["students"], "who": who(mistake)}
            row = mistake | where | {"students": mistake["students"]} | there
            yield [row[key] for key in MISTAKES]


def sign_rows(report):
    """Doubts, flags and what waits for a person."""
    for kind in ("waiting", "doubts", "flags"):
        for row in report[kind]:
            yield [(row | {"who": who(row)}).get(key, "") for key in SIGNS]


def who(row):
    return "; ".join(row.get("who", ()))
