"""Check what an author declared in an exercise file. A check returns or raises an AuthorError that names the
exercise and its case or mistake."""

import difflib
import traceback
from pathlib import Path

import numpy as np
import torch

from autograder.refused import AuthorError
from course_utils.model.case import RAISED, Case
from course_utils.observe.interface import accepted, describe_type

UNKNOWN_NAME = ("NameError", "UnboundLocalError")


def slip_in(file, error, subject):
    """The AuthorError for an exception raised in an exercise's file, with the line and what failed."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == file else (lines or [1])[-1]
    message = error.msg if isinstance(error, SyntaxError) else error
    return AuthorError(f"{Path(file).name}, line {line}: {subject} raises {type(error).__name__}: {message}")


def check_case(exercise, name, case):
    """The case with NumPy numbers and arrays among its arguments converted to Python numbers and tensors.
    AuthorError when it is not a case, or has an argument that the reference does not take."""
    subject, right = f"the case {name} of {exercise.name}", exercise.implementation
    if not isinstance(case, Case):
        raise AuthorError(f"{subject} returns {describe_type(case)}: return call(...) or build(...)")
    is_class = isinstance(right, type)
    calls = [
        (getattr(right, call.method or "forward", None) if is_class else right, call.args)
        for call in case.calls
    ]
    for function, args in [*calls, (right.__init__, case.build or {})]:
        for argument, value in args.items():
            args[argument] = convert_numpy(value)
            names = accepted(function)
            if names is not None and argument not in names:
                parameters = ", ".join(name for name in names if name != "self") or "no arguments"
                raise AuthorError(
                    f"{subject} gives {argument}, which the reference does not take: it has {parameters}"
                )
    return case


def convert_numpy(value):
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value)
    if isinstance(value, list):
        return [convert_numpy(item) for item in value]
    if isinstance(value, tuple):
        return tuple(map(convert_numpy, value))
    return value.item() if isinstance(value, np.generic) else value


def check_mistake(exercise, mistake, implementation, cases, differences):
    """Refuse a mistake's implementation that is right in every case, or that fails on a misspelt name.

    differences: the wrong results of the implementation, for each case.
    """
    subject = f"the mistake {mistake.name} of {exercise.name}"
    if len(mistake.implementations) > 1:
        number = mistake.implementations.index(implementation) + 1
        subject += f" (implementation {number} of {len(mistake.implementations)})"
    if not any(differences):
        raise AuthorError(f"{subject} is right in every case: add a case in which it is wrong")
    for case, difference in zip(cases, differences, strict=True):
        for fact, value in difference.items():
            error = ": ".join(value) if fact == RAISED else value
            if isinstance(error, str) and is_misspelt_name(error):
                raise AuthorError(f"{subject} raises {error} in the case {case.name}")


def check_table(exercise, heading, implementations):
    """Refuse an entry of a mistake table that lacks a name or an implementation, or has one that is not
    callable."""
    if not heading.partition(":")[0].isidentifier() or not implementations:
        slip = "begin each mistake with a name and a colon, then give a wrong implementation"
        raise AuthorError(f"{exercise.name} has {heading!r} in its table of mistakes: {slip}")
    for wrong in implementations:
        if not callable(wrong):
            raise AuthorError(f"{exercise.name} has {wrong!r} among its mistakes, which cannot be called")


def is_misspelt_name(error):
    """Does the text of an exception report a name that does not exist, in the file or in a module?"""
    return error.partition(":")[0] in UNKNOWN_NAME or error.startswith("AttributeError: module ")


def check_known(exercise, name, names):
    """Refuse the name of a mistake that is not in `names`."""
    if name not in names:
        nearest = difflib.get_close_matches(name, names, 1, cutoff=0)[0]
        text = f"{exercise.name} has no mistake called {name!r}, and shared_mistakes.py has none: "
        raise AuthorError(f"{text}the nearest is {nearest!r}")
