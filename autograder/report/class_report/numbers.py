"""Counts, distributions, difficulty and discrimination of exercises, from [Entry]."""

import math
from statistics import fmean, median

from .entries import OPEN, RIGHT, STATES

FEWEST = 20  # submissions; the correlation of fewer says next to nothing
BINS = 10  # of a lesson's scores
SHARES = ("none", "up to a quarter", "up to a half", "up to three quarters", "nearly all", "all")


def scores_of_class(entries):
    """The lesson's scores: how many, mean, median, and how many in each tenth of the full marks.

    Releases of a lesson may have different full marks: each score is a share of its own.
    """
    scored = [e for e in entries if e.score is not None and e.max_score]
    shares = [min(e.score / e.max_score, 1.0) for e in scored]
    counts = [0] * BINS
    for share in shares:
        counts[min(int(share * BINS + 1e-9), BINS - 1)] += 1
    return {
        "submissions": len(scored),
        "full_marks": max((e.max_score for e in scored), default=None),
        "least_full_marks": min((e.max_score for e in scored), default=None),
        "mean": rounded(fmean(e.score for e in scored)) if scored else None,
        "median": rounded(median(e.score for e in scored)) if scored else None,
        "tenths": counts,
    }


def exercises_of(entries):
    """A dict for each exercise of a lesson, in the lesson's order; its keys are the columns of the table."""
    names = dict.fromkeys(name for entry in entries for name in entry.tries)
    return [exercise_of(name, [entry for entry in entries if name in entry.tries]) for name in names]


def exercise_of(name, entries):
    tries = [entry.tries[name] for entry in entries]
    states = {state: sum(one.state == state for one in tries) for state in STATES}
    r = discrimination(name, entries)
    return {
        "lesson": entries[0].lesson,
        "exercise": name,
        "max_points": max(one.max_points for one in tries),
        "graded": len(tries),
        "started": len(tries) - states[OPEN],
        "states": states,
        "one_left": sum(one.one_left for one in tries),
        "share_right": rounded(states[RIGHT] / len(tries)),
        "mean_points": rounded(fmean(one.points for one in tries)),
        "points": distribution(tries),
        "discrimination": r if r is None else rounded(r),
        "difficulty_says": difficulty_says(states[RIGHT] / len(tries)),
        "discrimination_says": discrimination_says(r, states[RIGHT], entries),
    }


def distribution(tries):
    """How many have which share of the points, in the words of SHARES."""
    counts = dict.fromkeys(SHARES, 0)
    for one in tries:
        share = one.points / one.max_points if one.max_points else 0.0
        place = 0 if share <= 0 else 5 if share >= 1 - 1e-9 else min(1 + int(share * 4 - 1e-9), 4)
        counts[SHARES[place]] += 1
    return counts


def rest_of(entry, name):
    """The points of the lesson's other exercises; written answers, which people grade later, do not count."""
    return sum(one.points for other, one in entry.tries.items() if other != name)


def discrimination(name, entries):
    """The point-biserial correlation of "is right" with the rest of the score; None where there is none."""
    right = [float(entry.tries[name].state == RIGHT) for entry in entries]
    rest = [rest_of(entry, name) for entry in entries]
    return correlation(right, rest) if len(entries) >= FEWEST else None


def correlation(x, y):
    """Pearson's; of a list of 0 and 1 with numbers it is the point-biserial one. None without any spread."""
    mean_x, mean_y = fmean(x), fmean(y)
    dx, dy = [a - mean_x for a in x], [b - mean_y for b in y]
    spread = math.sqrt(sum(a * a for a in dx) * sum(b * b for b in dy))
    return sum(a * b for a, b in zip(dx, dy, strict=True)) / spread if spread > 1e-12 else None


def difficulty_says(share):
    words = (
        (0.0, "Nobody has it right."),
        (0.3, "Hard: few have it right."),
        (0.7, "About half have it right."),
        (0.999, "Easy: most have it right."),
    )
    return next((text for most, text in words if share <= most), "All have it right.")


def discrimination_says(r, right, entries):
    if len(entries) < FEWEST:
        return f"No correlation: fewer than {FEWEST} submissions say too little."
    if r is None:
        if right in (0, len(entries)):
            return "No correlation: all have the same result here."
        return "No correlation: the rest of the lesson gives all the same points, or there is no rest."
    if r < 0:
        return "Students who have it right have fewer points in the rest: look whether it is graded well."
    if r < 0.2:
        return "Students who have it right have hardly more points in the rest: it tells little of them."
    if r < 0.4:
        return "Students who have it right have somewhat more points in the rest."
    return "Students who have it right have clearly more points in the rest: it tells much of them."


def rounded(number):
    return round(number, 4)
