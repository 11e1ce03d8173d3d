"""Counts and distributions of scores and exercises, from [Entry]."""

from statistics import fmean, median

from .collect import OPEN, RIGHT, STATES, group, tries_in

BINS = 10  # of a lesson's scores


def scores_of_class(entries):
    """The lesson's scores: how many, mean, median, and how many in each tenth of the full marks.

    Releases of a lesson may have different full marks: each score is a share of its own.
    """
    scored = [e for e in entries if e.score is not None and e.max_score]
    counts = [0] * BINS
    for entry in scored:
        counts[min(int(entry.score / entry.max_score * BINS + 1e-9), BINS - 1)] += 1
    return {
        "submissions": len(scored),
        "full_marks": max((e.max_score for e in scored), default=None),
        "least_full_marks": min((e.max_score for e in scored), default=None),
        "mean": round(fmean(e.score for e in scored), 4) if scored else None,
        "median": round(median(e.score for e in scored), 4) if scored else None,
        "tenths": counts,
    }


def exercises_of(entries):
    """A dict for each exercise of a lesson, in the lesson's order; its keys are the columns of the table."""
    groups = group(((entry.lesson, name), attempt) for entry, name, attempt in tries_in(entries))
    return [exercise_of(*place, tries) for place, tries in groups.items()]


def exercise_of(lesson, name, tries):
    states = {state: sum(attempt.state == state for attempt in tries) for state in STATES}
    return {
        "lesson": lesson,
        "exercise": name,
        "max_points": max(attempt.max_points for attempt in tries),
        "graded": len(tries),
        "started": len(tries) - states[OPEN],
        "states": states,
        "one_left": sum(attempt.one_left for attempt in tries),
        "share_right": round(states[RIGHT] / len(tries), 4),
        "mean_points": round(fmean(attempt.points for attempt in tries), 4),
    }
