"""Trusted: observations of hidden cases -> points and sentences. Never runs a student's code, never fails
for what it is shown."""

import math

from course_utils.diagnose.assess import NOT_STARTED, assess
from course_utils.model.result import Result
from course_utils.source import ONE_THREAD

from .answer_key import answer_key

LONGEST_MESSAGE = 5_000  # characters; a forged observation may name many things


def judge(exercise, seed, observations):
    """The Result for what was observed of the seed's cases: a list of Observations, None (not defined), or
    the Ended of what went wrong (sandbox/host/sanitize.py). One thread at a time: the reference is run with
    stdout turned away, which is one for the whole process."""
    with ONE_THREAD:
        if observations is None:
            text = f"{exercise.name} is not defined: write it under this name."
            return nothing(exercise, "not_started", text)
        if not isinstance(observations, list):
            return lost(exercise, str(observations))
        if observations and all(observation.unwritten for observation in observations):
            return unwritten(exercise)
        return judged(exercise, answer_key(exercise, seed), observations)


def judged(exercise, key, observations):
    """Compared once: the points and the diagnosis are both made from the Attempt. The known mistakes are
    only worked out when something is wrong."""
    if len(observations) != len(key.sheet.cases):
        return lost(exercise, "not every case came back")
    points = 0.0
    try:
        attempt = key.compare(observations)
        points = sound(attempt.points, exercise)
        result = assess(key.with_suspects(attempt))
    except Exception:  # a diagnosis that stumbles over an odd result: one submission never stops the next
        text = f"{exercise.name} returns something so odd that no diagnosis fits."
        result = nothing(exercise, "wrong", text)
    result.points = points
    result.message = result.message[:LONGEST_MESSAGE]
    return result


def sound(points, exercise):
    """Finite, and between nothing and all."""
    return float(points) if math.isfinite(points) and 0 <= points <= exercise.points else 0.0


def unwritten(exercise):
    """The Result of a body that nobody has written yet."""
    return nothing(exercise, "not_started", NOT_STARTED, unwritten=True)


def lost(exercise, why):
    return nothing(exercise, "error", f"{exercise.name} could not be checked: {why}.", ended=why)


def nothing(exercise, status, message, **more):
    return Result(exercise.name, False, message, None, 0.0, exercise.points, status, **more)
