"""The ways to call a learner's program: all functions or methods, roles of their parameters, and layouts.

A family is a module that knows one kind of topic. WORDS: names and orders of arguments. CONSTRUCTOR: patterns
for constructors. sizes(request): adds a value for every size that a parameter may mean. options(way):
{option: values, likely ones first}. value(role, request, way): an argument. run(way, request): the result of
one or several calls.
"""

import inspect
from itertools import product

import numpy as np
import torch

from .parameters import call, names_used, parameters
from .retell import request_of
from .roles import SETTINGS, Recipe, plans, recipes, setting
from .values import to_library

USUAL = ("forward", "__call__", "attend", "attention", "step", "decode", "apply", "run", "generate")
INHERITED = {name for name in dir(torch.nn.Module) if name != "forward"}


def libraries(obj):
    """ "torch", "numpy" and "list", in the order that the code suggests."""
    if isinstance(obj, type) and issubclass(obj, torch.nn.Module):
        return ("torch",)
    names = names_used(obj)
    if "torch" in names:
        return ("torch", "numpy", "list")
    return ("numpy", "list", "torch") if names & {"np", "numpy"} else ("list", "numpy", "torch")


def methods_of(cls):
    """The names of the methods to try, the likely ones first."""
    own = [name for c in cls.__mro__ if c not in (object, torch.nn.Module) for name in vars(c)]
    for name in ("forward", "__call__"):
        if name in own:
            return [name]
    public = [name for name in own if not name.startswith("_") and name not in INHERITED]
    ordered = dict.fromkeys([*(name for name in USUAL if name in public), *public])
    return [name for name in ordered if inspect.isroutine(getattr(cls, name, None))][:4]


class Target:
    """What to call: a function, or a method of an object made by a recipe. parameters: without self."""

    def __init__(self, function, recipe=None, method=""):
        self.recipe, self.method = recipe, method
        self.function = getattr(recipe.cls, method) if recipe else function
        self.space = getattr(inspect.unwrap(self.function), "__globals__", {})
        bound = recipe and not isinstance(inspect.getattr_static(recipe.cls, method), staticmethod)
        self.parameters = parameters(self.function)[1 if bound else 0 :]
        self.name = f"{recipe.cls.__name__}.{method}" if recipe else ""


def targets(obj, request, hints):
    """Iterate over Targets, the likely ones first."""
    if not isinstance(obj, type):
        yield Target(obj)
    else:
        space = vars(inspect.getmodule(obj) or inspect)
        for recipe in recipes(obj, space, request, hints):
            yield from (Target(None, recipe, method) for method in methods_of(obj))


class Way:
    """A way to call a program, with a sheet's arguments. plan: {parameter: role}. choice: {option: value}."""

    def __init__(self, family, step, target, plan, choice):
        self.family, self.step, self.target, self.plan, self.choice = family, step, target, plan, choice
        self.roles = {str(role) for role in plan.values()}

    @property
    def name(self):
        plan = ", ".join(f"{name}={role}" for name, role in self.plan.items())
        return f"{self.target.name}({plan}) " + " ".join(f"{k}:{v}" for k, v in self.choice.items())

    def __call__(self, last=False, **arguments):
        array = np.ascontiguousarray(self.family.run(self, self.family.sizes(request_of(arguments))))
        array = array[:, -1:] if last else array
        return torch.from_numpy(array if array.dtype.kind in "bi" else array.astype(np.float64))

    def with_choice(self, **choice):
        """The same way with some options changed."""
        return Way(self.family, self.step, self.target, self.plan, self.choice | choice)

    def once(self, request, function=None):
        """What the program returns for one call. function: called in place of a new object's method."""
        values = {name: self.value(role, request) for name, role in self.plan.items()}
        return call(function or self.callee(request), self.target.parameters, values)

    def callee(self, request):
        if not self.target.recipe:
            return self.target.function
        return getattr(self.construct(request), self.target.method)

    def construct(self, request):
        """Make a new object."""
        try:
            thing = self.value(self.target.recipe, request)
        except Exception:
            self.target.recipe.broken = True  # no method of such an object can be called
            raise
        return thing.eval() if isinstance(thing, torch.nn.Module) else thing

    def constructor_argument(self, role, request):
        """An argument of a constructor. Sizes come from the request, not from the family."""
        is_size = type(request.get(role)) is int
        return request[role] if is_size else self.value(role, request)

    def value(self, role, request):
        if isinstance(role, Recipe):
            values = {name: self.constructor_argument(own, request) for name, own in role.roles.items()}
            return call(role.cls, role.parameters, values)
        if role in SETTINGS and role not in self.family.WORDS.hints:
            return setting(role, request)
        value = self.family.value(role, request, self)
        return to_library(value, self.choice["lib"]) if isinstance(value, np.ndarray) else value


def ways(family, obj, request, step):
    """Iterate over Ways, the likely ones first."""
    rows = []
    words = family.WORDS
    forms = [*words.cached, *words.forms] if step.is_cached else words.forms
    objects = family.variants(obj) if hasattr(family, "variants") else [obj]
    hints = getattr(family, "CONSTRUCTOR", {})
    for first, target in enumerate(t for variant in objects for t in targets(variant, request, hints)):
        candidates = plans(target.parameters, target.space, forms, words.optional, request, words.hints)
        for second, plan in enumerate(candidates):
            options = family.options(Way(family, step, target, plan, {}))
            options.setdefault("lib", libraries(obj)[: 2 if step.is_cached else 3])
            for places in product(*(range(len(values)) for values in options.values())):
                choice = {n: list(options[n])[place] for n, place in zip(options, places, strict=True)}
                rows.append((first + second + sum(places), Way(family, step, target, plan, choice)))
    for _, way in sorted(rows, key=lambda row: row[0]):
        if not (way.target.recipe and way.target.recipe.broken):
            yield way
