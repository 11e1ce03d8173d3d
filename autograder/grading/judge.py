"""Trusted: observations of hidden cases -> points and sentences. Never runs a student's code, never fails
for what it is shown."""

import math
from dataclasses import replace

from course_utils.compare.verdict import compare, score
from course_utils.diagnose.assess import NOT_STARTED, assess, not_started
from course_utils.model.case import error_of
from course_utils.model.result import Result
from course_utils.source import ONE_THREAD

from .answer_key import answer_key


def judge(exercise, seed, seen):
    """The Result for what was observed of the seed's cases: a list of Observations, None (not defined), or
    a sentence (lost). One thread at a time: the reference is run with stdout turned away, which is one for
    the whole process."""
    with ONE_THREAD:
        if seen is None:
            text = f"{exercise.name} is not defined: write it under this name."
            return nothing(exercise, "not_started", text)
        if isinstance(seen, str):
            return lost(exercise, seen)
        if not_started(seen):
            return nothing(exercise, "not_started", NOT_STARTED)
        key = answer_key(exercise, seed)
        if len(seen) != len(key.sheet.cases):
            return lost(exercise, "not every case came back")
        return judged(exercise, key, seen)


def judged(exercise, key, seen):
    """Compared once: the points and the diagnosis are both made from the verdicts. The known mistakes are
    only worked out when something is wrong."""
    sheet, points = key.sheet, 0.0
    try:
        rows = zip(sheet.cases, sheet.wanted, seen, strict=True)
        verdicts = compare(sheet, [as_asked(*row, exercise.contract.narrow) for row in rows])
        points = sound(score(sheet, verdicts), exercise)
        result = assess(key.with_suspects(verdicts), verdicts)
    except Exception:  # a diagnosis that stumbles over an odd result: one submission never stops the next
        text = f"{exercise.name} returns something so odd that no diagnosis fits."
        result = nothing(exercise, "wrong", text)
    result.points = points
    return result


def as_asked(case, wanted, seen, dtypes):
    """An observation, with what was asked for alone. The worker is not told which calls must raise: an
    error is a result where one is wanted, and the end of all results where none is. A call that gives a
    result has raised nothing, whatever is said of it."""
    must = [error_of(number) for number, call in enumerate(case.calls) if call.raises]
    seen = replace(seen, narrow={name: seen.narrow[name] for name in dtypes if name in seen.narrow})
    for fact, raised in seen.errors.items():
        if fact not in must:
            return replace(seen, values={}, raised=raised)
    came_back = {fact.call for fact in seen.values if fact not in wanted.values}
    silent = [fact for fact in must if fact.call in came_back]
    values = {}
    if seen.values:
        values = dict.fromkeys(must, "no error") | seen.values | dict.fromkeys(silent, "no error")
    return replace(seen, values={fact: v for fact, v in values.items() if fact in wanted.values})


def sound(points, exercise):
    """Finite, and between nothing and all."""
    return float(points) if math.isfinite(points) and 0 <= points <= exercise.points else 0.0


def lost(exercise, why):
    result = nothing(exercise, "error", f"{exercise.name} could not be looked at: {why}.")
    result.ended = why
    return result


def nothing(exercise, status, message):
    return Result(exercise.name, False, message, None, 0.0, exercise.points, status)
