"""An exception and the names of sizes come in, a Crash goes out: the student's own line, what met there, and
what the operation wanted. Nothing of theirs is run to read an exception: no call, no property, no repr."""

import warnings

import torch

from course_utils.model.crash import Crash

from .frames import place_of
from .operands import described, operands_of, tensors_in
from .operation import operation_at
from .reader import Reader
from .wanted import wanted_of


def crash_of(error, axes):
    """The Crash of an exception; None where no line of the student's is known. Never raises.

    axes: {size: name of the axis that has it}, those that are sure.
    """
    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return crash_at(place_of(error), error, axes)
    except Exception:  # the card shows the exception all the same, only without its line
        return None


def crash_at(place, error, axes):
    if place is None:
        return None
    reader = Reader(place)
    operation = operation_at(place, reader)
    parts = operands_of(operation)
    if not any(part.is_array for part in parts):
        parts += tensors_in(place, reader)
    wanted = wanted_of(operation, error, axes) if operation else ""
    return Crash(place.text, place.number, place.mark, described(parts, axes), wanted)
