"""The faults that probes found although the values are right: a Verdict -> (mistake, sentence) of each."""

import torch

from course_utils.model.case import dtype_name
from course_utils.model.sentences import all_sentences, say

# in torch's messages
TWO_DTYPES = ("same dtype", "expected scalar type", "expected m1 and m2", "dtype mismatch")
IN_PLACE = ("in-place", "inplace")
OVERWRITES = "modified by an inplace operation"
WHY = all_sentences()["why"]  # why a fault matters, for faults that leave the results usable
# the faults in WHY that break a lesson's own cells: these reuse their tensors (changes_input), join float32
# with float64 (casts_dtype), look up rows (not_whole), and train layers (the others)
SPOILS = {"changes_input", "casts_dtype", "not_whole"}
SPOILS |= {"detached", "nan_gradient", "wrong_gradient", "overwrites_needed"}


def faults(verdict, contract):
    """Every fault of this case, the most basic first. Students read the first of the first case that has
    one."""
    case, observation = verdict.case, verdict.seen
    yield from missed_points(case, observation, contract)
    if observation.changed:
        yield "changes_input", say("changes_input", what=join_names(observation.changed))
    if observation.not_copies:
        yield "not_copies", say("not_copies", names=join_names(observation.not_copies))
    if observation.not_views:
        yield "not_views", say("not_views", what=f"{join_names(observation.not_views)} are in")
    if observation.second == "shared":
        yield "shared_memory", say("shared_memory")
    elif observation.second == "kept":
        yield "keeps_inputs", say("keeps_inputs")
    elif observation.second == "differs":
        yield "unsteady", say("unsteady")
    elif observation.second != "same":
        yield "unsteady", say("second_call_raises", error=observation.second)
    if isinstance(observation.gradients, str) and "numpy()" in observation.gradients:
        yield "detached", say("through_numpy", error=observation.gradients)
    yield from dtype_faults(verdict, contract)
    yield from device_faults(verdict)
    yield from gradient_faults(verdict)
    for name, values in observation.narrow.items():
        yield from narrow_faults(name, values, verdict)


def missed_points(case, observation, contract):
    """Faults with which right values earn nothing: memory that is the point of an exercise, or a function
    that must be written by hand."""
    if observation.ready_made:
        yield "ready_made", say("ready_made", function=observation.ready_made)
    if observation.reallocates:
        yield "not_views", say("not_views", what="the object has")
    if observation.escape:
        yield "escape", say("escape", place=observation.escape)
    if observation.too_large:
        advice = say("keep_few" if contract.kind == "object" else "one_block")
        shape = tuple(observation.too_large)
        yield "too_large", say("too_large", shape=shape, limit=case.too_large, advice=advice)
    elif observation.held:
        advice = say("keep_few")
        yield "memory_grows", say("memory_grows", held=observation.held, limit=case.too_large, advice=advice)


def dtype_faults(verdict, contract):
    if contract.library == "numpy":
        return  # any float dtype is right
    for fact, value in verdict.wanted.values.items():
        got = verdict.seen.values[fact]
        if depends_on_sizes_alone(verdict.case, contract) and is_float(value) and is_float(got):
            continue
        if is_float(value) and got.dtype != getattr(torch, verdict.case.dtype):
            clause = say(dtype_clause(verdict.case), dtype=verdict.case.dtype)
            yield "casts_dtype", say("has_dtype", fact=fact, dtype=dtype_name(got.dtype)) + clause
        elif is_float(got) and not is_float(value):
            yield "not_whole", say("has_dtype", fact=fact, dtype=dtype_name(got.dtype)) + say("not_whole")


def depends_on_sizes_alone(case, contract):
    """Is there nothing among the arguments that says which dtype is wanted? Then any float dtype is right."""
    return not case.has_floats and "dtype" not in contract.signatures[""]


def dtype_clause(case):
    """The key of the end of a sentence about a dtype: what it should be, and where that was said."""
    if "dtype" in (case.build or {}):
        return "dtype_of_init"
    if any("dtype" in call.args for call in case.calls):
        return "dtype_requested"
    return "dtype_of_inputs" if case.has_floats else "dtype_expected"


def device_faults(verdict):
    for fact, device in verdict.wanted.where.items():
        got = verdict.seen.where.get(fact)
        if device != "cpu" and got != device:
            yield "fixed_device", say("other_device", device=repr(device), fact=fact, got=repr(got))
    clash = verdict.seen.device_clash
    if clash:
        key = "result_without_device" if clash == "return" else "tensor_without_device"
        yield "fixed_device", say(key, operator=clash)


def gradient_faults(verdict):
    wanted, got = verdict.wanted_gradients, verdict.gradients
    if isinstance(verdict.seen.gradients, str):
        error = verdict.seen.gradients
        short = error.split(": [")[0]
        if OVERWRITES in error:
            yield "overwrites_needed", say("overwrites_needed", error=short)
        elif any(words in error for words in IN_PLACE):
            yield "changes_input", say("changes_in_place", error=short)
        else:
            yield "detached", say("backward_raises", error=error)
        return
    cut = [f for f, sketch in wanted.items() if f not in got and any(abs(x) > 1e-9 for x in sketch[1:])]
    wrong = verdict.wrong_gradients
    if got and verdict.wanted.gradients and not wanted:
        yield "keeps_graph", say("keeps_graph", names=join_names(dict.fromkeys(fact.name for fact in got)))
    elif cut:
        yield "detached", say("detached", names=join_names(cut))
    elif wrong and torch.isnan(got[wrong[0]]).any():
        yield "nan_gradient", say("nan_gradient", fact=wrong[0])
    elif wrong:
        yield "wrong_gradient", say("wrong_gradient", fact=wrong[0])


def narrow_faults(name, values, verdict):
    """Faults of the case in a narrower dtype: it must not raise, must keep the dtype, and must stay close."""
    if isinstance(values, str):
        more = say("cast_somewhere") if any(tell in values for tell in TWO_DTYPES) else ""
        yield "casts_dtype", say("narrow_raises", dtype=name, error=values) + more
        return
    for fact, value in verdict.wanted.values.items():
        got = values.get(fact)
        if not is_float(value) or not isinstance(got, torch.Tensor):
            continue
        if got.dtype != getattr(torch, name):
            yield "casts_dtype", say("narrow_dtype", fact=fact, dtype=name, got=dtype_name(got.dtype))
            return
        if fact in verdict.inexact[name]:
            yield "inexact", say("inexact", fact=fact, dtype=name)
            return


def is_float(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def join_names(names):
    return " and ".join(map(str, names))
