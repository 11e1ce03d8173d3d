"""The faults that probes found although the values are right: a Verdict -> (mistake, sentence) of each."""

import torch

from course_utils.model.case import dtype_name

# in torch's messages
TWO_DTYPES = ("same dtype", "expected scalar type", "expected m1 and m2", "dtype mismatch")
IN_PLACE = ("in-place", "inplace")
PASS_DEVICE = "Pass the device of an input, as in `device=x.device`"
RANDOM_OR_KEPT = "something is random (dropout, layers created in each call) or remembered between calls"

# {how it shows: sentence}, for two mistakes that show in several ways
UNSTEADY = {  # two runs of the same calls
    "other results": f"two identical calls give different results: {RANDOM_OR_KEPT}",
    "exception": f"a second, identical call raises {{error}}: {RANDOM_OR_KEPT}",
}

CHANGES_INPUT = {
    "values right": "it changes {what} in place: the caller still needs it. Make a new tensor (no "
    "`masked_fill_`, no `+=`, no `x[...] = ...`)",
    "values wrong": "it changes {what} in place, so later steps see different numbers: make a new tensor",
    "exception": "it changes a tensor in place: make a new one ({error})",
}
OVERWRITES_NEEDED = (
    "it overwrites numbers that the gradient needs: make a new tensor, as in `e = e / total` instead of "
    "`e /= total` ({error})"
)
VIEWS = "write into memory that is allocated once, in __init__, and return views of it"
ADVICE_ON_BLOCKS = "Work on one block at a time, and keep only what the next one needs"
ADVICE = {"object": "Keep only the tokens that later calls return, in memory that does not grow"}
NARROW = "Models compute in bfloat16 or float16, for speed and memory"
LEARNS = "Training updates each weight with its gradient"
WHY = {  # why a fault matters, for faults that leave the results usable
    "changes_input": "The caller goes on using its tensor, and would compute with the changed numbers.",
    "overwrites_needed": f"{LEARNS}: here the backward pass raises an error instead.",
    "not_copies": "A later change to one of the two, as in training, changes the other too, with no error.",
    "casts_dtype": f"{NARROW}: there, a tensor of another dtype raises, or slows down everything after it.",
    "not_whole": "Looking up rows by index, as in an embedding, works only with integers.",
    "inexact": f"{NARROW}: there, the answer would no longer be right.",
    "fixed_device": "On a GPU, all tensors in an operation have to be on that GPU, or it raises.",
    "detached": f"{LEARNS}: nothing before the cut is learned.",
    "nan_gradient": f"{LEARNS}: after one NaN, all weights are NaN.",
    "wrong_gradient": f"{LEARNS}: with a wrong one it learns something else.",
    "keeps_graph": "A graph that grows with every call keeps all earlier tensors in memory.",
}
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
        yield "changes_input", CHANGES_INPUT["values right"].format(what=join_names(observation.changed))
    if observation.not_copies:
        text = "slices, `.T`, `.chunk` and `.split` are views of it, `.contiguous()` may be one"
        memory = f"the memory of {join_names(observation.not_copies)} is shared with an argument"
        yield "not_copies", f"{memory}: {text}. `.clone()` copies"
    if observation.not_views:
        yield "not_views", f"{join_names(observation.not_views)} are in new memory after every call: {VIEWS}"
    if observation.second == "shared":
        text = "allocate it in __init__, as self.name, not on the class, nor once for all objects of a size"
        yield "shared_memory", f"two objects of the same class write into the same memory: {text}"
    elif observation.second == "kept":
        text = "later results change when the caller overwrites them. Copy them into memory of your own"
        yield "keeps_inputs", f"it keeps the tensors that are passed in: {text}"
    elif observation.second == "differs":
        yield "unsteady", UNSTEADY["other results"]
    elif observation.second != "same":
        yield "unsteady", UNSTEADY["exception"].format(error=observation.second)
    if isinstance(observation.gradients, str) and "numpy()" in observation.gradients:
        text = "it goes through NumPy, which has neither gradients nor GPUs: use torch only"
        yield "detached", f"{text} ({observation.gradients})"
    yield from dtype_faults(verdict, contract)
    yield from device_faults(verdict)
    yield from gradient_faults(verdict)
    for name, values in observation.narrow.items():
        yield from narrow_faults(name, values, verdict)


def missed_points(case, observation, contract):
    """Faults with which right values earn nothing: memory that is the point of an exercise, or a function
    that must be written by hand."""
    if observation.ready_made:
        text = "here you write it by hand, with `exp`, a maximum and a sum"
        yield "ready_made", f"torch's own `{observation.ready_made}` gives them: {text}"
    if observation.reallocates:
        yield "not_views", f"the object has new memory after every call: {VIEWS}"
    if observation.escape:
        text = "memory counts in this case, so compute in torch, without threads of your own"
        yield "escape", f"it computes in {observation.escape}, where memory is not watched: {text}"
    if observation.too_large:
        fault = f"an intermediate tensor of shape {tuple(observation.too_large)} is made"
        text = f"one of {case.too_large} entries or more is too large here"
        yield "too_large", f"{fault}: {text}. {ADVICE.get(contract.kind, ADVICE_ON_BLOCKS)}"
    elif observation.held:
        fault = f"the object holds {observation.held} numbers after the last call"
        yield "memory_grows", f"{fault}, and {case.too_large} or more are too many here. {ADVICE['object']}"


def dtype_faults(verdict, contract):
    if contract.library == "numpy":
        return  # any float dtype is right
    for fact, value in verdict.wanted.values.items():
        got = verdict.seen.values[fact]
        if depends_on_sizes_alone(verdict.case, contract) and is_float(value) and is_float(got):
            continue
        if is_float(value) and got.dtype != getattr(torch, verdict.case.dtype):
            yield "casts_dtype", f"`{fact}` has dtype {dtype_name(got.dtype)} {dtype_clause(verdict.case)}"
        elif is_float(got) and not is_float(value):
            text = "it should hold integers, such as `.long()` gives"
            yield "not_whole", f"`{fact}` has dtype {dtype_name(got.dtype)}: {text}"


def depends_on_sizes_alone(case, contract):
    """Is there nothing among the arguments that says which dtype is wanted? Then any float dtype is right."""
    return not case.has_floats and "dtype" not in contract.signatures[""]


def dtype_clause(case):
    """The end of a sentence about a dtype: 'for float64 inputs: keep the inputs' dtype', or the dtype that
    the constructor or the call asked for."""
    remedy = f"although dtype={case.dtype} was requested: pass dtype on to every tensor that you create"
    if "dtype" in (case.build or {}):
        return f"{remedy} in __init__"
    if any("dtype" in call.args for call in case.calls):
        return remedy
    if not case.has_floats:
        return f"where {case.dtype} is expected"
    return f"for {case.dtype} inputs: keep the inputs' dtype"


def device_faults(verdict):
    for fact, device in verdict.wanted.where.items():
        got = verdict.seen.where.get(fact)
        if device != "cpu" and got != device:
            text = f"`{fact}` came back on {got!r}: pass device= on to every tensor that you create"
            yield "fixed_device", f"with device={device!r} requested, {text}"
    clash = verdict.seen.device_clash
    if clash == "return":
        text = "the result is created without device=: on a GPU it would not be where the inputs are"
        yield "fixed_device", f"{text}. {PASS_DEVICE}"
    elif clash:
        text = "a tensor is created without device=: on a GPU, combining it with the inputs in"
        yield "fixed_device", f"{text} `{clash}` would raise. {PASS_DEVICE}"


def gradient_faults(verdict):
    wanted, got = verdict.wanted_gradients, verdict.gradients
    if isinstance(verdict.seen.gradients, str):
        error = verdict.seen.gradients
        error_text = error.split(": [")[0]
        if "modified by an inplace operation" in error:
            yield "overwrites_needed", OVERWRITES_NEEDED.format(error=error_text)
        elif any(words in error for words in IN_PLACE):
            yield "changes_input", CHANGES_INPUT["exception"].format(error=error_text)
        else:
            yield "detached", f"with inputs that require a gradient it raises {error}"
        return
    cut = [f for f, sketch in wanted.items() if f not in got and any(abs(x) > 1e-9 for x in sketch[1:])]
    wrong = verdict.wrong_gradients
    if got and verdict.wanted.gradients and not wanted:
        names = join_names(dict.fromkeys(fact.name for fact in got))
        text = "so the graph grows with every call: write under `torch.no_grad()`"
        yield "keeps_graph", f"the result still belongs to the graph of {names}, {text}"
    elif cut:
        text = "(`.detach()`, `.data`, `.item()`, `torch.no_grad`, or a new tensor made from numbers)"
        yield "detached", f"no gradient reaches {join_names(cut)}: the graph is cut {text}"
    elif wrong and torch.isnan(got[wrong[0]]).any():
        text = "backward through `-inf` rows, 0/0 or an `exp` that overflows, even where the forward value"
        yield "nan_gradient", f"the gradient at {wrong[0]} is NaN: {text} was fixed afterwards"
    elif wrong:
        text = "is not: a part of the graph is cut or changed"
        yield "wrong_gradient", f"the gradient at {wrong[0]} {text}"


def narrow_faults(name, values, verdict):
    """Faults of the case in a narrower dtype: it must not raise, must keep the dtype, and must stay close."""
    if isinstance(values, str):
        two = any(tell in values for tell in TWO_DTYPES)
        more = ". Something is made in a dtype other than the inputs', or cast to one" if two else ""
        yield "casts_dtype", f"with {name} inputs it raises {values}{more}"
        return
    for fact, value in verdict.wanted.values.items():
        got = values.get(fact)
        if not is_float(value) or not isinstance(got, torch.Tensor):
            continue
        if got.dtype != getattr(torch, name):
            text = f"comes back as {dtype_name(got.dtype)}: keep the inputs' dtype"
            yield "casts_dtype", f"`{fact}` for {name} inputs {text}"
            return
        if fact in verdict.inexact[name]:
            yield "inexact", f"`{fact}` for {name} inputs is further off than rounding in {name} explains"
            return


def is_float(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def join_names(names):
    return " and ".join(map(str, names))
