"""A class and the sizes of a request come in, the ways to make an object of it go out."""

import inspect
import re
from dataclasses import is_dataclass
from itertools import islice, product

import torch

from .hints import ARRAYS, SIZES, role_of
from .parameters import call, parameters

MOST = 16  # ways to make an object that are tried
GUESSES = ("d_model", "heads", "max_len", "kv_heads", "head_dim")
SETTINGS = {"dropout": 0.0, "device": "cpu", "dtype": torch.float32, "flag": False, "base": 10000.0}
SETTINGS |= {"layers": 2, "layer": 0}
WEIGHTS = ("wq", "wk", "wv", "wo", "wqkv", "wkv", "weights", "bq", "bk", "bv", "bo")
BLOCK = re.compile(r".*(block|tile|chunk).*|b[rckq]")
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
    """The learner's own classes that the parameter may want: its annotation, or one beside it."""
    space = getattr(inspect.unwrap(function), "__globals__", {})
    annotation = parameter.annotation
    annotation = space.get(annotation) if isinstance(annotation, str) else annotation
    beside = list(space.values()) if role_of(parameter.name, SIZES) == "config" else []
    return [cls for cls in [annotation, *beside] if is_config(cls, space)][:2]


def is_config(cls, space):
    """A class of the same notebook that holds settings, and is no layer and no record of weights."""
    if not isinstance(cls, type) or cls.__module__ != space.get("__name__") or hasattr(cls, "forward"):
        return False
    holds = any(role_of(name, ARRAYS) in WEIGHTS for name in getattr(cls, "__annotations__", {}))
    return not holds and bool(
        is_dataclass(cls) or hasattr(cls, "_fields") or CONFIG_NAME.search(cls.__name__)
    )


class Recipe:
    """A class and the role of each parameter of its constructor."""

    def __init__(self, cls, roles):
        self.cls, self.roles = cls, roles

    def __repr__(self):
        return f"{self.cls.__name__}(...)"

    def make(self, sizes, value=None):
        """The object. value(role): an argument that is no size."""
        return call(self.cls, {name: argument(role, sizes, value) for name, role in self.roles.items()})


def argument(role, sizes, value=None):
    if isinstance(role, Recipe):
        thing = role.make(sizes)
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


def recipes(cls, sizes, arrays=WEIGHTS, depth=0):
    """Iterator of Recipe, the likely first."""
    wanted = parameters(cls)
    record = depth > 0
    options = [options_of(choice, cls, sizes, arrays, record) for choice in wanted]
    for roles in islice(product(*options), MOST):
        numbers = [role for role in roles if role in GUESSES]
        if len(set(numbers)) == len(numbers) or record or "d_model" in numbers:
            yield Recipe(cls, {p.name: role for p, role in zip(wanted, roles, strict=True) if role})


def options_of(parameter, cls, sizes, arrays, record):
    """The roles that one parameter may have; None: it is left to its default."""
    role, array = role_of(parameter.name, SIZES), role_of(parameter.name, ARRAYS)
    role = "block" if "block" in sizes and BLOCK.fullmatch(parameter.name.lower()) else role
    init = getattr(cls, "__init__", cls)
    configs = [] if record else config_classes(parameter, init)
    own = [recipe for config in configs for recipe in islice(recipes(config, sizes, (), 1), 2)]
    if own:
        return [*own, "config"]
    if array in arrays and parameter.needed and (len(parameter.name) > 1 or role != "heads"):
        return [array]
    is_number = type(parameter.default) is int
    if role in ("group_size", "kv_heads") and role in sizes:  # a default of None stands for as many as heads
        return [role, "group_size" if role == "kv_heads" else "kv_heads"]
    if len(parameter.name) == 1 and role == "d_model" and parameter.needed and parameter.name not in "dD":
        return ["heads", "d_model", "max_len"]
    if role in sizes and (parameter.needed or is_number or record):
        return [role]
    if not parameter.needed:
        return [None]
    if role in SETTINGS or role == "config":
        return [role]
    return [guess for guess in GUESSES if guess in sizes]


def working(cls, sizes, value):
    """Iterator of the recipes whose object can be made; at least the first, so that its error shows."""
    first, works = None, False
    for recipe in recipes(cls, sizes):
        first = first or recipe
        try:
            recipe.make(sizes, value)
        except Exception:  # noqa: S112  (the next recipe may do; where none does, the first one raises again)
            continue
        works = True
        yield recipe
    if not works and first:
        yield first


def targets(obj, request, methods_of):
    """Iterator of (name, what has the signature, parameters to skip, make(request) -> what is called)."""
    if not isinstance(obj, type):
        yield "", obj, 0, lambda request: obj
        return
    if issubclass(obj, torch.autograd.Function):
        yield f"{obj.__name__}.apply", obj.forward, 1, lambda request: obj.apply
        return
    for recipe in working(obj, request, None):
        for method in methods_of(obj):
            static = isinstance(inspect.getattr_static(obj, method), staticmethod)

            def make(request, recipe=recipe, method=method):
                thing = recipe.make(request)
                if isinstance(thing, torch.nn.Module):
                    thing.eval()
                return getattr(thing, method)

            yield f"{obj.__name__}.{method}", getattr(obj, method), 0 if static else 1, make
