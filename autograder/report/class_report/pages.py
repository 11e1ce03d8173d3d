"""`python -m autograder report`: writes pages, JSON and tables on a class into the course's folder.

Everything that students wrote is escaped; a page runs no script and loads nothing.
"""

import json
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from autograder.grading.feedback import environment
from autograder.tables import as_csv, replace_file

from .collect import STATES, collect
from .mistakes import tables_of
from .reports import STRONG, report_on

# two folders, so that sharing the first one never shares names by accident
FOLDER, FOLDER_WITH_NAMES = "report", "report_with_names"
HERE = Path(__file__).parent
PAGES = environment(HERE)
PAGES.filters["percent"] = lambda share: f"{100 * share:.0f} %"
PAGES.filters["number"] = lambda n: "–" if n is None else f"{n:g}" if abs(n) >= 100 else f"{n:.3g}"
STYLE = Markup((HERE / "style.css").read_text(encoding="utf-8"))
MOST_BARS = 10  # in the plot of mistakes
DETAILED = 15  # mistakes with a description on the page; mistakes.csv lists all
COLUMNS = {
    "exercises": [
        *("lesson", "exercise", "max_points", "graded", "started"),
        *(*STATES, "one_left", "share_right", "mean_points"),
    ],
    "mistakes": [
        "mistake",
        "sentence",
        "students",
        "came_back",
        "lesson",
        "exercise",
        "students_there",
        "who",
    ],
    "to_look_at": ["kind", "lesson", "exercise", "students", "sentence", "who"],
}


class Plot(NamedTuple):
    """A table with a bar in each row. classes: the CSS classes of a bar's parts, whose lengths are the row's
    first numbers. full: the number that fills the whole width; by default the sum of the row's parts."""

    caption: str
    columns: list
    rows: list
    classes: tuple
    full: float | None = None


def run(root, with_names=False):
    """Write the pages, and print where they are."""
    whole, lessons = report_on(collect(root), with_names)
    folder = Path(root) / (FOLDER_WITH_NAMES if with_names else FOLDER)
    write(whole, lessons, folder, with_names)
    print(
        f"report       {folder / 'index.html'}   submissions: {whole['handed_in']}, lessons: {len(lessons)}"
    )
    print("             next to it: a page for each lesson, the same data as JSON, and tables as CSV")


def write(whole, lessons, folder, with_names):
    """Write all files of a report."""
    texts = {f"{name}.csv": as_csv(COLUMNS[name], rows) for name, rows in tables(whole).items()}
    for name, report in {"course": whole, **lessons}.items():
        page = "index.html" if report is whole else f"{name}.html"
        texts[page] = page_of(report, list(lessons), with_names)
        texts[f"{name}.json"] = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    for name, text in texts.items():
        replace_file(folder / name, text)


def page_of(report, lessons, with_names):
    """The page of a lesson, or of the course. lessons: the lessons that have a page."""
    return PAGES.get_template("page.html").render(
        report=report,
        lessons=lessons,
        with_names=with_names,
        style=STYLE,
        overview=plot_scores(report["scores"]) if report["lesson"] else plot_lessons(report["lessons"]),
        exercise_plot=plot_exercises(report["exercises"]),
        mistake_plot=plot_mistakes(report["mistakes"]),
        detailed=DETAILED,
        tables_of=tables_of,
        strong=STRONG,
    )


def plot_scores(scores):
    rows = [[f"{n * 10} to {n * 10 + 10} %", number] for n, number in enumerate(scores["tenths"])]
    columns = ["share of the full marks", "submissions"]
    caption = "Scores: submissions by share of the full marks"
    return Plot(caption, columns, rows, ("count",), max(scores["tenths"]))


def plot_exercises(exercises):
    rows = [[exercise["exercise"], *exercise["states"].values()] for exercise in exercises]
    classes = "right", "mistake", "other", "error", "open"
    return Plot("What became of each exercise", ["exercise", *STATES], rows, classes)


def plot_mistakes(mistakes):
    rows = [[row[key] for key in ("mistake", "students", "came_back")] for row in mistakes[:MOST_BARS]]
    first = f", the first {MOST_BARS}" if len(mistakes) > MOST_BARS else ""
    caption = f"The commonest mistakes: students who made them{first}"
    columns = ["mistake", "students", "in two or more exercises"]
    return Plot(caption, columns, rows, ("mistake",), max((row[1] for row in rows), default=1))


def plot_lessons(lessons):
    rows = [
        [row["lesson"], row["finished"], row["handed_in"] - row["finished"], row["scores"]["mean"]]
        for row in lessons
    ]
    columns = ["lesson", "everything right", "handed in, not everything right", "mean score"]
    caption = "Lessons: students who handed in, and who have everything right"
    full = max((row["students"] for row in lessons), default=1)
    return Plot(caption, columns, rows, ("right", "count"), full)


def tables(whole):
    """{name: rows} of the course's CSV tables, with a cell for each of COLUMNS."""
    mistakes = [
        row | place | {"students": row["students"], "students_there": place["students"]}
        for row in whole["mistakes"]
        for place in row["exercises"]
    ]
    rows = {
        "exercises": [row | row["states"] for row in whole["exercises"]],
        "mistakes": mistakes,
        "to_look_at": whole["waiting"] + whole["doubts"],
    }
    return {name: [[cell(row.get(c, "")) for c in COLUMNS[name]] for row in rows[name]] for name in rows}


def cell(value):
    return "; ".join(value) if isinstance(value, list) else value
