"""yours(name): the learner's own passing object, a saved one, or a stand-in built from library operators. A
line below each cell that uses one says which."""

import sys

from . import standins
from .diagnose.visible import assess_visible, find_sheet
from .model.result import Result
from .observe.limit import suspended_limit
from .observe.nested import checking, is_under_check, once_per_check
from .own.saved import FOLDER, if_accepted, lesson_folders, load
from .own.whose import hand_out


def yours(name):
    """The first object that lessons can go on with: this notebook's version, a saved version, or a stand-in.

    Inside a check, it is the same object in every call. Raises ValueError if the name is not an exercise, if
    it has neither a usable version nor a stand-in, or if it is the exercise under check.
    """
    if is_under_check(name):
        raise ValueError(f"{name} is under check just now: its own answer cannot use yours({name!r}).")
    obj, label = once_per_check(("yours", name), lambda: first_usable(name))
    if obj is None:
        raise ValueError(label)
    return hand_out(obj, name, label)


def first_usable(name):
    """The object that `yours` returns, and the label that says whose it is; (None, what is missing) if there
    is none."""
    spoils = False
    with suspended_limit(), checking(name):  # what runs here is no part of a check under way
        if isinstance(sheet := find_sheet(name), Result):
            return None, sheet.message
        for label, find in (("your {}", in_notebook), ("your saved {}", in_files)):
            obj, result = find(name)
            if result is not None and not result.spoils:
                return obj, label
            spoils = spoils or result is not None
        stand_in = getattr(standins, name, None)
        if stand_in is None:
            return None, f"{name} does not pass its check yet, and it has no stand-in: write it first."
        state = "does not pass yet" if is_started(name) else "is not written yet"
    if spoils:
        state = "has one thing left that the lesson depends on: its check says which"
    return stand_in, f"the course's {{}} (yours {state})"


def in_notebook(name):
    """The notebook's own version and its Result; (None, None) if it is missing or not accepted."""
    return if_accepted(name, vars(sys.modules["__main__"]).get(name))


def is_started(name):
    """Has the learner written something for this exercise, here or in an earlier lesson?"""
    obj = vars(sys.modules["__main__"]).get(name)
    if obj is None:
        return bool(saved_files(name))
    return assess_visible(name, obj).status != "not_started"


def in_files(name):
    """The first saved version that is accepted, with its Result; this folder's comes before its neighbours'.
    (None, None) if there is none."""
    versions = (load(name, path.read_text(encoding="utf-8")) for path in saved_files(name))
    return next((version for version in versions if version[0] is not None), (None, None))


def saved_files(name):
    """The files .progress/<name>.py of this folder and of the neighbouring lesson folders."""
    return [f for folder in lesson_folders() if (f := folder / FOLDER / f"{name}.py").is_file()]
