"""An exception and the names of sizes come in, a Crash goes out: the student's own line, the operands, and
what the operation required. No student code runs for this: no call, no property, no repr."""

import warnings

import torch

from course_utils.model.crash import Crash

from .operation import operation_at
from .place import place_of
from .rules import wanted_of
from .words import describe


def crash_of(error, axes):
    """The Crash of an exception; None if no line of the student's can be found. Never raises. axes: {size:
    axis name}, for sizes whose name is certain."""
    try:
        with torch.no_grad(), warnings.catch_warnings(action="ignore"):
            if (place := place_of(error)) is None:
                return None
            operation = operation_at(place)
            wanted = wanted_of(operation, error, axes)
            return Crash(place.text, place.number, place.mark, describe(operation.operands, axes), wanted)
    except Exception:  # the card still shows the exception, without its line
        return None
