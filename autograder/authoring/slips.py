"""What an author declared, and the AuthorError that names the exercise and its case or mistake where it
cannot be meant so."""

import difflib
import traceback
from pathlib import Path

import numpy as np

from autograder.refused import AuthorError
from course_utils.model.case import RAISED, AsTuple, Case
from course_utils.observe.interface import accepted, describe_type

UNKNOWN_NAME = ("NameError", "UnboundLocalError")


def slip_in(file, error, what):
    """The AuthorError of an exception that came out of an exercise's file: where, what it is, and of what."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == file else (lines or [1])[-1]
    message = error.msg if isinstance(error, SyntaxError) else error
    return AuthorError(f"{Path(file).name}, line {line}: {what} raises {type(error).__name__}: {message}")


def check_case(exercise, name, case):
    """Refuse what is no case, an argument that the reference does not have, and NumPy numbers in it."""
    where = f"the case {name} of {exercise.name}"
    if not isinstance(case, Case):
        raise AuthorError(f"{where} returns {describe_type(case)}: return call(...) or build(...)")
    calls = [(target(exercise, call.method), call.args) for call in case.calls]
    if case.build is not None:
        calls.append((exercise.implementation.__init__, case.build))
    for function, args in calls:
        parameters = accepted(function)
        for argument, value in args.items():
            if parameters is not None and argument not in parameters:
                has = (
                    ", ".join(parameter for parameter in parameters if parameter != "self") or "no arguments"
                )
                raise AuthorError(
                    f"{where} gives {argument}, which the reference does not take: it has {has}"
                )
            check_number(f"{where} gives {argument}", value)


def target(exercise, method):
    """The function of the reference that a call reaches."""
    if not isinstance(exercise.implementation, type):
        return exercise.implementation
    return getattr(exercise.implementation, method or "forward", None)


def check_number(what, value):
    if isinstance(value, (np.generic, np.ndarray)):
        write = "torch.from_numpy" if isinstance(value, np.ndarray) else type(value.item()).__name__
        raise AuthorError(f"{what} as a NumPy {type(value).__name__}: write {write}(...)")
    if isinstance(value, AsTuple):
        value = value.items
    for item in value if isinstance(value, (list, tuple)) else ():
        check_number(what, item)


def check_mistake(exercise, mistake, implementation, cases, differences):
    """Refuse an implementation that is right in every case, or that raises for a name that its author
    misspelt. differences: for each case what it gives where that is not the wanted result."""
    where = f"the mistake {mistake.name} of {exercise.name}"
    if len(mistake.implementations) > 1:
        number = mistake.implementations.index(implementation) + 1
        where += f" (implementation {number} of {len(mistake.implementations)})"
    if not any(differences):
        raise AuthorError(f"{where} is right in every case: add a case in which it is wrong")
    for case, difference in zip(cases, differences, strict=True):
        for fact, value in difference.items():
            error = ": ".join(value) if fact == RAISED else value
            if isinstance(error, str) and misspelt(error):
                raise AuthorError(f"{where} raises {error} in the case {case.name}")


def check_table(exercise, heading, implementations):
    """Refuse a line of a table of mistakes that shows nothing, or nothing that can be called."""
    name = heading.partition(":")[0]
    if not name.isidentifier() or not implementations:
        slip = (
            "begin it with a name and a colon" if implementations else "a wrong implementation must follow it"
        )
        raise AuthorError(f"{exercise.name} has {heading!r} in its table of mistakes: {slip}")
    for wrong in implementations:
        if not callable(wrong):
            raise AuthorError(f"the mistake {name} of {exercise.name} is {wrong!r}, which cannot be called")


def misspelt(error):
    """Whether an exception in words tells of a name that does not exist, in the file or in a module."""
    return error.partition(":")[0] in UNKNOWN_NAME or error.startswith("AttributeError: module ")


def check_known(exercise, name, names):
    """Refuse the name of a mistake that is not among the known ones."""
    if name not in names:
        nearest = difflib.get_close_matches(name, names, 1, cutoff=0)[0]
        text = f"{exercise.name} has no mistake called {name!r}, and shared_mistakes.py has none: "
        raise AuthorError(f"{text}the nearest is {nearest!r}")
