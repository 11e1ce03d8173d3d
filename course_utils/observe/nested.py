"""Whose code runs: the learner's own lines, a library, the course, or a check inside the one under way. A
probe blames only the learner's own lines."""

import contextlib
import sys
import sysconfig
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARIES = {
    Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")
}

_under_check = []  # names of the exercises; each is checked inside the check of the one before
_objects = {}  # {key: object}, until the outermost check ends


@contextlib.contextmanager
def checking(name):
    """What runs inside belongs to a check of this exercise, not to a check around it."""
    _under_check.append(name)
    try:
        yield
    finally:
        _under_check.pop()
        if not _under_check:
            _objects.clear()


def depth():
    """How many checks are under way, one inside the other?"""
    return len(_under_check)


def is_under_check(name):
    return name in _under_check


def once_per_check(key, make):
    """make(); inside a check, called once for the same key until the outermost check ends."""
    if not _under_check:
        return make()
    if key not in _objects:
        _objects[key] = make()
    return _objects[key]


@cache
def whose(file):
    """ "library": Python's, or an installed package's. "observer": in this folder, whose files call an answer
    or are called by it. "course": the rest of the course. "learner": all else, such as cells."""
    if file.startswith("<"):
        return "library" if file.startswith("<frozen") else "learner"
    path = Path(file).resolve()
    if {"site-packages", "dist-packages"} & set(path.parts) or any(map(path.is_relative_to, LIBRARIES)):
        return "library"
    if path.is_relative_to(HERE):
        return "observer"
    return "course" if path.is_relative_to(HERE.parent) else "learner"


def in_learners_lines():
    """Does an operation come from the learner's code: directly, through a library, or through one of our
    objects that the learner's code calls?"""
    frame = sys._getframe(1)
    while frame is not None:
        owner = whose(frame.f_code.co_filename)
        if owner not in ("library", "observer"):
            return owner == "learner"
        frame = frame.f_back
    return False


def is_learners_file(file):
    """Is it a file or a cell of the learner's? (Code from a file <...> has no source, except cells of
    IPython 7.)"""
    return whose(file) == "learner" and (not file.startswith("<") or file.startswith("<ipython-input"))
