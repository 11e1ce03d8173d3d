"""The hidden cases of one seed: what is wanted of them, and what the known mistakes give, each worked out once for a whole class."""

from dataclasses import replace
from functools import lru_cache

from course_utils.diagnose.recognise import fit, result_sketches
from course_utils.model.sheet import Mistake

EXERCISES_AT_A_TIME = (
    64  # all of the course, and some of a second seed: the rest is forgotten, so that memory stays flat
)


class Hidden:
    """sheet: the cases of this seed and what is wanted; it holds no mistakes (there are dozens, each costs as much as an
    answer): those that are worth it are worked out when an answer is wrong."""

    def __init__(self, exercise, seed):
        self.exercise, self.sheet, self.known = exercise, exercise.sheet(seed, with_mistakes=False), {}

    def sheet_for(self, seen, verdicts):
        """The sheet with those known mistakes that give what was seen in one telling wrong case."""
        place = next((i for i, verdict in enumerate(verdicts) if verdict.wrong and has_values(seen[i])), None)
        entries = (
            self.exercise.mistakes if place is None else self.suspects(place, seen[place], verdicts[place])
        )
        return replace(
            self.sheet,
            mistakes=[
                mistake for entry in entries for mistake in self.exercise.sketched(entry, self.sketches)
            ],
        )

    def suspects(self, place, seen, verdict):
        """The exercise's mistakes, without implementations that this case rules out."""
        one = replace(self.sheet, cases=[self.sheet.cases[place]], wanted=[self.sheet.wanted[place]])
        got = [result_sketches(seen)]

        def fits(implementation):
            return (
                fit(one, Mistake("", "", [self.difference(implementation, place)]), got, [verdict])
                is not None
            )

        left = [
            (name, sentence, tuple(filter(fits, implementations)))
            for name, sentence, implementations in self.exercise.mistakes
        ]
        return [entry for entry in left if entry[2]]

    def sketches(self, implementation):
        return [self.difference(implementation, place) for place in range(len(self.sheet.cases))]

    def difference(self, implementation, place):
        """What the implementation gives in one case where it is not what is wanted."""
        key = implementation, place
        if key not in self.known:
            self.known[key] = self.exercise.difference(
                implementation, self.sheet.cases[place], self.sheet.wanted[place]
            )
        return self.known[key]


hidden = lru_cache(EXERCISES_AT_A_TIME)(Hidden)


def has_values(observation):
    return bool(observation.values) and not observation.raised and not observation.problem
