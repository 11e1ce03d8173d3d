"""A report's numbers -> Plot: bars for the page's template, and the same numbers as a table."""

from dataclasses import dataclass

from .entries import STATES
from .numbers import SHARES

CLASSES = "right", "mistake", "other", "error", "open"
MOST_MISTAKES = 10


@dataclass
class Plot:
    """bars: [(name, [(share of the width in percent, number, CSS class)])]. legend: [(CSS class, words)].
    columns, rows: the same numbers as a table."""

    caption: str
    bars: list
    columns: list
    rows: list
    legend: list = ()


def of_scores(scores):
    """How many submissions have how much of the full marks."""
    rows = [[f"{n * 10} to {n * 10 + 10} %", number] for n, number in enumerate(scores["tenths"])]
    caption = "Scores: submissions by share of the full marks"
    return Plot(caption, single_bars(rows), ["share of the full marks", "submissions"], rows)


def of_states(exercises):
    """What became of each exercise, from right to not started."""
    counts = {exercise["exercise"]: list(exercise["states"].values()) for exercise in exercises}
    return stacked("What became of each exercise", counts, STATES, CLASSES)


def of_points(exercises):
    """How many have which share of the points of each exercise."""
    counts = {exercise["exercise"]: list(exercise["points"].values()) for exercise in exercises}
    classes = [f"share{n}" for n in range(len(SHARES))]
    return stacked("Points of each exercise: submissions by share of its points", counts, SHARES, classes)


def of_mistakes(mistakes):
    """The commonest mistakes."""
    rows = [
        [mistake["mistake"], mistake["students"], mistake["came_back"]]
        for mistake in mistakes[:MOST_MISTAKES]
    ]
    first = f", the first {MOST_MISTAKES}" if len(mistakes) > MOST_MISTAKES else ""
    caption = f"The commonest mistakes: students who made them{first}"
    columns = ["mistake", "students", "in two or more exercises"]
    return Plot(caption, single_bars(rows, "mistake"), columns, rows)


def of_lessons(lessons):
    """Who handed each lesson of a course in, and who has all of it right."""
    rows = [
        [lesson["lesson"], lesson["handed_in"], lesson["finished"], lesson["scores"]["mean"]]
        for lesson in lessons
    ]
    most = max((lesson["students"] for lesson in lessons), default=1)
    bars = []
    for this_lesson in lessons:
        rest = this_lesson["handed_in"] - this_lesson["finished"]
        parts = (this_lesson["finished"], "right"), (rest, "count")
        bars.append((this_lesson["lesson"], [(100 * n / most, n, kind) for n, kind in parts if n]))
    legend = [("right", "everything right"), ("count", "handed in, not everything right")]
    caption = "Lessons: students who handed in, and who have everything right"
    columns = ["lesson", "handed in", "everything right", "mean score"]
    return Plot(caption, bars, columns, rows, legend)


def single_bars(rows, kind="count"):
    """A bar for the first number of each row."""
    longest = max((row[1] for row in rows), default=0) or 1
    return [(name, [(100 * number / longest, number, kind)] if number else []) for name, number, *_ in rows]


def stacked(caption, counts, words, classes):
    """A bar of the full width for each exercise. counts: {exercise: [a number for each of the words]}"""
    bars = [
        (name, [(100 * n / sum(numbers), n, kind) for n, kind in zip(numbers, classes, strict=True) if n])
        for name, numbers in counts.items()
    ]
    rows = [[name, *numbers] for name, numbers in counts.items()]
    return Plot(caption, bars, ["exercise", *words], rows, list(zip(classes, words, strict=True)))
