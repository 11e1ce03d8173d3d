"""Trusted: observations of hidden cases -> points and sentences. Never runs a student's code, never fails for what it is shown."""

import math
from dataclasses import replace

from autograder.submission.as_python import ONE_AT_A_TIME
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess, not_started, score
from course_utils.model.case import error_of
from course_utils.model.result import Result
from course_utils.model.sheet import Sheet

from .answer_key import hidden


def judge(exercise, seed, seen):
    """The Result for what was observed of the seed's cases: a list of Observations, None (not defined), or a sentence
    (lost). The known mistakes are only worked out when something is wrong. One thread at a time: the reference is run
    with stdout turned away, which is one for the whole process."""
    with ONE_AT_A_TIME:
        return judged(exercise, seed, seen)


def judged(exercise, seed, seen):
    if seen is None:
        return nothing(exercise, "not_started", f"{exercise.name} is not defined: write it under this name.")
    if isinstance(seen, str):
        return nothing(exercise, "wrong", f"{exercise.name} could not be looked at: {seen}.")
    if not_started(seen):
        return assess(Sheet(exercise.contract, exercise.points, [], []), seen)
    known = hidden(exercise, seed)
    sheet = known.sheet
    if len(seen) != len(sheet.cases):
        return nothing(
            exercise, "wrong", f"{exercise.name} could not be looked at: not every case came back."
        )
    try:
        seen = [
            as_asked(*one, exercise.contract.narrow)
            for one in zip(sheet.cases, sheet.wanted, seen, strict=True)
        ]
        found = verdicts(sheet, seen)
        wrong = any(verdict.wrong for verdict in found)
        result = assess(known.sheet_for(seen, found) if wrong else sheet, seen)
    except Exception:  # a diagnosis that stumbles over an odd result: one submission never stops the next
        result = nothing(
            exercise, "wrong", f"{exercise.name} returns something so odd that no diagnosis fits."
        )
        result.points = points_alone(sheet, seen)
    return with_sound_points(result, exercise)


def as_asked(case, wanted, seen, dtypes):
    """An observation, with what was asked for alone. Nobody there was told which calls must raise: an error is a result where one
    is wanted, and the end of all results where none is. A call that gives a result has raised nothing, whatever is said of it."""
    must = [error_of(number) for number, call in enumerate(case.calls) if call.raises]
    seen = replace(seen, narrow={name: seen.narrow[name] for name in dtypes if name in seen.narrow})
    wrong = next((error for fact, error in seen.errors.items() if fact not in must), None)
    if wrong is not None:
        return replace(seen, values={}, raised=wrong)
    came_back = {fact.call for fact in seen.values if fact not in wanted["values"]}
    silent = [fact for fact in must if fact.call in came_back]
    values = (
        dict.fromkeys(must, "no error") | seen.values | dict.fromkeys(silent, "no error")
        if seen.values
        else {}
    )
    return replace(seen, values={fact: v for fact, v in values.items() if fact in wanted["values"]})


def points_alone(sheet, seen):
    try:
        return score(sheet, verdicts(sheet, seen))
    except Exception:
        return 0.0


def verdicts(sheet, seen):
    return [compare(c, w, o, sheet.contract) for c, w, o in zip(sheet.cases, sheet.wanted, seen, strict=True)]


def with_sound_points(result, exercise):
    """Finite, and between nothing and all."""
    sound = math.isfinite(result.points) and 0 <= result.points <= exercise.points
    result.points = float(result.points) if sound else 0.0
    return result


def nothing(exercise, status, message):
    return Result(exercise.name, False, message, None, 0.0, exercise.points, status)
