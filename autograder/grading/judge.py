"""Turn observations of hidden cases into points and sentences. This code is trusted: it never runs a
student's code, and no observation makes it fail. A seed's answer key is computed once for a whole class."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import NOT_STARTED, assess
from course_utils.diagnose.recognise import may_explain
from course_utils.model.case import error_of
from course_utils.model.result import Result
from course_utils.model.sheet import Mistake
from course_utils.source import ONE_THREAD

LONGEST_MESSAGE = 5_000  # characters; a forged observation may name many things
MOST_KEYS = 64  # in the cache: enough for all exercises with one seed; with more seeds, old ones are dropped


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


# ---- answer keys: hidden cases, their wanted values, and what known mistakes return


class AnswerKey:
    """The answer key of one exercise for one seed.

    sheet: the cases and wanted values, without known mistakes: there are dozens, and each takes as long to
    run as an answer. sketches: {(implementation of a mistake, case number): its sketch}, computed only if an
    answer is wrong.
    """

    def __init__(self, exercise, seed):
        self.exercise, self.sketches = exercise, {}
        self.sheet = exercise.sheet(seed, with_mistakes=False)

    def compare(self, observations):
        """Compare one observation of each case with the wanted values; return the Attempt."""
        rows = zip(self.sheet.cases, self.sheet.wanted, observations, strict=True)
        return compare(self.sheet, [restrict_to_wanted(*row, self.exercise.contract.narrow) for row in rows])

    def with_suspects(self, attempt):
        """Return the Attempt with known mistakes in its sheet: those that return what was observed in the
        first wrong case with values; all of them if no wrong case has any; none if nothing is wrong."""
        if not attempt.wrong:
            return attempt
        results = ((verdict, verdict.seen) for verdict in attempt.wrong)
        first_with_values = next((v for v, s in results if s.values and not s.raised and not s.problem), None)
        entries = self.exercise.mistakes if first_with_values is None else self.suspects(first_with_values)
        mistakes = [
            Mistake(name, sentence, LazySketches(self, implementation))
            for name, sentence, implementations in entries
            for implementation in implementations
        ]
        return replace(attempt, sheet=replace(self.sheet, mistakes=mistakes))

    def suspects(self, verdict):
        """Yield the exercise's mistakes, without the implementations that this wrong case rules out."""

        def fits(implementation):
            return may_explain(self.difference(implementation, verdict.number), verdict)

        for name, sentence, implementations in self.exercise.mistakes:
            possible = [implementation for implementation in implementations if fits(implementation)]
            if possible:
                yield name, sentence, possible

    def difference(self, implementation, number):
        """Return the sketch of the wrong values that a mistake's implementation returns in one case."""
        key = implementation, number
        if key not in self.sketches:
            case, wanted = self.sheet.cases[number], self.sheet.wanted[number]
            self.sketches[key] = self.exercise.difference(implementation, case, wanted)
        return self.sketches[key]


class LazySketches(Sequence):
    """The sketches of a known mistake, one for each case, each computed when it is read, as the next case
    rules out most mistakes."""

    def __init__(self, key, implementation):
        self.key, self.implementation = key, implementation

    def __len__(self):
        return len(self.key.sheet.cases)

    def __getitem__(self, number):
        return self.key.difference(self.implementation, number)


@lru_cache(MOST_KEYS)
def answer_key(exercise, seed):
    return AnswerKey(exercise, seed)


def restrict_to_wanted(case, wanted, result, dtypes):
    """Return an observation with only the wanted values. The worker does not know which calls must raise: an
    error of such a call counts as its value, an error of another call discards all values, and a call that
    returned a value did not raise, whatever the worker reports."""
    expected_errors = [error_of(number) for number, call in enumerate(case.calls) if call.raises]
    result = replace(result, narrow={name: result.narrow[name] for name in dtypes if name in result.narrow})
    for fact, raised in result.errors.items():
        if fact not in expected_errors:
            return replace(result, values={}, raised=raised)
    calls_with_values = {fact.call for fact in result.values if fact not in wanted.values}
    missing = [fact for fact in expected_errors if fact.call in calls_with_values]
    values = {}
    if result.values:
        values = (
            dict.fromkeys(expected_errors, "no error") | result.values | dict.fromkeys(missing, "no error")
        )
    return replace(result, values={fact: v for fact, v in values.items() if fact in wanted.values})
