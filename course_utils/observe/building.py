"""Build a student's object, give it weights, and put arguments where its signature wants them."""
import inspect

import torch

from .case import DTYPES, parameters
from .problem import Problem, describe_type


def build(cls, use):
    """Construct the student's class; arguments in order, `dtype` and `device` by keyword."""
    if not isinstance(cls, type):
        raise Problem(f"expected the class {use.contract.name} itself, got {describe_type(cls)}", "instance_for_class")
    settings = dict(use.case.build)
    keywords = {key: settings.pop(key) for key in ("dtype", "device") if key in settings}
    if isinstance(keywords.get("dtype"), str):
        keywords["dtype"] = DTYPES[keywords["dtype"]] if use.case.dtype == keywords["dtype"] else use.dtype
    instance = cls(*settings.values(), **keywords)
    if use.contract.kind == "module":
        if not isinstance(instance, torch.nn.Module):
            raise Problem(f"{use.contract.name} is not a torch.nn.Module: write class {use.contract.name}(nn.Module)", "not_a_module")
        instance.to(use.dtype)
        instance.train(not use.case.evaluating)
    return instance


def give_weights(use):
    """Copy the case's weights into the named layers and watch them."""
    for name, weight in use.case.weights.items():
        layer = getattr(use.instance, name, None)
        if not isinstance(layer, torch.nn.Module) or not isinstance(getattr(layer, "weight", None), torch.Tensor):
            raise Problem(f"the class has no layer called {name}: make it in __init__ as self.{name} = nn.Linear(...)", "missing_name")
        if getattr(layer, "bias", None) is not None:
            raise Problem(f"{name} has a bias: this exercise wants nn.Linear(..., bias=False)", "bias")
        if layer.weight.shape != weight.shape:
            got, wanted = tuple(layer.weight.shape), tuple(weight.shape)
            raise Problem(f"{name}.weight has shape {got}; expected {wanted} (nn.Linear keeps (out, in))", "layer_shape")
        with torch.no_grad():
            layer.weight.copy_(weight.to(layer.weight.dtype))
        use.given.append((f"{name}.weight", layer.weight, layer.weight.detach().clone()))
        if use.with_gradients:
            use.leaves[f"{name}.weight"] = layer.weight


def arrange(method, signature, args):
    """Required arguments go by position, optional ones by their name (by position where the name is another)."""
    names, required = parameters(signature)
    try:
        accepted = inspect.signature(getattr(method, "forward", method)).parameters  # a module's own call takes any name
        any_name = any(p.kind is p.VAR_KEYWORD for p in accepted.values())
    except (TypeError, ValueError):
        accepted, any_name = {}, True
    positional, keywords = [], {}
    for place, (name, value) in enumerate(args.items()):
        by_place = name in required or (name not in accepted and not any_name and name == names[place] and not keywords)
        if by_place and len(positional) == place:
            positional.append(value)
        else:
            keywords[name] = value
    return positional, keywords
