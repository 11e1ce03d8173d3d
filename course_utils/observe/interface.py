"""Use a student's object as the exercise specifies: build it, give it weights, pass arguments, unpack what it
returns."""

import ast
import hashlib
import inspect
import traceback

import numpy as np
import torch
from torch import nn

from course_utils.model.case import DTYPES, Fact, Fake, parameters
from course_utils.model.sentences import say

SEVERAL = "number_of_results"
BIAS = ".bias"  # suffix of a bias in a case's weights
LINEAR, NORM = "nn.Linear", "nn.LayerNorm"


class Problem(Exception):
    """The object cannot be used as the exercise specifies; the message is for the student, `mistake` is a
    stable name."""

    def __init__(self, message, mistake="wrong_interface"):
        super().__init__(message)
        self.mistake = mistake


def build(cls, trial):
    """Construct the student's class; arguments by position, `dtype` and `device` by keyword."""
    name, case = trial.contract.name, trial.case
    if not isinstance(cls, type):
        raise Problem(say("not_a_class", name=name, value=describe_type(cls)), "instance_for_class")
    settings = {
        key: trial.prepare(Fact(key), value) if isinstance(value, Fake) else value
        for key, value in case.build.items()
    }
    keywords = {key: settings.pop(key) for key in ("dtype", "device") if key in settings}
    if isinstance(keywords.get("dtype"), str):
        # The case's own dtype is passed unchanged, even if this trial is narrower (a KV cache in float64).
        # Any other is replaced by the trial's dtype; no exercise of the course asks for one.
        keywords["dtype"] = DTYPES[keywords["dtype"]] if case.dtype == keywords["dtype"] else trial.dtype
    instance, error = returned_or_raised(cls, settings.values(), keywords)
    if error is not None:
        raise error_or_problem(error, trial.contract.signatures[""])
    if trial.contract.kind == "module":
        if not isinstance(instance, nn.Module):
            raise Problem(say("not_a_module", name=name), "not_a_module")
        instance.to(trial.dtype)
        instance.train(not case.evaluating)
    return instance


def returned_or_raised(function, positional, keywords):
    """Call the function: (what it returns, None), or (None, the error)."""
    try:
        return function(*positional, **keywords), None
    except NotImplementedError:  # a stub: not an outcome of the call
        raise
    except Exception as error:
        return None, error


def error_or_problem(error, signature):
    """The error of a call; a Problem for a TypeError before any student code ran: our arguments do not
    fit."""
    files = {frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)}
    ours = (__file__, torch.__file__.removesuffix("__init__.py"))  # all of torch: decorators add frames
    if isinstance(error, TypeError) and all(file.startswith(ours) for file in files):
        return Problem(say("wrong_signature", signature=signature, error=error), "wrong_signature")
    return error


def arrange(method, signature, args):
    """(positional arguments, keyword arguments) of a call: required ones by position, optional ones by name.
    Where the student renamed an optional one, it and all before it go by position."""
    names, defaults = parameters(signature)
    required = [name for name in args if name not in defaults]
    optional = [name for name in args if name in defaults]
    own = accepted(method) if optional else None  # slow to read, so only where it matters
    by_position = up_to_renamed(names, optional, own) or required
    positional = [args[name] if name in args else ast.literal_eval(defaults[name]) for name in by_position]
    return positional, {name: value for name, value in args.items() if name not in by_position}


def up_to_renamed(names, optional, own):
    """The names up to the last optional one that the student's own parameters lack; [] if they lack none, or
    stand in another order."""
    renamed = [name for name in optional if own is not None and name not in own]
    up_to_last = names[: max(map(names.index, renamed)) + 1] if renamed else []
    pairs = zip(own or (), up_to_last, strict=False)
    return [] if any(theirs in names and theirs != name for theirs, name in pairs) else up_to_last


def accepted(method):
    """The names of its parameters; None if it accepts any name, or if its signature cannot be read."""
    try:  # nn.Module.__call__ accepts any name: look at forward instead
        parameters = inspect.signature(getattr(method, "forward", method)).parameters
    except (TypeError, ValueError):
        return None
    return None if any(p.kind is p.VAR_KEYWORD for p in parameters.values()) else list(parameters)


def unpack(returned, wanted, contract, lenient=False):
    """A return value as {result name: tensor}; anything else than the exercise asks for raises a Problem.
    lenient: entries of a dict may be missing."""
    names = list(wanted)
    if contract.container == "none":
        return {}
    if returned is None:
        raise Problem(say("returns_none"), "returns_none")
    if contract.container == "sequence" and isinstance(returned, torch.Tensor) and returned.dim():
        returned = returned.unbind()
    if contract.container == "dict" and wanted is contract.returns:
        results = entries(returned, [n for n in names if n in returned] if lenient else names)
    elif len(names) == 1 and isinstance(returned, (tuple, list)):
        text = say("several_things", count=len(returned), kind=type(returned).__name__, name=names[0])
        if isinstance(returned, list):
            are_tensors = all(isinstance(item, torch.Tensor) for item in returned)
            advice = "join_tensors" if are_tensors else "stay_with_tensors"
            text += say("join_arrays" if contract.library == "numpy" else advice)
        raise Problem(text, SEVERAL)
    elif len(names) == 1:
        results = {names[0]: returned}
    elif not isinstance(returned, (tuple, list)) or len(returned) != len(names):
        is_one = not isinstance(returned, (tuple, list))
        got = f"{describe_type(returned)} alone" if is_one else f"{len(returned)} things"
        raise Problem(say("other_number", got=got, count=len(names), names=", ".join(names)), SEVERAL)
    else:
        results = dict(zip(names, returned, strict=True))
    return {name: as_result(name, value, contract) for name, value in results.items()}


def entries(returned, names):
    """The named entries of a dict; raises a Problem for anything else."""
    keys = ", ".join(names)
    if not isinstance(returned, dict):
        raise Problem(say("not_a_dict", value=describe_type(returned), keys=keys), "wrong_container")
    missing = " and no key ".join(name for name in names if name not in returned)
    if missing:
        raise Problem(say("missing_key", missing=missing, keys=keys), "missing_key")
    return {name: returned[name] for name in names}


def as_result(name, value, contract):
    """The value, if it has the type of the exercise's results; raises a Problem for anything else."""
    if contract.library == "int" and hasattr(value, "__index__") and not isinstance(value, bool):
        return torch.tensor(int(value))
    if contract.library == "numpy" and isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return value
    if contract.library == "torch" and isinstance(value, torch.Tensor):
        return value
    expected = {"int": "an int", "numpy": "a NumPy array"}.get(contract.library, "a torch tensor")
    raise Problem(say("wrong_type", name=name, value=describe_type(value), wanted=expected), "wrong_type")


def answers(returned, contract, salt):
    """{name: fingerprint of its answer} for a dict of answers; `salt` is mixed in. Only fingerprints are
    published, so that nobody reads answers by accident."""
    if returned is None:
        raise Problem(say("no_answer"), "not_started")
    texts = {name: as_answer(value) for name, value in entries(returned, list(contract.returns)).items()}
    texts = {name: f"{contract.name} {name} {salt}: {text}" for name, text in texts.items()}
    return {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in texts.items()}


def as_answer(value):
    """An answer in canonical form. Upper and lower case, the order of keys, and the order of a list of pairs,
    tuples or lists make no difference; the order inside a pair does."""
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{as_answer(k)}: {as_answer(v)}" for k, v in value.items())) + "}"
    if isinstance(value, (torch.Tensor, np.ndarray, np.generic)):
        return as_answer(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [as_answer(item) for item in value]
        scalars = (isinstance(v, (int, str, np.generic)) or getattr(v, "ndim", 1) == 0 for v in value)
        ordered = isinstance(value, (list, tuple)) and all(scalars)
        return "[" + ", ".join(items if ordered else sorted(items)) + "]"
    return str(value).strip().casefold()


def describe_type(value):
    """'a torch tensor', 'None', 'an int'."""
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    if isinstance(value, torch.Tensor):
        return "a torch tensor"
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    word = type(value).__name__
    return ("an " if word[0] in "aeiou" else "a ") + word


# ---- the weights of a case, copied into the layers of a module, by name


def give_weights(trial):
    """Copy the case's weights into the named layers and watch them for changes: "up" is the weight of a
    layer, "up.bias" its bias."""
    for name, numbers in trial.case.weights.items():
        parameter = parameter_for(name, numbers, trial)
        numbers = numbers.to(parameter.dtype)
        with torch.no_grad():
            parameter.copy_(numbers)
        fact = Fact(name if name.endswith(BIAS) else f"{name}.weight")
        trial.inputs.append((fact, parameter, numbers))
        if trial.with_gradients:
            trial.leaves[fact] = parameter


def parameter_for(name, numbers, trial):
    """The weight or the bias that takes these numbers; raises a Problem if there is none that fits."""
    layer_name = name.removesuffix(BIAS)
    layer = layer_for(layer_name, trial)
    check_bias(layer_name, layer, trial)
    kind = "bias" if name.endswith(BIAS) else "weight"
    parameter = getattr(layer, kind)
    if parameter.shape != numbers.shape:
        shapes = {"shape": tuple(parameter.shape), "wanted": tuple(numbers.shape)}
        order = say("out_in") if numbers.dim() == 2 else ""
        raise Problem(say("layer_shape", layer=layer_name, kind=kind, **shapes) + order, "layer_shape")
    for other, value, _ in trial.inputs:
        if value is parameter:
            maker = layer_kind(layer_name, trial)
            more = say("one_layer_many_times") if maker == LINEAR else ""
            text = say("shared_layer", other=other, layer=layer_name, kind=kind, maker=maker)
            raise Problem(text + more, "shared_layer")
    return parameter


def layer_for(name, trial):
    """The layer of this name; raises a Problem if there is none."""
    layer, owner = trial.instance, name.partition(".")[0]
    fake, attribute = trial.fakes.get(Fact(owner)), getattr(trial.instance, owner, None)
    if type(attribute) is type(fake) and attribute is not fake:
        raise Problem(say("copied_module", name=owner), "copied_module")
    for part in name.split("."):
        layer = getattr(layer, part, None)
    if isinstance(layer, nn.Module) and isinstance(getattr(layer, "weight", None), torch.Tensor):
        return layer
    if isinstance(trial.case.build.get(owner), Fake):
        raise Problem(say("module_not_stored", name=owner), "missing_name")
    raise Problem(say("no_layer", name=name, maker=layer_kind(name, trial)), "missing_name")


def layer_kind(name, trial):
    """The kind of a layer: a matrix of weights belongs to a Linear, a vector to a LayerNorm."""
    return LINEAR if trial.case.weights[name].dim() == 2 else NORM


def check_bias(name, layer, trial):
    """Raise a Problem if a bias is missing, or is there and not wanted."""
    wanted, has_bias = f"{name}{BIAS}" in trial.case.weights, getattr(layer, "bias", None) is not None
    if has_bias and not wanted and trial.lenient:
        nn.init.zeros_(layer.bias)
    elif has_bias and not wanted:
        raise Problem(say("has_bias", name=name), "bias")
    elif wanted and not has_bias:
        raise Problem(say("no_bias", name=name, maker=layer_kind(name, trial)), "bias")
