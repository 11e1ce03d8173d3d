"""Observations and what is wanted -> a Verdict for each case: wrong values first, then what the probes
reported."""

from dataclasses import dataclass
from functools import cached_property

import torch

from course_utils.model.case import RAISED, Case
from course_utils.model.observation import Observation
from course_utils.model.sheet import PROBES, Wanted

from .sentences import CHANGES_INPUT, UNSTEADY
from .tolerance import is_close, same_sketch, sketch_of, tolerance_of

GRADIENT_TOLERANCE = 1e-4
TWO_DTYPES = ("same dtype", "expected scalar type", "expected m1 and m2", "dtype mismatch")  # torch's words
IN_PLACE = ("in-place", "inplace")  # torch's words
HAND_ON = "Hand on the device of an input, as in `device=x.device`"


@dataclass
class Verdict:
    """One case: number (its place in the sheet), case, wanted, seen (the Observation), tolerance.

    wrong: facts whose value is not the wanted one (all of them when it raised). faults: (mistake, sentence)
    of every fault that the probes found, where the values are right; only the first is shown.
    right: the values are those wanted, and no tensor was too large: where memory is the point of an exercise,
    right values alone earn nothing.
    """

    number: int
    case: Case
    wanted: Wanted
    seen: Observation
    tolerance: float
    wrong: list
    faults: list

    @property
    def right(self):
        return not self.wrong and not self.seen.too_large

    @cached_property
    def sketches(self):
        """The results as sketches, comparable with a known mistake's."""
        if self.seen.problem or self.seen.raised:
            return {RAISED: self.seen.problem or self.seen.raised}
        return {fact: sketch_of(value) for fact, value in self.seen.values.items()}


def compare(sheet, observations):
    """A Verdict for each case of the sheet."""
    rows = zip(sheet.cases, sheet.wanted, observations, strict=True)
    return [verdict_of(number, *row, sheet.contract) for number, row in enumerate(rows)]


def verdict_of(number, case, wanted, seen, contract):
    tolerance = tolerance_of(case, contract)
    if seen.raised or seen.problem:
        wrong = list(wanted.values)
    else:
        wrong = [
            f for f, value in wanted.values.items() if not is_close(seen.values.get(f), value, tolerance)
        ]
    found = [] if wrong or not contract.probes else list(faults(case, wanted, seen, contract))
    return Verdict(number, case, wanted, seen, tolerance, wrong, found)


def score(sheet, verdicts):
    """The core cases pay their share (70 %), all or nothing; every edge, and the probes together, pay theirs
    of the rest by their weights."""
    if not all(v.right for v in verdicts if not v.case.edge and not v.case.device):
        return 0.0
    edges = [(v.case.name, v.right) for v in verdicts if v.case.edge and not v.case.device]
    if sheet.contract.probes:
        edges.append((PROBES, not any(v.faults or (v.case.device and v.wrong) for v in verdicts)))
    weights = [sheet.weights.get(name, 1) for name, _ in edges]
    right = sum(weight for weight, (_, right) in zip(weights, edges, strict=True) if right)
    share = sheet.core + (1 - sheet.core) * right / sum(weights) if edges else 1.0
    return round(share * float(sheet.points), 6)


# ---- what is left where all values are right

NARROW = "Models compute in bfloat16 or float16, for speed and memory"
LEARNS = "Training changes a weight by its gradient"
WHY = {  # of faults with which the results can still be used
    "changes_input": "A caller goes on with its tensor, and would compute with other numbers than it made.",
    "not_copies": "A later change of one of the two, as in training, changes the other, and nothing raises.",
    "casts_dtype": f"{NARROW}: there a tensor of another dtype raises, or makes all that follows slower.",
    "not_whole": "Where rows are looked up by number, as in an embedding, torch takes whole numbers only.",
    "inexact": f"{NARROW}: there the answer would no longer be right.",
    "fixed_device": "On a GPU all tensors of one operation have to be there, or it raises.",
    "detached": f"{LEARNS}: behind a cut, nothing is learned.",
    "nan_gradient": f"{LEARNS}: after one NaN, all weights are NaN.",
    "wrong_gradient": f"{LEARNS}: with a wrong one it learns something else.",
    "keeps_graph": "A graph that grows with every call keeps all earlier tensors in memory.",
}
# those of them that break a lesson's own cells: other numbers than the cell made, float32 that meets float64,
# a float that is to look up a row, a layer that cannot be trained
SPOILS = {"changes_input", "casts_dtype", "not_whole", "detached", "nan_gradient", "wrong_gradient"}


def left_over(verdicts):
    """The names of what is left where all values are right; None where values are wrong, or where results
    cannot be relied on (they change from call to call, say)."""
    if any(v.wrong and not v.case.device for v in verdicts):
        return None
    left = ["fixed_device" for v in verdicts if v.wrong]
    left += [mistake for v in verdicts for mistake, _ in v.faults]
    return list(dict.fromkeys(left)) if left and set(left) <= set(WHY) else None


# ---- what the probes say: (mistake, sentence)


def faults(case, wanted, seen, contract):
    """(mistake, sentence) of every fault, the most basic first: only that one is shown."""
    if seen.changed:
        yield "changes_input", CHANGES_INPUT["values right"].format(what=listed(seen.changed))
    if seen.not_copies:
        text = "slices, `.T`, `.chunk` and `.split` are views of it, `.contiguous()` may be one"
        memory = f"the memory of {listed(seen.not_copies)} is that of an argument"
        yield "not_copies", f"{memory}: {text}. `.clone()` copies"
    if seen.not_views:
        text = "write into memory that is reserved once, in __init__, and return views of it"
        yield "not_views", f"{listed(seen.not_views)} lie in new memory after every call: {text}"
    if seen.too_large:
        made = f"a tensor of shape {tuple(seen.too_large)} is made on the way"
        text = f"one of {case.too_large} entries or more is too large here"
        yield (
            "too_large",
            f"{made}: {text}. Work on one block at a time, and keep only what the next one needs",
        )
    if seen.second == "shared":
        text = "reserve it in __init__, as self.name, and neither on the class nor for all objects of a size"
        yield "shared_memory", f"two objects of one class write into the same memory: {text}"
    elif seen.second == "differs":
        yield "unsteady", UNSTEADY["other results"]
    elif seen.second != "same":
        yield "unsteady", UNSTEADY["exception"].format(error=seen.second)
    yield from dtype_faults(case, wanted, seen, contract)
    yield from device_faults(wanted, seen)
    yield from gradient_faults(wanted, seen)
    for name, values in seen.narrow.items():
        yield from narrow_faults(name, values, wanted, case, contract)


def dtype_faults(case, wanted, seen, contract):
    if contract.library == "numpy":
        return  # any float is fine there
    for fact, value in wanted.values.items():
        got = seen.values[fact]
        if is_float(value) and got.dtype != getattr(torch, case.dtype):
            yield "casts_dtype", f"`{fact}` has dtype {bare(got.dtype)} {wish(case)}"
        elif is_float(got) and not is_float(value):
            text = "whole numbers are wanted, as `.long()` makes them"
            yield "not_whole", f"`{fact}` has dtype {bare(got.dtype)}: {text}"


def wish(case):
    """The end of a sentence on a dtype: 'for float64 inputs: keep the inputs' dtype', or the dtype that the
    constructor or the call was asked for."""
    asked = f"where dtype={case.dtype} was asked for: hand dtype on to every tensor that you make"
    if "dtype" in (case.build or {}):
        return f"{asked} in __init__"
    if any("dtype" in call.args for call in case.calls):
        return asked
    if not case.has_floats:
        return f"where {case.dtype} is wanted"
    return f"for {case.dtype} inputs: keep the inputs' dtype"


def device_faults(wanted, seen):
    for fact, device in wanted.where.items():
        got = seen.where.get(fact)
        if device != "cpu" and got != device:
            text = f"`{fact}` came back on {got!r}: pass device= on to every tensor that you make"
            yield "fixed_device", f"asked for device={device!r}, {text}"
    if seen.device_clash == "return":
        text = "the result is made without device=: on a GPU it would not be where the inputs are"
        yield "fixed_device", f"{text}. {HAND_ON}"
    elif seen.device_clash:
        text = "a tensor is made without device=: on a GPU it would meet the inputs in"
        yield "fixed_device", f"{text} `{seen.device_clash}` and raise. {HAND_ON}"


def gradient_faults(wanted, seen):
    if isinstance(seen.gradients, str):
        if any(words in seen.gradients for words in IN_PLACE):
            text = CHANGES_INPUT["exception in the backward pass"]
            yield "changes_input", text.format(error=seen.gradients.split(": [")[0])
        else:
            yield "detached", f"with inputs that require a gradient it raises {seen.gradients}"
        return
    expected = {fact: sketch for fact, sketch in (wanted.gradients or {}).items() if sketch is not None}
    got = {fact: gradient for fact, gradient in (seen.gradients or {}).items() if gradient is not None}
    cut = [f for f, sketch in expected.items() if f not in got and any(abs(x) > 1e-9 for x in sketch[1:])]
    wrong = [f for f, sketch in expected.items() if f in got and not same_gradient(got[f], sketch)]
    if got and wanted.gradients and not expected:
        names = listed(dict.fromkeys(fact.name for fact in got))
        text = "which so grows with every call: write under `torch.no_grad()`"
        yield "keeps_graph", f"what it gives still belongs to the graph of {names}, {text}"
    elif cut:
        text = "(`.detach()`, `.data`, `.item()`, `torch.no_grad`, or a new tensor made from numbers)"
        yield "detached", f"no gradient reaches {listed(cut)}: the graph is cut {text}"
    elif wrong and torch.isnan(got[wrong[0]]).any():
        text = "backward through `-inf` rows, 0/0 or an `exp` that overflows, even where the forward value"
        yield "nan_gradient", f"the gradient at {wrong[0]} is NaN: {text} was mended afterwards"
    elif wrong:
        text = "is not: a part of the graph is cut or changed"
        yield "wrong_gradient", f"the gradient at {wrong[0]} {text}"


def same_gradient(gradient, sketch):
    return same_sketch(sketch_of(gradient), sketch, GRADIENT_TOLERANCE)


def narrow_faults(name, values, wanted, case, contract):
    """The same case in a narrower dtype: it must not raise, must keep the dtype, and must stay close."""
    dtype = getattr(torch, name)
    if isinstance(values, str):
        two = any(tell in values for tell in TWO_DTYPES)
        more = ". Something is made in another dtype than the inputs have, or cast to one" if two else ""
        yield "casts_dtype", f"with {name} inputs it raises {values}{more}"
        return
    for fact, value in wanted.values.items():
        got = values.get(fact)
        if not is_float(value) or not isinstance(got, torch.Tensor):
            continue
        if got.dtype != dtype:
            text = f"comes back as {bare(got.dtype)}: keep the inputs' dtype"
            yield "casts_dtype", f"`{fact}` of {name} inputs {text}"
            return
        if not is_close(got, value, tolerance_of(case, contract, dtype)):
            yield "inexact", f"`{fact}` of {name} inputs is further off than {name} itself explains"
            return


def is_float(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def bare(dtype):
    return str(dtype).removeprefix("torch.")


def listed(names):
    return " and ".join(map(str, names))
