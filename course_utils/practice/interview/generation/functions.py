"""A function or a class comes in, functions of a model, tokens and a number go out."""

import inspect
from dataclasses import is_dataclass, replace
from typing import get_args

import torch

from ..attention.calls import class_of, is_class, methods_of
from .fake import FakeModel
from .settled import settled


def functions_of(obj):
    """What somebody wrote as functions of a model, tokens and a number; other settings have defaults."""
    return [one for function in written(obj) for one in settled(function)]


def written(obj):
    """What somebody wrote as functions of (model, tokens, ...): itself, or the methods of a class that is
    made of a model or is a model itself."""
    if not is_class(obj):
        return [flat(obj)]
    cls = class_of(obj)
    names = methods_of(cls, ("generate", "sample", "generate_text", "run"))
    own = [name for name in (*names, "forward") if name in vars(cls)]
    made = [made_of(cls, name, getattr(cls, name)) for name in own]
    if issubclass(cls, torch.nn.Module) and "forward" in vars(cls):
        inner = [name for name in own if name not in ("__call__", "forward")]
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
    first, later = Flat(cls), Flat(method, 1)

    def function(**named):
        return getattr(cls(**first.values(named)), name)(**later.values(named))

    return signed(function, {**first.all(), **later.all()})


def flat(function):
    """The same function, which takes the fields of its records by name, where it takes records."""
    known = Flat(function)
    if not known.records:
        return function
    return signed(lambda **named: function(**known.values(named)), known.all())


def signed(function, known):
    """The function with {name: parameter} as its signature, all by name."""
    some = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in known.values()]
    function.__signature__ = inspect.Signature(some)
    return function


class Flat:
    """plain: {name: parameter} of a function. records: {name: (class, default)} of its configurations."""

    def __init__(self, function, skip=0):
        space = getattr(inspect.unwrap(getattr(function, "__init__", function)), "__globals__", {})
        space = getattr(inspect.unwrap(function), "__globals__", space)
        known = some_parameters(function)[skip:]
        found = {one.name: record_of(one, space) for one in known}
        self.records = {
            one.name: (found[one.name], one.default if is_record(one.default) else None)
            for one in known
            if found[one.name]
        }
        self.plain = {one.name: one for one in known if one.name not in self.records}
        self.fields = {name: fields_of(*record) for name, record in self.records.items()}

    def all(self):
        return {**self.plain, **{one.name: one for some in self.fields.values() for one in some}}

    def values(self, named):
        """What the function is called with: records are made of their fields."""
        given = {name: named[name] for name in self.plain if name in named}
        for name, (cls, default) in self.records.items():
            own = {one.name: named[one.name] for one in self.fields[name] if one.name in named}
            given[name] = changed(default, own) if default is not None else cls(**own)
        return given


def record_of(one, space):
    """The dataclass or named tuple that a parameter is annotated with, or has as its default; or None."""
    found = space.get(one.annotation) if isinstance(one.annotation, str) else one.annotation
    for cls in (found, *get_args(found), type(one.default)):
        plain = isinstance(cls, type) and not issubclass(cls, torch.nn.Module)
        if plain and (is_dataclass(cls) or hasattr(cls, "_fields")):
            return cls
    return dict if isinstance(one.default, dict) and is_named(one.default) else None


def is_named(found):
    """Are all keys of a dictionary names?"""
    return bool(found) and all(isinstance(name, str) and name.isidentifier() for name in found)


def is_record(value):
    return is_dataclass(value) or hasattr(value, "_fields") or isinstance(value, dict)


def fields_of(cls, default):
    """The fields of a record as parameters; those of a dictionary are what it has by default."""
    if cls is not dict:
        return some_parameters(cls)
    kind = inspect.Parameter.KEYWORD_ONLY
    return [inspect.Parameter(name, kind, default=one) for name, one in default.items()]


def changed(default, own):
    """A copy of a record with some fields changed."""
    if isinstance(default, dict):
        return {**default, **own}
    return replace(default, **own) if is_dataclass(default) else default._replace(**own)


def some_parameters(function):
    many = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    try:
        found = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):  # Python does not know
        return []
    return [one for one in found if one.kind not in many]


def model_itself(cls, method):
    """The class's loop, with the fake model in the place of its own forward."""

    def function(model, *args, **named):
        model.__class__ = type("Fake" + cls.__name__, (FakeModel, cls), {})
        return getattr(model, method)(*args, **named)

    return function
