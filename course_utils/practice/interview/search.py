"""Search for a right way to call a program, among ways and a part's sheets; or explain the wrong ones."""

from dataclasses import dataclass, field
from itertools import islice

import torch

from course_utils.compare.tolerance import is_close, sketch_of
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.diagnose.visible import ObjectInspector
from course_utils.model.result import Result
from course_utils.observe.probe import observe
from course_utils.observe.trial import quiet, seeded

from .questions import named_mistake
from .values import Skip, Unread

MOST_TRIED = 500  # ways that a search tries; not a time limit, so that slow computers find as much
MOST_NAMED = 12  # results in which mistakes are looked for


@dataclass
class Attempts:
    """way, result, sheet: the right way, its Result, and the index of its sheet. The lists have wrong ways,
    as (way, sheet, evidence). half_right: right in the first case only, with the Result. comparable: with a
    sketch of the result. incomparable: with the error that says why. errors: with an exception."""

    way: object = None
    result: Result = None
    sheet: int = 0
    half_right: list = field(default_factory=list)
    comparable: list = field(default_factory=list)
    incomparable: list = field(default_factory=list)
    errors: list = field(default_factory=list)


def search(sheets, ways):
    """Try ways (an iterator) on every sheet, up to the first right one: the first case, then all cases."""
    attempts = Attempts()
    for way in islice(ways, MOST_TRIED):
        for number, sheet in enumerate(sheets):
            result = attempt(attempts, way, sheet)
            if result:
                attempts.way, attempts.result, attempts.sheet = way, result, number
                return attempts
    return attempts


def attempt(attempts, way, sheet):
    """The Result if this way is right in all cases of the sheet; else None, with evidence in `attempts`."""
    errors = []
    observation = observe(way, sheet.cases[0], sheet.contract, probes=False, on_error=errors.append)
    if errors:
        kind = attempts.incomparable if isinstance(errors[0], Unread) else attempts.errors
        kind += [] if isinstance(errors[0], Skip) else [(way, sheet, errors[0])]
        return None
    tolerance = sheet.cases[0].tolerance
    wanted = sheet.wanted[0].values.items()
    if not all(is_close(observation.values.get(fact), value, tolerance) for fact, value in wanted):
        attempts.comparable.append(
            (way, sheet, str([sketch_of(value) for value in observation.values.values()]))
        )
        return None
    result = assess_way(sheet, way)
    attempts.half_right += [] if result.passed else [(way, sheet, result)]
    return result if result.passed else None


def assess_way(sheet, way):
    """The Result of a way on all cases of a sheet."""
    inspector = ObjectInspector(way, sheet)
    inspector.takes_all = False  # a learner's program may do without some of them
    observations = list(inspector.observations())
    for observation in observations:
        observation.fresh = []  # layers made in a call are not a mistake: the way of calling makes them
    return assess(compare(sheet, observations, inspector))


def explain(attempts):
    """The (way, Result) that best explains a wrong answer, with a known mistake if there is one."""
    if attempts.half_right:  # a way that leaves out the cache says nothing about it
        most = max(len(way.plan) for way, *_ in attempts.half_right)
        half = [(way, result) for way, _, result in attempts.half_right if len(way.plan) == most]
        return next((pair for pair in half if pair[1].mistake), half[0])
    different, results = {}, []
    for way, sheet, sketch in attempts.comparable:
        different.setdefault(sketch, (way, sheet))
    for way, sheet in islice(different.values(), MOST_NAMED):
        results.append((way, assess_way(sheet, way)))
        if results[-1][1].mistake:
            return results[-1]
    if results:
        if unsteady(*attempts.comparable[0][:2]):
            results[0][1].mistake, results[0][1].message = named_mistake("dropout_in_eval")
        return results[0]
    for way, sheet, error in sorted(attempts.incomparable, key=lambda row: not row[2].mistake):
        return way, Result(sheet.contract.name, False, str(error), error.mistake or None)
    for way, sheet, _ in sorted(attempts.errors, key=lambda row: is_of_our_call(row[2])):
        return way, assess_way(sheet, way)
    return None, None


def unsteady(way, sheet):
    """Do two runs of the first case give different numbers?"""
    values = []
    for seed in range(2):
        with quiet(), seeded(seed):
            values.append(way(**sheet.cases[0].calls[0].args))
    return values[0].shape == values[1].shape and not torch.equal(*(value.nan_to_num() for value in values))


def is_of_our_call(error):
    """Did our call cause the error, rather than the learner's own lines?"""
    return isinstance(error, TypeError) and "argument" in str(error)
