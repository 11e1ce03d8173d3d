"""A class and the sizes of a request come in, the ways to make an object of it go out."""

import inspect
import re
from dataclasses import is_dataclass
from itertools import islice, product

import torch

from .hints import ARRAYS, SIZES, role_of
from .parameters import LEFT_OUT, call, parameters

MOST = 16  # ways to make an object that are tried
GUESSES = ("d_model", "heads", "max_len", "kv_heads", "head_dim", "model")
SETTINGS = {"dropout": 0.0, "device": "cpu", "dtype": torch.float32, "flag": False, "base": 10000.0}
SETTINGS |= {"layers": 2, "layer": 0}
WEIGHTS = ("wq", "wk", "wv", "wo", "wqkv", "wkv", "weights", "bq", "bk", "bv", "bo")
BLOCK = re.compile(r".*(block|tile|chunk).*|b[rckq]")
USUAL = ("forward", "__call__", "attend", "attention", "step", "decode", "apply", "run", "generate")
INHERITED = {name for name in dir(torch.nn.Module) if name != "forward"}
CONFIG_NAME = re.compile(r"(?i)co?n?fi?g|args|params|settings|options|dims|spec|hyper")


class Config:
    """A configuration that knows the size behind any name, as an attribute, a key or an entry of `get`."""

    def __init__(self, sizes):
        self.__dict__["sizes"] = sizes

    def __getattr__(self, name):
        role = role_of(name, SIZES)
        for table in (self.sizes, SETTINGS):
            if role in table:
                return table[role]
        raise AttributeError(f"this configuration has nothing called {name}")

    def __getitem__(self, name):
        try:
            return getattr(self, str(name))
        except AttributeError:
            raise KeyError(name) from None

    def __contains__(self, name):
        return self.get(name) is not None

    def get(self, name, default=None):
        return getattr(self, str(name), default)


def config_classes(parameter, function):
    """Classes of the learner that may be the parameter's type: its annotation, the class of its default, or a
    configuration class of the same notebook."""
    space = getattr(inspect.unwrap(function), "__globals__", {})
    annotation = parameter.annotation
    annotation = space.get(annotation) if isinstance(annotation, str) else annotation
    beside = list(space.values()) if role_of(parameter.name, SIZES) == "config" else []
    options = [annotation, *getattr(annotation, "__args__", ()), type(parameter.default), *beside]
    return [cls for cls in options if is_config(cls, space)][:2]


def is_config(cls, space):
    """A class of the same notebook that holds settings, and is no layer and no record of weights."""
    if not isinstance(cls, type) or cls.__module__ != space.get("__name__") or hasattr(cls, "forward"):
        return False
    holds = any(role_of(name, ARRAYS) in WEIGHTS for name in getattr(cls, "__annotations__", {}))
    is_record = is_dataclass(cls) or hasattr(cls, "_fields") or CONFIG_NAME.search(cls.__name__)
    return bool(is_record) and not holds


def left_out(role):
    """No argument: it is left to its default, or Python says that it is missing."""
    return LEFT_OUT


class Recipe:
    """A class and the role of each parameter of its constructor."""

    def __init__(self, cls, roles):
        self.cls, self.roles = cls, roles

    def __repr__(self):
        return f"{self.cls.__name__}(...)"

    def make(self, sizes, value=left_out):
        """The object. value(role): an argument that is no size."""
        return call(self.cls, {name: argument(role, sizes, value) for name, role in self.roles.items()})


def argument(role, sizes, value=left_out):
    if isinstance(role, Recipe):
        thing = role.make(sizes, value)
        for name in vars(role.cls) if not role.roles else ():  # sizes in the body of a class
            size = sizes.get(role_of(name, SIZES))
            if type(getattr(thing, name)) is int and size is not None:
                setattr(thing, name, size)
        return thing
    if role == "config":
        return Config(sizes)
    if role in sizes:
        return sizes[role]
    return SETTINGS[role] if role in SETTINGS else value(role)


def recipes(cls, sizes, hints=(), is_record=False):
    """Iterator of Recipe, the likely first. hints: {role: pattern} of a family, before the common ones."""
    wanted = parameters(cls)
    options = [options_of(parameter, cls, sizes, dict(hints), is_record) for parameter in wanted]
    for roles in islice(product(*options), MOST):
        numbers = [role for role in roles if role in GUESSES]
        if len(set(numbers)) == len(numbers) or is_record or "d_model" in numbers:
            yield Recipe(cls, {p.name: role for p, role in zip(wanted, roles, strict=True) if role})


def options_of(parameter, cls, sizes, hints, is_record):
    """The roles that one parameter may have; None: it is left to its default."""
    name, needed = parameter.name, parameter.needed
    role, array = role_of(name, SIZES), role_of(name, ARRAYS)
    role = "block" if "block" in sizes and BLOCK.fullmatch(name.lower()) else role
    configs = [] if is_record else config_classes(parameter, getattr(cls, "__init__", cls))
    own = [recipe for config in configs for recipe in islice(recipes(config, sizes, hints, True), 2)]
    if own:
        return [*own, "config"]
    if role_of(name, hints):
        return [role_of(name, hints)]
    if array in WEIGHTS and not is_record and needed and (len(name) > 1 or role != "heads"):
        return [array]
    if role in ("group_size", "kv_heads") and role in sizes:  # a default of None stands for as many as heads
        return [role, "group_size" if role == "kv_heads" else "kv_heads"]
    if len(name) == 1 and role == "d_model" and needed and name not in "dD":
        return ["heads", "d_model", "max_len"]
    if role in sizes and (needed or type(parameter.default) is int or is_record):
        return [role]
    if not needed:
        return [None]
    if role in SETTINGS or role == "config":
        return [role]
    return [guess for guess in GUESSES if guess in sizes]


def working(cls, sizes, value=left_out, hints=()):
    """Iterator of the recipes whose object can be made; at least the first, so that its error shows."""
    every, works = list(recipes(cls, sizes, hints)), False
    for recipe in every:
        try:
            recipe.make(sizes, value)
        except Exception:  # noqa: S112  (the next recipe may do; where none does, the first one raises again)
            continue
        works = True
        yield recipe
    if not works:
        yield from every[:1]


def methods_of(cls):
    """The names of the methods that may be meant, the likely first."""
    own = [name for c in cls.__mro__ if c not in (object, torch.nn.Module) for name in vars(c)]
    for name in ("forward", "__call__"):
        if name in own:
            return [name]
    public = [name for name in own if not name.startswith("_") and name not in INHERITED]
    ordered = dict.fromkeys([*(name for name in USUAL if name in public), *public])
    return [name for name in ordered if inspect.isroutine(getattr(cls, name, None))][:4]


class Target:
    """What can be called: a function, or a method of the objects of a recipe. signed: what has the signature.
    skip: how many of its first parameters Python fills in."""

    def __init__(self, name, signed, skip=0, recipe=None, method=""):
        self.name, self.signed, self.skip, self.recipe, self.method = name, signed, skip, recipe, method

    def make(self, request, value=left_out, thing=None):
        """What is called. thing: the object, if there is one already."""
        if self.recipe is None:
            return self.signed
        return getattr(self.thing(request, value) if thing is None else thing, self.method)

    def thing(self, request, value=left_out):
        thing = self.recipe.make(request, value)
        return thing.eval() if isinstance(thing, torch.nn.Module) else thing


def targets(obj, request, value=left_out, hints=()):
    """Iterator of Target, the likely first."""
    if not isinstance(obj, type):
        yield Target("", obj)
    elif issubclass(obj, torch.autograd.Function):
        yield Target(f"{obj.__name__}.apply", applied(obj))
    else:
        for recipe in working(obj, request, value, hints):
            for method in methods_of(obj):
                static = isinstance(inspect.getattr_static(obj, method), staticmethod)
                signed = getattr(obj, method)
                yield Target(f"{obj.__name__}.{method}", signed, 0 if static else 1, recipe, method)


def applied(cls):
    """Its `apply`, with the signature of its `forward` but for the context."""

    def apply(*arguments):
        return cls.apply(*arguments)

    signature = inspect.signature(cls.forward)
    apply.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])
    return apply
