"""Trusted: observations of hidden cases -> points and sentences. Never runs a student's code."""
from course_utils.assess import assess
from course_utils.result import Result


def judge(exercise, seed, seen):
    """The Result for what was observed of the seed's cases: a list of Observations, None (not defined), or a sentence
    (lost). The known mistakes are only worked out when something is wrong."""
    if seen is None:
        return nothing(exercise, "not_started", f"{exercise.name} is not defined.")
    if isinstance(seen, str):
        return nothing(exercise, "wrong", f"{exercise.name} could not be looked at: {seen}.")
    cases = exercise.cases(seed)
    if len(seen) != len(cases):
        return nothing(exercise, "wrong", f"{exercise.name} could not be looked at: not every case came back.")
    result = assess(exercise.sheet(seed, with_mistakes=False), seen)
    return assess(exercise.sheet(seed), seen) if result.status == "wrong" else result


def nothing(exercise, status, message):
    return Result(exercise.name, False, message, None, 0.0, exercise.points, status)
