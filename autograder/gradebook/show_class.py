"""What an instructor reads in the terminal: the table, and what waits for a person."""

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from autograder.report.printing import print_table

SET_BY_HAND = "A score was set by hand before this grading: look whether it still holds."


def progress():
    """A bar with an estimate, on the side where it does not get into a pipe."""
    columns = (
        TextColumn("Grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def show_class(outcomes):
    rows = [(o.student, o.lesson or "-", status(o), points(o), about(o)) for o in outcomes]
    print_table(("student", "lesson", "status", "score", "what to know"), rows)
    waiting = [(o, why) for o in outcomes for why in for_a_person(o)]
    if waiting:
        print(f"\n{len(waiting)} {'things wait' if len(waiting) > 1 else 'thing waits'} for a person:")
        grid = Table.grid(padding=(0, 2))
        for outcome, why in waiting:
            grid.add_row(Text("/".join(filter(None, (outcome.student, outcome.lesson)))), Text(why))
        Console().print(grid)


def status(outcome):
    if outcome.state == "left":
        return "not graded"
    if outcome.about["status"] == "rejected":
        return "rejected" if outcome.score["needs_manual_grade"] else "graded by a person"
    return "needs a person" if outcome.score["needs_manual_grade"] else "graded"


def points(outcome):
    """As the gradebook has them, late penalty taken off."""
    if outcome.state == "left" or status(outcome) == "rejected":
        return "-"
    score = outcome.score
    late = f" (late: -{score['penalty']:g})" if score["penalty"] else ""
    return f"{round(max(0.0, score['score'] - score['penalty']), 2):g} of {score['max_score']:g}{late}"


def about(outcome):
    """The recognised mistakes, else the first thing to know."""
    said = outcome.about.get("exercises", {})
    named = [f"{name}: {one['mistake']}" for name, one in said.items() if one["mistake"]]
    return "; ".join(named) or "; ".join(outcome.notes[:1])


def for_a_person(outcome):
    """[sentence] on what somebody has to look at."""
    if outcome.state == "left":
        return outcome.notes
    waits = outcome.about["waits"] or [SET_BY_HAND]
    return outcome.about["for_a_person"] + (waits if outcome.score["needs_manual_grade"] else [])
