"""Answer keys: the hidden cases of one seed, their wanted values, and what known mistakes return. Each is
computed once for a whole class."""

from dataclasses import replace
from functools import lru_cache

from course_utils.compare.verdict import compare
from course_utils.diagnose.recognise import may_explain
from course_utils.model.case import error_of
from course_utils.model.sheet import Mistake

MOST_KEYS = 64  # in the cache: enough for all exercises with one seed; with more seeds, old ones are dropped


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


class LazySketches:
    """The sketches of a known mistake by the number of the case, each computed when it is read, as the next
    case rules out most mistakes."""

    def __init__(self, key, implementation):
        self.key, self.implementation = key, implementation

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
