"""The name of an exercise and an object -> the Result of the visible cases, for a notebook."""

import difflib
import sys
from dataclasses import replace
from functools import partial

from course_utils.compare.tolerance import tolerance_of
from course_utils.compare.verdict import compare, wrong_facts
from course_utils.model.result import Result
from course_utils.model.sentences import say
from course_utils.model.sheet import load_sheet, published_names
from course_utils.observe.crash import crash_of
from course_utils.observe.limit import SECONDS, WALL_SECONDS, TimeUp, limit_in_force, time_limit
from course_utils.observe.nested import checking
from course_utils.observe.probe import observe

from .assess import NOT_STARTED, assess
from .axes import sure_axes

NO_END = say("no_end", seconds=f"{SECONDS:g}")
WAITS = say("waits", seconds=f"{SECONDS:g}", wall=f"{WALL_SECONDS:g}")


def assess_visible(name, obj):
    """The Result of the exercise's visible cases. Never raises for what the student's code does."""
    sheet = find_sheet(name)
    if isinstance(sheet, Result):
        return sheet
    points = float(sheet.points)
    if is_stand_in(obj):
        return Result(name, False, say("stand_in", name=name), "stand_in", 0.0, points)
    try:
        try:
            with time_limit(), checking(name):
                result = observe_and_assess(sheet, obj)
        except TimeUp as error:
            if limit_in_force():  # the limit of an enclosing check
                raise
            text = WAITS if error.waited else NO_END
            result = Result(name, False, text, "no_end", 0.0, points, "error", text)
            result.crash = crash_of(error.first, {}, getattr(obj, "__name__", ""))
        result.note = wrong_foundations(sheet, result)
        return result
    except Exception as error:  # student code's exceptions are caught before: this is our fault
        text = say("broken", kind=type(error).__name__, error=error)
        return Result(name, False, text, None, 0.0, points, "broken")


def observe_and_assess(sheet, obj):
    observations, crashes = [], {}
    for number, (case, wanted) in enumerate(zip(sheet.cases, sheet.wanted, strict=True)):
        errors, right = [], partial(are_right, wanted, tolerance_of(case, sheet.contract))
        observations.append(observe(obj, case, sheet.contract, on_error=errors.append, may_be_right=right))
        if errors:  # read at once: later cases may change the values on the line
            axes = sure_axes(case, wanted, sheet.contract)
            crashes[number] = crash_of(errors[0], axes, getattr(obj, "__name__", ""))
    if all(observation.unwritten for observation in observations):
        name, points = sheet.contract.name, float(sheet.points)
        return Result(name, False, NOT_STARTED, None, 0.0, points, "not_started", unwritten=True)
    return assess(replace(compare(sheet, observations), obj=obj, crashes=crashes))


def are_right(wanted, tolerance, values):
    return not wrong_facts(values, wanted, tolerance)


def find_sheet(name):
    """The sheet, or a Result that says that there is none and suggests the nearest name."""
    try:
        return load_sheet(name)
    except KeyError:
        near = difflib.get_close_matches(str(name), published_names(), 1, 0.4)
        text = say("unknown_exercise", name=repr(name)) + (
            say("did_you_mean", name=repr(near[0])) if near else ""
        )
        return Result(str(name), False, text, "unknown_exercise")


def is_stand_in(obj):
    return getattr(obj, "is_stand_in", False) is True


def wrong_foundations(sheet, result):
    """Say which exercises that this one builds on are in the notebook and do not pass: they come first."""
    if result.accepted:
        return ""
    space, wrong = vars(sys.modules["__main__"]), []
    for name in sheet.uses:
        if name in space and name in published_names():
            other = assess_visible(name, space[name])
            if not other.accepted and (result.status != "not_started" or other.status == "not_started"):
                wrong.append(name)
    names = " and ".join(filter(None, (", ".join(wrong[:-1]), *wrong[-1:])))
    return say("builds_on_several" if len(wrong) > 1 else "builds_on", names=names) if wrong else ""
