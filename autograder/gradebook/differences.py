"""Compares everybody's scores before and after a change that is not committed yet: old -> new."""

from autograder.releases import store
from autograder.tables import print_table

from .standing import scores_of
from .times import shown_time

COLUMNS = "student", "lesson", "handed in", "in time until", "late penalty", "score"
MOST = 50  # rows of a table
AND_MORE = "... and {} more"


def differences(gradebook, act):
    """Return rows of COLUMNS for the students whose score, penalty or times act() changes."""
    before = scores(gradebook)
    act()
    after = scores(gradebook)
    return [
        (place[1], place[0], *row(before.get(place), after[place]))
        for place in sorted(after)
        if before.get(place) != after[place]
    ]


def show_changes(columns, rows, sentences):
    """Print what a change would do: the first rows, and sentences below them."""
    if rows:
        print_table(columns, rows[:MOST])
    if len(rows) > MOST:
        print(AND_MORE.format(len(rows) - MOST))
    print("".join(f"\n{sentence}" for sentence in sentences))


def scores(gradebook):
    """Return {(lesson, student): Score}."""
    return {
        (lesson, student): score
        for lesson in store.lessons()
        for student, score in scores_of(gradebook, lesson).items()
    }


def row(*both):
    """Return the cells of two scores as texts, with an arrow where the scores differ."""
    return [" -> ".join(dict.fromkeys(pair)) for pair in zip(*map(cells, both), strict=True)]


def cells(score):
    if score is None:  # the submission is not in the gradebook yet
        return ("-",) * 4
    penalty, points = f"-{score.penalty:g}" if score.penalty else "0", round(score.final, 2)
    times = shown_time(score.timestamp), shown_time(score.duedate)
    return *times, penalty, f"{points:g} of {score.max_score:g}"
