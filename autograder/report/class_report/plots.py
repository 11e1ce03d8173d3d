"""A report's numbers -> Plot: bars for the page's template, and the same numbers as a table."""

from dataclasses import dataclass

from .entries import STATES
from .numbers import SHARES

CLASSES = "right", "mistake", "other", "error", "open"
MOST_MISTAKES = 10


@dataclass
class Plot:
    """columns, rows: a table. classes: CSS classes; each row has a bar with a part for each of them, the
    numbers of the first columns. full: the number whose bar has the full width; by default the row's sum."""

    caption: str
    columns: list
    rows: list
    classes: tuple
    full: float | None = None

    @property
    def bars(self):
        """[(name, [(share of the width in percent, number, CSS class)])]"""
        return [(name, self.parts(numbers[: len(self.classes)])) for name, *numbers in self.rows]

    def parts(self, numbers):
        full = self.full or sum(numbers)
        return [(100 * n / full, n, kind) for n, kind in zip(numbers, self.classes, strict=True) if n]

    @property
    def legend(self):
        """[(CSS class, words)]"""
        return [*zip(self.classes, self.columns[1:], strict=False)] if len(self.classes) > 1 else []


def of_scores(scores):
    """How many submissions have how much of the full marks."""
    rows = [[f"{n * 10} to {n * 10 + 10} %", number] for n, number in enumerate(scores["tenths"])]
    columns = ["share of the full marks", "submissions"]
    caption = "Scores: submissions by share of the full marks"
    return Plot(caption, columns, rows, ("count",), max(scores["tenths"]))


def of_states(exercises):
    """What became of each exercise, from right to not started."""
    rows = [[exercise["exercise"], *exercise["states"].values()] for exercise in exercises]
    return Plot("What became of each exercise", ["exercise", *STATES], rows, CLASSES)


def of_points(exercises):
    """How many have which share of the points of each exercise."""
    rows = [[exercise["exercise"], *exercise["points"].values()] for exercise in exercises]
    classes = tuple(f"share{n}" for n in range(len(SHARES)))
    caption = "Points of each exercise: submissions by share of its points"
    return Plot(caption, ["exercise", *SHARES], rows, classes)


def of_mistakes(mistakes):
    """The commonest mistakes."""
    rows = [[row[key] for key in ("mistake", "students", "came_back")] for row in mistakes[:MOST_MISTAKES]]
    first = f", the first {MOST_MISTAKES}" if len(mistakes) > MOST_MISTAKES else ""
    caption = f"The commonest mistakes: students who made them{first}"
    columns = ["mistake", "students", "in two or more exercises"]
    return Plot(caption, columns, rows, ("mistake",), max(row[1] for row in rows))


def of_lessons(lessons):
    """Who handed each lesson of a course in, and who has all of it right."""
    rows = [
        [one["lesson"], one["finished"], one["handed_in"] - one["finished"], one["scores"]["mean"]]
        for one in lessons
    ]
    columns = ["lesson", "everything right", "handed in, not everything right", "mean score"]
    caption = "Lessons: students who handed in, and who have everything right"
    return Plot(
        caption, columns, rows, ("right", "count"), max((one["students"] for one in lessons), default=1)
    )
