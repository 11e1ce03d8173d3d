"""An exception and the names of sizes come in, a Crash goes out: the student's own line, what met there, and
what the operation wanted. Nothing of theirs is run to read an exception: no call, no property, no repr."""

import warnings

import torch

from course_utils.model.crash import Crash

from .operation import operation_at
from .place import place_of
from .rules import wanted_of
from .words import described


def crash_of(error, axes):
    """The Crash of an exception; None where no line of the student's is known. Never raises. axes: {size: the
    name of the axis that has it}, those that are sure."""
    try:
        with torch.no_grad(), warnings.catch_warnings(action="ignore"):
            if (place := place_of(error)) is None:
                return None
            operation = operation_at(place)
            wanted = wanted_of(operation, error, axes)
            return Crash(place.text, place.number, place.mark, described(operation.operands, axes), wanted)
    except Exception:  # the card shows the exception all the same, only without its line
        return None
