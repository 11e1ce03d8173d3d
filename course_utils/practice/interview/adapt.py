"""An object and a sheet come in; a way to call the object with the sheet's signature is looked for."""

from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import torch

from course_utils.compare.tolerance import is_close, sketch_of
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.diagnose.visible import ObjectInspector
from course_utils.model.result import Result
from course_utils.observe.probe import observe
from course_utils.observe.trial import quiet, seeded

from .values import Skip, Unread

MOST_TRIED = 500  # ways that a search tries, on slow computers and fast ones alike
UNSTEADY = (
    "Two calls with the same input give different numbers: dropout has to be off where the layer does not "
    "train, so look at `self.training`."
)
MOST_NAMED = 12  # results in which mistakes are looked for


class Adapted:
    """A way to call an object, as a function of the sheet's arguments."""

    def __init__(self, way, request_of):
        self.way, self.request_of = way, request_of

    def __call__(self, last=False, **arguments):
        array = np.ascontiguousarray(self.way(self.request_of(arguments)))
        array = array[:, -1:] if last else array
        return torch.from_numpy(array if array.dtype.kind in "bi" else array.astype(np.float64))


@dataclass
class Attempts:
    """What a search has met. way: the name of the one that is right, with its result, and the number of the
    sheet; half: right in the first
    case only; read: results that could be compared; unread: values that could not; errors: exceptions."""

    way: str = ""
    result: object = None
    adapted: object = None
    sheet: int = 0
    half: list = field(default_factory=list)
    read: list = field(default_factory=list)
    unread: list = field(default_factory=list)
    errors: list = field(default_factory=list)


def search(sheets, ways, request_of):
    """The Attempts at ways, an iterator: each is tried on the first case of every sheet."""
    attempts = Attempts()
    for way in islice(ways, MOST_TRIED):
        name, adapted = way.name, Adapted(way, request_of)
        for number, sheet in enumerate(sheets):
            if attempt(attempts, name, adapted, sheet):
                attempts.adapted, attempts.sheet = adapted, number
                return attempts
    return attempts


def attempt(attempts, name, adapted, sheet):
    """Try one way on one sheet: is it right in all cases? What was seen otherwise is kept in `attempts`."""
    errors = []
    observation = observe(adapted, sheet.cases[0], sheet.contract, probes=False, on_error=errors.append)
    if errors and isinstance(errors[0], Skip):
        return False
    if errors:
        kind = attempts.unread if isinstance(errors[0], Unread) else attempts.errors
        kind.append((name, adapted, sheet, errors[0]))
    elif is_right(sheet, observation):
        result = assessed(sheet, adapted)
        if result.passed:
            attempts.way, attempts.result = name, result
            return True
        attempts.half.append((name, result))
    else:
        attempts.read.append((name, adapted, sheet, observation))
    return False


def is_right(sheet, seen):
    tolerance = sheet.cases[0].tolerance
    return all(
        is_close(seen.values.get(fact), value, tolerance) for fact, value in sheet.wanted[0].values.items()
    )


def assessed(sheet, adapted):
    """The Result of all cases."""
    inspector = ObjectInspector(adapted, sheet)
    inspector.takes_all = False  # a program of somebody's own may well do without some of them
    observations = list(inspector.observations())
    for seen in observations:
        seen.fresh = []  # the layers that a way of calling has made are no mistake
    return assess(compare(sheet, observations, inspector))


def explained(attempts):
    """(name, Result) of an answer that is not right: a known mistake first, then the best evidence."""
    if attempts.half:
        half = fullest(attempts.half)
        return next((pair for pair in half if pair[1].mistake), half[0])
    results, sketches = [], set()
    for name, adapted, sheet, seen in attempts.read:
        sketch = str([sketch_of(value) for value in seen.values.values()])
        if sketch in sketches or len(results) >= MOST_NAMED:
            continue
        sketches.add(sketch)
        results.append((name, assessed(sheet, adapted)))
        if results[-1][1].mistake:
            return results[-1]
    if results:
        name, result = results[0]
        if unsteady(*attempts.read[0][1:3]):
            result.mistake, result.message = "dropout_in_eval", UNSTEADY
        return name, result
    if attempts.unread:
        named = [entry for entry in attempts.unread if entry[3].mistake]
        name, _, sheet, error = (named or attempts.unread)[0]
        return name, Result(sheet.contract.name, False, str(error), error.mistake or None)
    for name, adapted, sheet, _ in plausible(attempts.errors)[:1]:
        return name, assessed(sheet, adapted)
    return "", None


def fullest(half):
    """Those that give the answer most of its arguments: one that leaves out the cache says nothing of it."""
    most = max(arguments_in(name) for name, _ in half)
    return [pair for pair in half if arguments_in(pair[0]) == most]


def arguments_in(name):
    return name.partition(")")[0].count("=")


def unsteady(adapted, sheet):
    """Do two runs of the first case give different numbers?"""
    arguments = sheet.cases[0].calls[0].args
    values = []
    for seed in range(2):
        with quiet(), seeded(seed):
            values.append(adapted(**arguments))
    return values[0].shape == values[1].shape and not torch.equal(*(value.nan_to_num() for value in values))


def plausible(errors):
    """The errors, those first that come from the learner's own lines rather than from our call."""
    return sorted(
        errors, key=lambda attempt: isinstance(attempt[3], TypeError) and "argument" in str(attempt[3])
    )
