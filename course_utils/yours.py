"""yours(name): the learner's own passing object, a kept one, or a stand-in of library primitives; each cell
that uses one says which."""

import sys

from . import standins
from .diagnose.assess import assess_visible, find_sheet
from .model.result import Result
from .saved import FOLDER, lesson_folders, load
from .whose import hand


def yours(name):
    """The first that passes its check: this notebook's version, one kept by a lesson, a stand-in.

    Raises ValueError for a name that is not an exercise, or that has no passing version and no stand-in.
    """
    sheet = find_sheet(name)
    if isinstance(sheet, Result):
        raise ValueError(sheet.message)
    for whose, find in (("your {}", here), ("your {}, as it was kept", kept)):
        obj = find(name)
        if obj is not None:
            return hand(obj, name, whose)
    stand_in = getattr(standins, name, None)
    if stand_in is None:
        raise ValueError(f"{name} does not pass its check yet, and it has no stand-in: write it first.")
    state = "does not pass" if begun(name) else "is not written"
    return hand(stand_in, name, f"the course's {{}} (yours {state} yet)")


def here(name):
    """The notebook's own, if it passes."""
    obj = vars(sys.modules["__main__"]).get(name)
    return obj if obj is not None and assess_visible(name, obj).accepted else None


def begun(name):
    """Has the learner written something for it, here or in a lesson before?"""
    obj = vars(sys.modules["__main__"]).get(name)
    if obj is None:
        return bool(kept_files(name))
    return assess_visible(name, obj).status != "not_started"


def kept(name):
    """The first kept version that passes, this folder's before its neighbours'."""
    for path in kept_files(name):
        obj = load(name, path.read_text(encoding="utf-8"))
        if obj is not None:
            return obj
    return None


def kept_files(name):
    """.progress/<name>.py here and in the lessons' folders beside this one."""
    return [f for folder in lesson_folders() if (f := folder / FOLDER / f"{name}.py").is_file()]
