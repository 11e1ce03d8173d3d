"""Graded submissions as a table for a spreadsheet."""

import csv
import re

MAYBE_FORMULA = re.compile(r"(?:^|[;|\t\r\n])\s*(?=[=+\-@])|^(?=[\t\r\n])")
FIXED = ("submission", "lesson", "status", "score", "max_score")


def write_csv(entries, path):
    """One row for each submission: scores, the points of every exercise, recognised mistakes, notes."""
    names = list(dict.fromkeys(name for entry in entries for name in entry["exercises"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*FIXED, *names, "mistakes", "notes"])
        writer.writerows(row(entry, names) for entry in entries)


def row(entry, names):
    points = [entry["exercises"].get(name, {}).get("points") for name in names]
    mistakes = [f"{name}: {e['mistake']}" for name, e in entry["exercises"].items() if e["mistake"]]
    told = ["; ".join(mistakes), " ".join(entry["notes"])]
    return [safe(value) for value in (*(entry[key] for key in FIXED), *points, *told)]


def safe(value):
    """A text that a spreadsheet does not take for a formula, whatever it takes for a separator: file names and notes hold what
    students chose."""
    return MAYBE_FORMULA.sub(r"\g<0>'", value) if isinstance(value, str) else value
