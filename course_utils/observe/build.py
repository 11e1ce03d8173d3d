"""Build a student's object, give it weights, and put arguments where its signature wants them."""

import ast
import inspect

import torch

from course_utils.model.case import DTYPES, Fact, parameters

from .problem import Problem, describe_type


def build(cls, use):
    """Construct the student's class; arguments in order, `dtype` and `device` by keyword."""
    if not isinstance(cls, type):
        raise Problem(
            f"expected the class {use.contract.name} itself, got {describe_type(cls)}", "instance_for_class"
        )
    settings = dict(use.case.build)
    keywords = {key: settings.pop(key) for key in ("dtype", "device") if key in settings}
    if isinstance(keywords.get("dtype"), str):
        keywords["dtype"] = DTYPES[keywords["dtype"]] if use.case.dtype == keywords["dtype"] else use.dtype
    instance = cls(*settings.values(), **keywords)
    if use.contract.kind == "module":
        if not isinstance(instance, torch.nn.Module):
            raise Problem(
                f"{use.contract.name} is not a torch.nn.Module: write class {use.contract.name}(nn.Module)",
                "not_a_module",
            )
        instance.to(use.dtype)
        instance.train(not use.case.evaluating)
    return instance


def give_weights(use):
    """Copy the case's weights into the named layers and watch them."""
    for name, weight in use.case.weights.items():
        layer = getattr(use.instance, name, None)
        if not isinstance(layer, torch.nn.Module) or not isinstance(
            getattr(layer, "weight", None), torch.Tensor
        ):
            raise Problem(
                f"the class has no layer called {name}: make it in __init__ as self.{name} = nn.Linear(...)",
                "missing_name",
            )
        if getattr(layer, "bias", None) is not None:
            raise Problem(f"{name} has a bias: this exercise wants nn.Linear(..., bias=False)", "bias")
        if layer.weight.shape != weight.shape:
            got, wanted = tuple(layer.weight.shape), tuple(weight.shape)
            raise Problem(
                f"{name}.weight has shape {got}; expected {wanted} (nn.Linear keeps (out, in))", "layer_shape"
            )
        same = next((other.name for other, given, _ in use.given if given is layer.weight), None)
        if same:
            raise Problem(
                f"{same} and {name}.weight are one and the same: make an nn.Linear for each (`[nn.Linear(...)] * 4` is one layer, four times)",
                "shared_layer",
            )
        with torch.no_grad():
            layer.weight.copy_(weight.to(layer.weight.dtype))
        fact = Fact(f"{name}.weight")
        use.given.append((fact, layer.weight, layer.weight.detach().clone()))
        if use.with_gradients:
            use.leaves[fact] = layer.weight


def arrange(method, signature, args):
    """Required arguments go by position, optional ones by their name; by position as well where they have other names."""
    names, defaults = parameters(signature)
    by_place, theirs = [name for name in args if name not in defaults], accepted(method)
    renamed = [name for name in args if name in defaults and theirs is not None and name not in theirs]
    first = names[: max(map(names.index, renamed)) + 1] if renamed else []
    if all(
        their == name or their not in names for their, name in zip(theirs or (), first, strict=False)
    ):  # none of them in another place
        by_place = first or by_place
    positional = [args[name] if name in args else ast.literal_eval(defaults[name]) for name in by_place]
    return positional, {name: value for name, value in args.items() if name not in by_place}


def accepted(method):
    """The names of its parameters; None where it takes any, or does not tell."""
    try:
        found = inspect.signature(
            getattr(method, "forward", method)
        ).parameters  # a module's own call takes any name
    except (TypeError, ValueError):
        return None
    return None if any(p.kind is p.VAR_KEYWORD for p in found.values()) else list(found)
