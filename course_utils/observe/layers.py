"""Copy the weights of a case into the layers of a student's module, by name."""

import torch
from torch import nn

from course_utils.model.case import Fact, Fake
from course_utils.model.sentences import say

from .interface import Problem

BIAS = ".bias"  # suffix of a bias in a case's weights
LINEAR, NORM = "nn.Linear", "nn.LayerNorm"


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
