"""Loose graded submissions in the terminal."""

from .happened import happened, summary
from .labels import labels
from .printing import print_table

COLUMNS = ("submission", "lesson", "status", "score", "what to know")


def show_table(graded):
    """A row for each (submission's path, GradedSubmission), and the seed of their hidden cases."""
    names = labels([path for path, _ in graded])
    print_table(COLUMNS, [row(name, submission) for name, (_, submission) in zip(names, graded, strict=True)])
    seeds = {submission.seed for _, submission in graded if submission.seed}
    if seeds:
        print(
            f"\nseed         {', '.join(map(str, seeds))}   of the hidden cases; --seed draws the same again"
        )


def row(name, graded):
    score = "-" if graded.score is None else f"{round(graded.score, 2):g} of {graded.max_score:g}"
    know = summary(happened(graded)) or "; ".join(graded.notes[:1])
    return name, graded.lesson or "-", graded.status, score, know
