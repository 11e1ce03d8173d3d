"""Turn observations of hidden cases into points and sentences. This code is trusted: it never runs a
student's code, and no observation makes it fail."""

import math

from course_utils.diagnose.assess import NOT_STARTED, assess
from course_utils.model.result import Result
from course_utils.source import ONE_THREAD

from .answer_key import answer_key

LONGEST_MESSAGE = 5_000  # characters; a forged observation may name many things


def judge(exercise, seed, observations):
    """Return the Result for what was observed of the seed's cases. observations: a list of Observations, None
    (not defined), or a Failure that says what went wrong (observe_steps.py). Only one thread at a time runs
    the reference, because that redirects stdout, which all threads share."""
    with ONE_THREAD:
        if observations is None:
            text = f"{exercise.name} is not defined: write it under this name."
            return zero_result(exercise, "not_started", text)
        if not isinstance(observations, list):
            return lost_result(exercise, str(observations))
        if observations and all(observation.unwritten for observation in observations):
            return unwritten_result(exercise)
        return compare_and_assess(exercise, answer_key(exercise, seed), observations)


def compare_and_assess(exercise, key, observations):
    """Return the Result of one comparison, from which both the points and the diagnosis follow. Known
    mistakes are computed only if something is wrong."""
    if len(observations) != len(key.sheet.cases):
        return lost_result(exercise, "some cases returned no observation")
    points = 0.0
    try:
        attempt = key.compare(observations)
        points = valid_points(attempt.points, exercise)
        result = assess(key.with_suspects(attempt))
    except Exception:  # the diagnosis fails on an odd result: one submission never stops the next
        text = f"{exercise.name} returns something that could not be diagnosed."
        result = zero_result(exercise, "wrong", text)
    result.points = points
    result.message = result.message[:LONGEST_MESSAGE]
    return result


def valid_points(points, exercise):
    """Return the points if they are finite and between 0 and the exercise's points; else 0."""
    return float(points) if math.isfinite(points) and 0 <= points <= exercise.points else 0.0


def unwritten_result(exercise):
    """Return the Result of an exercise that is still the stub."""
    return zero_result(exercise, "not_started", NOT_STARTED, unwritten=True)


def lost_result(exercise, why):
    return zero_result(exercise, "error", f"{exercise.name} could not be checked: {why}.", ended=why)


def zero_result(exercise, status, message, **more):
    return Result(exercise.name, False, message, None, 0.0, exercise.points, status, **more)
