"""A function or a class comes in, functions of a model, tokens and a number go out."""

import inspect

import torch

from ..attention.calls import class_of, is_class, methods_of
from ..build import own_class
from ..parameters import parameters
from .fake import FakeModel


def functions_of(obj):
    """What somebody wrote as functions of (model, tokens, ...): itself, or the methods of a class that is
    made of a model or is a model itself."""
    if not is_class(obj):
        return [obj]
    cls = class_of(obj)
    names = methods_of(cls, ("generate", "sample", "generate_text", "run"))
    own = [name for name in names if name in vars(cls)]
    made = [made_of(cls, name, getattr(cls, name)) for name in own]
    if issubclass(cls, torch.nn.Module) and "forward" in vars(cls):
        inner = [name for name in own if name != "__call__"]
        return [with_signature(getattr(cls, name), model_itself(cls, name)) for name in inner] + made
    return made


def with_signature(method, function):
    """The function, which takes a model and what the method takes."""
    known = list(inspect.signature(method).parameters.values())[1:]
    model = inspect.Parameter("model", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    function.__signature__ = inspect.Signature([model, *known])
    return function


def made_of(cls, name, method):
    """A function of all that the constructor and the method take, by name."""
    first = {one.name: one for one in some_parameters(cls)}
    later = {one.name: one for one in some_parameters(method)[1:]}

    configs = [(one.name, own_class(one, cls)) for one in parameters(cls)]
    configs = {name: config for name, config in configs if config}
    fields = {one.name: one for config in configs.values() for one in some_parameters(config)}
    given = {name: one for name, one in first.items() if name not in configs}

    def function(**named):
        both = [{one: named[one] for one in known if one in named} for known in (first, later)]
        for place, config in configs.items():
            both[0][place] = config(**{one: named[one] for one in fields if one in named})
        return getattr(cls(**both[0]), name)(**both[1])

    known = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in {**given, **fields, **later}.values()
    ]
    function.__signature__ = inspect.Signature(known)
    return function


def some_parameters(function):
    many = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one for one in inspect.signature(function).parameters.values() if one.kind not in many]


def model_itself(cls, method):
    """The class's loop, with the fake model in the place of its own forward."""

    def function(model, *args, **named):
        model.__class__ = type("Fake" + cls.__name__, (FakeModel, cls), {})
        return getattr(model, method)(*args, **named)

    return function
