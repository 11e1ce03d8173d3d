"""Try an object on the visible cases of an exercise."""

import difflib
import sys

from course_utils.model.result import Result
from course_utils.model.sheet import load_sheet, published_names
from course_utils.observe.influence import influence
from course_utils.observe.probe import observe

from .assess import assess


def look_at(name, obj):
    """The Result of the visible cases. Never raises for what the student's code does."""
    sheet = find_sheet(name)
    if isinstance(sheet, Result):
        return sheet
    if is_stand_in(obj):
        return Result(
            name,
            False,
            f"This is the course's stand-in for {name}, not your own work: pass your {name}.",
            "stand_in",
            0.0,
            float(sheet.points),
        )
    try:
        seen = [observe(obj, case, sheet.contract) for case in sheet.cases]
        result = assess(sheet, seen)
        if sheet.stages and result.status == "wrong" and result.mistake is None:
            result = assess(sheet, seen, influence(obj, sheet.cases[sheet.stages["case"]], sheet.contract))
        result.note = wrong_foundations(sheet, result)
        return result
    except Exception as error:  # whatever the student's code did was observed already: this is our fault
        text = f"The check itself broke ({type(error).__name__}: {error}). This is a fault of the course, not of your answer: please report it."
        return Result(name, False, text, None, 0.0, float(sheet.points), "broken")


def wrong_foundations(sheet, result):
    """Exercises that this one builds on, which stand in the notebook and do not pass: they are said first."""
    if result.status not in ("wrong", "not_started"):
        return ""
    space = vars(sys.modules["__main__"])
    found = {
        name: look_at(name, space[name]) for name in sheet.uses if name in space and name in published_names()
    }
    wrong = [
        name
        for name, one in found.items()
        if not one.passed and (result.status == "wrong" or one.status == "not_started")
    ]
    names = " and ".join([", ".join(wrong[:-1])] * (len(wrong) > 1) + wrong[-1:])
    do, them = ("do", "them") if len(wrong) > 1 else ("does", "it")
    return (
        f"It builds on {names}, which {do} not pass yet: if your code uses {them}, begin there."
        if wrong
        else ""
    )


def find_sheet(name):
    """The sheet, or a Result that says that there is none and which name is nearest."""
    try:
        return load_sheet(name)
    except KeyError:
        return Result(str(name), False, no_such_exercise(name), "unknown_exercise")


def no_such_exercise(name):
    near = difflib.get_close_matches(str(name), published_names(), 1, 0.4)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return f"There is no exercise called {name!r} here.{meant}"


def is_stand_in(obj):
    return getattr(obj, "is_stand_in", False) is True
