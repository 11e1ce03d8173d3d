"""The hidden cases of one seed: what is wanted of them, and what the known mistakes give, each worked out
once for a whole class."""

from dataclasses import replace
from functools import lru_cache

from course_utils.compare.verdict import compare
from course_utils.diagnose.recognise import excess_in
from course_utils.model.case import error_of
from course_utils.model.sheet import Mistake

MOST_KEYS = 64  # that are kept: one for each exercise, of one seed; with more seeds the oldest ones go


class AnswerKey:
    """What one exercise is graded by, with one seed.

    sheet: the cases and what is wanted, without known mistakes: there are dozens, and each takes as long to
    run as an answer. sketches: {(implementation of a mistake, case number): its sketch}, worked out when an
    answer is wrong.
    """

    def __init__(self, exercise, seed):
        self.exercise, self.sketches = exercise, {}
        self.sheet = exercise.sheet(seed, with_mistakes=False)

    def compare(self, observations):
        """The Attempt for one observation of each case."""
        rows = zip(self.sheet.cases, self.sheet.wanted, observations, strict=True)
        return compare(self.sheet, [as_asked(*row, self.exercise.contract.narrow) for row in rows])

    def with_suspects(self, attempt):
        """The Attempt with known mistakes added to its sheet: those that give the values observed in the
        first wrong case; all of them if no wrong case has values; none if nothing is wrong."""
        if not attempt.wrong:
            return attempt
        results = ((verdict, verdict.seen) for verdict in attempt.wrong)
        telling = next((v for v, s in results if s.values and not s.raised and not s.problem), None)
        entries = self.exercise.mistakes if telling is None else self.suspects(telling)
        mistakes = [
            Mistake(name, sentence, WhenAsked(self, implementation))
            for name, sentence, implementations in entries
            for implementation in implementations
        ]
        return replace(attempt, sheet=replace(self.sheet, mistakes=mistakes))

    def suspects(self, verdict):
        """The exercise's mistakes, without implementations that this case rules out."""

        def fits(implementation):
            return excess_in(self.difference(implementation, verdict.number), verdict) is not None

        for name, sentence, implementations in self.exercise.mistakes:
            left = [implementation for implementation in implementations if fits(implementation)]
            if left:
                yield name, sentence, left

    def difference(self, implementation, number):
        """What the implementation gives in one case where it is not what is wanted."""
        key = implementation, number
        if key not in self.sketches:
            case, wanted = self.sheet.cases[number], self.sheet.wanted[number]
            self.sketches[key] = self.exercise.difference(implementation, case, wanted)
        return self.sketches[key]


class WhenAsked:
    """The sketches of a known mistake by the number of the case, each worked out when it is asked for: most
    mistakes are ruled out by the next case."""

    def __init__(self, key, implementation):
        self.key, self.implementation = key, implementation

    def __getitem__(self, number):
        return self.key.difference(self.implementation, number)


@lru_cache(MOST_KEYS)
def answer_key(exercise, seed):
    return AnswerKey(exercise, seed)


def as_asked(case, wanted, result, dtypes):
    """An observation, with what was asked for alone. The worker is not told which calls must raise: an
    error is a result where one is wanted, and the end of all results where none is. A call that gives a
    result has raised nothing, whatever is said of it."""
    must = [error_of(number) for number, call in enumerate(case.calls) if call.raises]
    result = replace(result, narrow={name: result.narrow[name] for name in dtypes if name in result.narrow})
    for fact, raised in result.errors.items():
        if fact not in must:
            return replace(result, values={}, raised=raised)
    came_back = {fact.call for fact in result.values if fact not in wanted.values}
    silent = [fact for fact in must if fact.call in came_back]
    values = {}
    if result.values:
        values = dict.fromkeys(must, "no error") | result.values | dict.fromkeys(silent, "no error")
    return replace(result, values={fact: v for fact, v in values.items() if fact in wanted.values})
