"""Reports -> HTML pages and tables for spreadsheets.

All that students wrote is escaped; a page runs and loads nothing.
"""

from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from autograder.grading.feedback import environment
from autograder.tables import as_csv

from .collect import STATES
from .mistakes import tables_of
from .signs import STRONG

FOLDER = Path(__file__).parent
PAGES = environment(FOLDER)
PAGES.filters["percent"] = lambda share: f"{100 * share:.0f} %"
PAGES.filters["number"] = lambda n: "–" if n is None else f"{n:g}" if abs(n) >= 100 else f"{n:.3g}"
MOST_BARS = 10  # of mistakes
DETAILED = 15  # mistakes that are described; mistakes.csv holds all
CLASSES = "right", "mistake", "other", "error", "open"

EXERCISES = "lesson", "exercise", "max_points", "graded", "started"
EXERCISES += *STATES, "one_left", "share_right", "mean_points"
MISTAKES = "mistake", "sentence", "students", "came_back", "lesson", "exercise", "students_there", "who"
SIGNS = "kind", "lesson", "exercise", "students", "sentence", "who"


@dataclass
class Plot:
    """columns, rows: a table. classes: CSS classes; each row has a bar with a part for each of them, the
    numbers of the first columns. full: the number whose bar has the full width; by default the row's sum."""

    caption: str
    columns: list
    rows: list
    classes: tuple
    full: float | None = None


def page_of(report, lessons, with_names):
    """The page of a lesson, or of the course. lessons: the names of the lessons that have a page."""
    return PAGES.get_template("page.html").render(
        report=report,
        lessons=lessons,
        with_names=with_names,
        style=style(),
        overview=of_scores(report["scores"]) if report["lesson"] else of_lessons(report["lessons"]),
        of_exercises=of_exercises(report["exercises"]),
        of_mistakes=of_mistakes(report["mistakes"]),
        detailed=DETAILED,
        tables_of=tables_of,
        strong=STRONG,
    )


def style():
    return Markup((FOLDER / "style.css").read_text(encoding="utf-8"))


def of_scores(scores):
    rows = [[f"{n * 10} to {n * 10 + 10} %", number] for n, number in enumerate(scores["tenths"])]
    columns = ["share of the full marks", "submissions"]
    caption = "Scores: submissions by share of the full marks"
    return Plot(caption, columns, rows, ("count",), max(scores["tenths"]))


def of_exercises(exercises):
    rows = [[exercise["exercise"], *exercise["states"].values()] for exercise in exercises]
    return Plot("What became of each exercise", ["exercise", *STATES], rows, CLASSES)


def of_mistakes(mistakes):
    rows = [[row[key] for key in ("mistake", "students", "came_back")] for row in mistakes[:MOST_BARS]]
    first = f", the first {MOST_BARS}" if len(mistakes) > MOST_BARS else ""
    caption = f"The commonest mistakes: students who made them{first}"
    columns = ["mistake", "students", "in two or more exercises"]
    return Plot(caption, columns, rows, ("mistake",), max((row[1] for row in rows), default=1))


def of_lessons(lessons):
    rows = [
        [row["lesson"], row["finished"], row["handed_in"] - row["finished"], row["scores"]["mean"]]
        for row in lessons
    ]
    columns = ["lesson", "everything right", "handed in, not everything right", "mean score"]
    caption = "Lessons: students who handed in, and who have everything right"
    full = max((row["students"] for row in lessons), default=1)
    return Plot(caption, columns, rows, ("right", "count"), full)


# ---- tables


def tables(report):
    """{file name: text} of the course's tables."""
    mistakes = [
        mistake | where | {"students": mistake["students"], "students_there": where["students"]}
        for mistake in report["mistakes"]
        for where in mistake["exercises"]
    ]
    return {
        "exercises.csv": table(EXERCISES, [row | row["states"] for row in report["exercises"]]),
        "mistakes.csv": table(MISTAKES, mistakes),
        "to_look_at.csv": table(SIGNS, report["waiting"] + report["doubts"]),
    }


def table(columns, rows):
    return as_csv(columns, [[cell(row.get(column, "")) for column in columns] for row in rows])


def cell(value):
    return "; ".join(value) if isinstance(value, list) else value
