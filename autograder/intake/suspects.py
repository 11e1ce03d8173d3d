"""Which known mistakes are worth working out on all cases? Those that give what was seen in one wrong case."""
from dataclasses import replace

from course_utils.diagnose.recognise import fit, result_sketches
from course_utils.sheet import Mistake


def suspects(exercise, sheet, seen, verdicts):
    """The exercise's mistakes, without implementations that one telling case rules out (there are dozens, each costs
    as much as the student's own answer)."""
    place = next((i for i, verdict in enumerate(verdicts) if verdict.wrong and has_values(seen[i])), None)
    if place is None:
        return exercise.mistakes
    one = replace(sheet, cases=[sheet.cases[place]], wanted=[sheet.wanted[place]])
    got = [result_sketches(seen[place])]

    def fits(implementation):
        mistake = Mistake("", "", [exercise.difference(implementation, one.cases[0], one.wanted[0])])
        return fit(one, mistake, got, [verdicts[place]]) is not None

    left = [(name, sentence, tuple(filter(fits, implementations))) for name, sentence, implementations in exercise.mistakes]
    return [entry for entry in left if entry[2]]


def has_values(observation):
    return bool(observation.values) and not observation.raised and not observation.problem
