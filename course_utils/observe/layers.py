"""Copy the weights of a case into the layers of a student's module, by name."""

import torch
from torch import nn

from course_utils.model.case import Fact, Fake

from .interface import Problem

BIAS = ".bias"  # suffix of a bias in a case's weights
LINEAR, NORM = "nn.Linear", "nn.LayerNorm"


def give_weights(trial):
    """Copy the case's weights into the named layers and watch them for changes: "up" is the weight of a
    layer, "up.bias" its bias."""
    for name, numbers in trial.case.weights.items():
        parameter = parameter_for(name, numbers, trial)
        with torch.no_grad():
            parameter.copy_(numbers.to(parameter.dtype))
        fact = Fact(name if name.endswith(BIAS) else f"{name}.weight")
        trial.inputs.append((fact, parameter, parameter.detach().clone()))
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
        got, wanted = tuple(parameter.shape), tuple(numbers.shape)
        order = " (nn.Linear keeps (out, in))" if len(wanted) == 2 else ""
        raise Problem(f"{layer_name}.{kind} has shape {got}; expected {wanted}{order}", "layer_shape")
    for other, value, _ in trial.inputs:
        if value is parameter:
            maker = layer_kind(layer_name, trial)
            more = " (`[nn.Linear(...)] * 4` is one layer, four times)" if maker == LINEAR else ""
            text = f"{other} and {layer_name}.{kind} are the same object: make an {maker} for each{more}"
            raise Problem(text, "shared_layer")
    return parameter


def layer_for(name, trial):
    """The layer of this name; raises a Problem if there is none."""
    layer, owner = trial.instance, name.partition(".")[0]
    fake, attribute = trial.fakes.get(Fact(owner)), getattr(trial.instance, owner, None)
    if type(attribute) is type(fake) and attribute is not fake:
        text = "the class keeps a copy of the module that it is given, with weights of its own"
        raise Problem(f"{text}: write self.{owner} = {owner}", "copied_module")
    for part in name.split("."):
        layer = getattr(layer, part, None)
    if isinstance(layer, torch.nn.Module) and isinstance(getattr(layer, "weight", None), torch.Tensor):
        return layer
    if isinstance(trial.case.build.get(owner), Fake):
        text = f"the class does not keep the module it is given: write self.{owner} = {owner} in __init__"
    else:
        line = f"self.{name} = {layer_kind(name, trial)}(...)"
        text = f"the class has no layer called {name}: make it in __init__ as {line}"
    raise Problem(text, "missing_name")


def layer_kind(name, trial):
    """The kind of a layer: a matrix of weights belongs to a Linear, a vector to a LayerNorm."""
    return LINEAR if trial.case.weights[name].dim() == 2 else NORM


def check_bias(name, layer, trial):
    """Raise a Problem if a bias is missing, or is there and not wanted."""
    wanted, has_bias = f"{name}{BIAS}" in trial.case.weights, getattr(layer, "bias", None) is not None
    if has_bias and not wanted and trial.lenient:
        nn.init.zeros_(layer.bias)
    elif has_bias and not wanted:
        raise Problem(f"{name} has a bias: this exercise wants nn.Linear(..., bias=False)", "bias")
    if wanted and not has_bias:
        maker = layer_kind(name, trial)
        raise Problem(f"{name} has no bias: this exercise wants the one that {maker} has by default", "bias")
