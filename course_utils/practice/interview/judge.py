"""A topic, the number of its part and an object come in, the Outcome goes out: the object is adapted to the
sheet's signature, and the lessons' machinery does the rest."""

import inspect
import warnings
from dataclasses import dataclass, replace
from functools import partial, wraps
from importlib import import_module

import numpy as np
import torch

from course_utils.diagnose.visible import NO_END, assess_visible, observe_and_assess
from course_utils.model.result import Result
from course_utils.observe.crash import crash_of
from course_utils.observe.limit import TimeUp, time_limit
from course_utils.observe.trial import quiet, seeded

from .adapt import assessed, explained, search
from .blocked import SENTENCE, blocked
from .calls import libraries
from .families import plain
from .lines import adapting_line, line_for_prompt, line_for_sense
from .retell import request_of, sheet_of, trial_sheet

READY_MADE = ("scaled_dot_product_attention", "multi_head_attention_forward", "MultiheadAttention")
READY_MADE += ("TransformerEncoderLayer", "TransformerDecoderLayer", "flex_attention")
BROKE = (
    "The check itself broke ({}: {}). That is a fault of the course, not of your answer: please report it."
)
NO_WAY = "There is no way to call this with what the task passes in: what arguments does it take?"
OTHER_SENSE = (
    "True means the other thing here: in your mask it is where a query may not attend. If you mean that, say "
    "so with the line below."
)


@dataclass(frozen=True)
class Outcome:
    """What the judging of a try hands to a card. result: as the lessons' card takes it. line: the line that
    adapts the object, to be copied ("" where none is needed). way: how the object was called."""

    result: Result
    line: str = ""
    way: str = ""


def check(topic, part, obj):
    """The Outcome of a try at a part of a topic. Never raises for what the object does."""
    step = topic.parts[part]
    obj = obj if isinstance(obj, type) or inspect.isroutine(obj) or isinstance(obj, partial) else type(obj)
    try:
        with time_limit():
            return outcome(topic, step, obj)
    except TimeUp as error:
        result = failed(topic, NO_END, "no_end", "error")
        result.crash = crash_of(error.first, {})
        return Outcome(result)
    except Exception as error:  # whatever the learner's code did was observed already: this is our fault
        return Outcome(failed(topic, BROKE.format(type(error).__name__, error), None, "broken"))


def failed(topic, text, mistake=None, status="wrong"):
    return Result(topic.name, False, text, mistake, status=status)


def outcome(topic, step, obj):
    with quiet() as out, seeded(0), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with blocked(step.ready_made or READY_MADE, obj) as called:
            judged = tried(topic, step, obj)
        if called and not judged.result.passed:
            judged = besides(sorted(called)[0], topic, step, obj)
    judged.result.printed = judged.result.printed or out.text
    return judged


def besides(name, topic, step, obj):
    """What is said where a ready-made function is called: that, and what is wrong besides."""
    rest = Outcome(failed(topic, "")) if "softmax" in step.ready_made else tried(topic, step, obj)
    text = SENTENCE.format(name)
    if rest.result.passed:
        text += " All else is right."
    elif rest.result.mistake:
        text += f" Besides: {rest.result.message}"
    return Outcome(failed(topic, text, "ready_made"))


def tried(topic, step, obj):
    """The Outcome for a program: by the lesson's own check, or adapted."""
    if step.exercise:
        result = of_exercise(step.exercise, obj)
        return Outcome(result, line="" if result.passed else adapting_line(step.signature, obj))
    family = import_module(f".families.{step.family}", __package__)
    sheets = [trial_sheet(topic.name, trial) for trial in step.tries] or family.sheets(step)
    first = family.sizes(request_of(sheets[0].cases[0].calls[0].args))
    ways = getattr(family, "ways", partial(plain.ways, family))
    attempts = search(sheets, ways(obj, first, step), lambda arguments: family.sizes(request_of(arguments)))
    if attempts.way:
        return accepted(topic, step, obj, family, attempts)
    way, result = explained(attempts)
    if result is None:
        return Outcome(failed(topic, NO_WAY, "no_way"), line=adapting_line(step.signature, obj))
    result = replace(result, name=topic.name)
    if result.mistake == "inverted" and step.family == "masks":
        result.message = OTHER_SENSE
        return Outcome(result, line=line_for_sense(obj, attempts.read[0][1].way.kind), way=way)
    if result.mistake == "prompt_not_returned" and not isinstance(obj, type):
        return Outcome(result, line=line_for_prompt(obj, attempts.read[0][1].way), way=way)
    needs_line = not (attempts.half or attempts.read)
    return Outcome(result, line=adapting_line(step.signature, obj) if needs_line else "", way=way)


def accepted(topic, step, obj, family, attempts):
    """The Outcome of a program that is right in one of the ways: is it right in what else counts?"""
    for more in step.tries[attempts.sheet].get("also", ()) if step.tries else ():
        result = assessed(trial_sheet(topic.name, more), attempts.adapted)
        if not result.passed:
            return Outcome(replace(result, name=topic.name), way=attempts.way)
    wrong = family.look(topic, step, obj, attempts) if hasattr(family, "look") else None
    if wrong:
        mistake, text = wrong
        return Outcome(failed(topic, text, mistake), way=attempts.way)
    return Outcome(replace(attempts.result, name=topic.name), way=attempts.way)


def of_exercise(name, obj):
    """The Result of a lesson's check, for values alone."""
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
    """A NumPy function with the same signature, from tensors to tensors of their dtype."""

    @wraps(function)
    def called(*args, **kwargs):
        tensors = [item for item in (*args, *kwargs.values()) if isinstance(item, torch.Tensor)]
        floats = next((item.dtype for item in tensors if item.is_floating_point()), None)
        result = function(*map(array_of, args), **{name: array_of(item) for name, item in kwargs.items()})
        if isinstance(result, (tuple, list)):
            return type(result)(tensor_of(item, floats) for item in result)
        return tensor_of(result, floats)

    return called


def array_of(item):
    if not isinstance(item, torch.Tensor):
        return item
    item = item.detach()
    return (item.float() if item.dtype == torch.bfloat16 else item).numpy().copy()


def tensor_of(item, dtype):
    """A NumPy result as a tensor; floats get the dtype."""
    if not isinstance(item, (np.ndarray, np.generic)):
        return item
    tensor = torch.tensor(item)
    return tensor.to(dtype) if dtype and tensor.is_floating_point() else tensor
