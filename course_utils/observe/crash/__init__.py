"""An exception and the names of sizes come in, a Crash goes out: the student's own line, the operands, and
what the operation required. No student code runs for this: no call, no property, no repr."""

import types
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
            operands = describe(operation.operands, axes)
            return Crash(place.text, place.number, place.mark, operands, wanted, *names_of_self(place.frame))
    except Exception:  # the card still shows the exception, without its line
        return None


def names_of_self(frame):
    """(all names of the object whose method this is, its methods whose first parameter is not `self`)."""
    if "self" not in frame.f_locals:
        return frozenset(), frozenset()
    obj = frame.f_locals["self"]
    members = {name: value for cls in reversed(type(obj).__mro__) for name, value in vars(cls).items()}
    stored = object.__getattribute__(obj, "__dict__") if type(obj).__dictoffset__ else {}
    layers = (name for table in ("_parameters", "_buffers", "_modules") for name in stored.get(table, ()))
    functions = {name: f.__code__ for name, f in members.items() if isinstance(f, types.FunctionType)}
    without_self = (name for name, code in functions.items() if code.co_varnames[:1] != ("self",))
    return frozenset([*members, *stored, *layers]), frozenset(without_self)
