"""Whose code runs: the learner's own lines, a library, the course, or a check inside the one under way. A
probe blames only the learner's own lines."""

import contextlib
import os
import sys
import sysconfig
from functools import cache
from pathlib import Path

COURSE = f"{Path(__file__).resolve().parents[1]}{os.sep}"
OBSERVERS = f"{Path(__file__).resolve().parent}{os.sep}"  # these files call an answer, or are called by it
LIBRARIES = {
    f"{Path(sysconfig.get_path(name)).resolve()}{os.sep}"
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
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


def in_learners_lines():
    """Does an operation come from the learner's code: directly, through a library, or through one of our
    objects that the learner's code calls?"""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not is_library(file) and not is_observer(file):
            return not is_course(file)
        frame = frame.f_back
    return False


@cache
def is_library(file):
    """Is it a file of Python or of an installed package? (Cells, and code without a file, are not.)"""
    if file.startswith("<"):
        return file.startswith("<frozen")
    path = Path(file).resolve()
    in_packages = {"site-packages", "dist-packages"} & set(path.parts)
    return bool(in_packages) or str(path).startswith(tuple(LIBRARIES))


@cache
def is_course(file):
    return not file.startswith("<") and str(Path(file).resolve()).startswith(COURSE)


@cache
def is_observer(file):
    return not file.startswith("<") and str(Path(file).resolve()).startswith(OBSERVERS)
