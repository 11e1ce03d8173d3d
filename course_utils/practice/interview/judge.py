"""Judge a program: a topic, the index of a part and an object come in; an Outcome goes out. The object is
adapted to the signature of the part's sheet (its answer key), then checked as in the lessons."""

import inspect
import re
import warnings
from dataclasses import dataclass, replace
from functools import partial, wraps
from importlib import import_module

import numpy as np
import torch
from torch.utils._pytree import tree_map_only

from course_utils.diagnose.visible import NO_END, WAITS, assess_visible, observe_and_assess
from course_utils.model.result import Result
from course_utils.observe.crash import crash_of
from course_utils.observe.limit import TimeUp, time_limit
from course_utils.observe.trial import quiet, seeded

from .blocked import blocked
from .parameters import is_needed, parameters
from .questions import text
from .retell import first_request, sheet_of, trial_sheet
from .roles import named_role
from .search import assess_way, explain, search
from .ways import libraries, ways

READY_MADE = ("scaled_dot_product_attention", "multi_head_attention_forward")
CHECK = "interview.check(lambda {}: {})"
NOT = {"bool": "~{}", "numbers": "1 - {}", "list": "[[not hidden for hidden in row] for row in {}]"}


@dataclass(frozen=True)
class Outcome:
    """The judgement of a try. result: for the lessons' card. line: a line to copy that adapts the object (""
    if not needed). way: how the object was called."""

    result: Result
    line: str = ""
    way: str = ""


def check(topic, part, obj):
    """The Outcome of a try at one part of a topic. It never raises for errors in the object."""
    step = topic.parts[part]
    obj = obj if isinstance(obj, type) or inspect.isroutine(obj) or isinstance(obj, partial) else type(obj)
    try:
        with time_limit():
            return outcome(topic, step, obj)
    except TimeUp as error:
        result = failed(topic, WAITS if error.waited else NO_END, "no_end", "error")
        result.crash = crash_of(error.first, {})
        return Outcome(result)
    except Exception as error:  # errors of the learner's code were caught before: this one is ours
        return Outcome(failed(topic, text("broke", type(error).__name__, error), None, "broken"))


def failed(topic, text, mistake=None, status="wrong"):
    return Result(topic.name, False, text, mistake, status=status)


def outcome(topic, step, obj):
    with quiet() as out, seeded(0), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with blocked(step.ready_made or READY_MADE) as names:
            judged = try_step(topic, step, obj)
        if names and not judged.result.passed:
            judged = Outcome(failed(topic, text("ready_made", min(names)), "ready_made"))
    judged.result.printed = judged.result.printed or out.text
    return judged


def try_step(topic, step, obj):
    """Judge a program by a lesson's own check, or search for a way to call it."""
    if step.exercise:
        result = check_exercise(step.exercise, obj)
        return Outcome(result, line="" if result.passed else adapting_line(step.signature, obj))
    family = import_module(f".families.{step.family}", __package__)
    sheets = [trial_sheet(topic.name, trial) for trial in step.tries] or family.sheets(step)
    attempts = search(sheets, ways(family, obj, first_request(family, sheets), step))
    if attempts.way:
        return run_further_checks(topic, step, obj, family, attempts)
    way, result = explain(attempts)
    if result is None:
        return Outcome(failed(topic, text("no_way"), "no_way"), line=adapting_line(step.signature, obj))
    result = replace(result, name=topic.name)
    if result.mistake == "inverted" and step.family == "masks":
        result.message = text("other_sense")
        return Outcome(result, line_around(obj, NOT[attempts.comparable[0][0].kind]), way.name)
    if result.mistake == "prompt_not_returned" and not isinstance(obj, type):
        return Outcome(result, line_around(obj, family.with_prompt(way)), way.name)
    understood = attempts.half_right or attempts.comparable
    return Outcome(result, "" if understood else adapting_line(step.signature, obj), way.name)


def run_further_checks(topic, step, obj, family, attempts):
    """The Outcome for a program that is right in one way of calling it, after the part's further checks."""
    result = attempts.result
    for more in step.tries[attempts.sheet].get("also", ()) if step.tries else ():
        result = assess_way(trial_sheet(topic.name, more), attempts.way) if result.passed else result
    wrong = family.look(topic, step, obj, attempts) if result.passed and hasattr(family, "look") else None
    result = failed(topic, wrong[1], wrong[0]) if wrong else replace(result, name=topic.name)
    return Outcome(result, way=attempts.way.name)


def adapting_line(signature, obj):
    """A line such as `interview.check(lambda x, n_heads: mine(x, ..., n_heads))`; dots if no names match."""
    head = signature[signature.index("(") + 1 : signature.rindex(")")]
    if isinstance(obj, type):
        return CHECK.format(head, f"{obj.__name__}(...)(...)")
    offered = re.findall(r"\w+", re.sub(r"=\w+", "", head))
    own = [p.name for p in parameters(obj) if is_needed(p) or p.name in offered]
    roles = {named_role(name, {}, ("heads", "kv_heads")): name for name in offered}
    like = [roles.get(named_role(name, {}, ("heads", "kv_heads")), "...") for name in own]
    arguments = [name if name in offered else other for name, other in zip(own, like, strict=True)]
    return CHECK.format(head, f"{name_of(obj)}({', '.join(arguments)})")


def line_around(obj, changed):
    """The line that checks the object with a changed result. changed: an expression with {} for the call."""
    needed = list(filter(is_needed, parameters(obj)))
    call = f"{name_of(obj)}({arguments_of(needed)})"
    if isinstance(obj, type):
        later = list(filter(is_needed, parameters(getattr(obj, "forward", obj.__call__))[1:]))
        needed, call = [*needed, *later], f"{call}({arguments_of(later)})"
    return CHECK.format(", ".join(p.name for p in needed), changed.format(call))


def name_of(obj):
    return getattr(obj, "__name__", "mine").replace("<lambda>", "mine")


def arguments_of(needed):
    return ", ".join(f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else p.name for p in needed)


def check_exercise(name, obj):
    """The Result of a lesson's check, on values alone. A NumPy function gets and returns tensors."""
    sheet = sheet_of(name)
    if sheet.contract.kind == "answer":
        return assess_visible(name, obj)
    sheet = replace(sheet, contract=replace(sheet.contract, probes=False))
    first = libraries(obj)[0]
    if first == "torch" or not inspect.isfunction(obj):
        return observe_and_assess(sheet, obj)
    result = observe_and_assess(sheet, for_tensors(obj))
    return result if result.passed or first == "numpy" else observe_and_assess(sheet, obj)


def for_tensors(function):
    """Wrap a NumPy function so that it takes tensors and returns tensors of their dtype."""

    @wraps(function)
    def called(*args, **kwargs):
        tensors = [item for item in (*args, *kwargs.values()) if isinstance(item, torch.Tensor)]
        floats = next((item.dtype for item in tensors if item.is_floating_point()), None)
        args, kwargs = tree_map_only(torch.Tensor, array_of, (args, kwargs))
        return tree_map_only((np.ndarray, np.generic), partial(tensor_of, floats), function(*args, **kwargs))

    return called


def array_of(tensor):
    tensor = tensor.detach()
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy().copy()


def tensor_of(dtype, array):
    """Convert a NumPy result to a tensor; floats get this dtype."""
    tensor = torch.tensor(array)
    return tensor.to(dtype) if dtype and tensor.is_floating_point() else tensor
