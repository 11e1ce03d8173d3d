"""What stands for a cache before the first call: nothing, None, an empty container, or what the learner's own
functions and classes beside the answer make."""

import inspect
import re
from itertools import islice

import numpy as np
import torch

from ..build import make, recipes, value
from ..values import dress

SHAPES = (("B", "Hkv", "n", "d"), ("B", "n", "Hkv", "d"), ("B", "n", "D"))
TENSORS = [
    f"{kind} {pair} {' '.join(shape)}"
    for kind in ("empty", "zero")
    for pair in ("two", "packed")
    for shape in SHAPES
]
CONTAINERS = {
    "{}": dict,
    "[]": list,
    "([], [])": lambda: ([], []),
    "(None, None)": lambda: (None, None),
    "[None, None]": lambda: [None, None],
}
EMPTY = ("nothing", "None", *CONTAINERS, "{name: []}", "{name: None}", *TENSORS)
CACHE = r".*(cache|state|store|memory|kv|past|history|buffer|init|empty|new).*"
OTHER_VERBS = r"(test|check|run|bench|time|plot|show|print|demo|main|compare|try|assert|verify).*"
STARTS = r"(init|new|empty|make|create|alloc|fresh|start|zeros|blank|build).*"


class ListByName(dict):
    """{"k": [], "v": []}, whatever the names."""

    def __missing__(self, name):
        return self.setdefault(name, [])


class NoneByName(dict):
    """{"k": None, "v": None}, whatever the names."""

    def __missing__(self, name):
        return None


def initial(name, given, library, batched=True):
    """What stands for a cache before the first call."""
    if name in CONTAINERS:
        return CONTAINERS[name]()
    if name.startswith("{name"):
        return ListByName() if "[]" in name else NoneByName()
    kind, pair, *axes = name.split()
    sizes = {**given, "n": 0 if kind == "empty" else given["sizes"]["max_len"]}
    zeros = np.zeros([sizes[one] for one in axes if batched or one != "B"])
    two = [dress(zeros, library) for _ in range(2)]
    return tuple(two) if pair == "two" else torch.stack(two) if library == "torch" else np.stack(two)


class Factory:
    """A function, a class or a method that makes a cache, and the roles of its arguments."""

    def __init__(self, name, made_by, recipe):
        self.name, self.made_by, self.recipe = name, made_by, recipe

    def __repr__(self):
        return f"{self.name} {self.recipe}"

    def __call__(self, thing, given):
        function = getattr(thing, self.made_by) if isinstance(self.made_by, str) else self.made_by
        return make(function, self.recipe, given["sizes"])


def factories(cls, signed, sizes):
    """[Factory] of what stands beside the answer, or in its class; those that speak of a cache come first."""
    found = [(name, name, getattr(cls, name)) for name in vars(cls or object) if is_start(name, cls)]
    for name, one in beside(signed, cls):
        found.append((name, one, one))
        found += [
            (f"{name}.{inner}", getattr(one, inner), getattr(one, inner))
            for inner in vars(one)
            if isinstance(one, type) and re.fullmatch(STARTS, inner) and callable(getattr(one, inner))
        ]
    made = []
    for name, made_by, signature in found:
        for recipe in islice(cache_recipes(signature, sizes, isinstance(made_by, str)), 6):
            made.append(Factory(name, made_by, recipe))
    return made


def is_start(name, cls):
    return bool(re.fullmatch(STARTS, name) and re.fullmatch(CACHE, name) and callable(getattr(cls, name)))


def beside(signed, cls):
    """(name, function or class) of the same module; layers are left out."""
    space = getattr(inspect.unwrap(signed), "__globals__", {})
    own = [
        (name, one)
        for name, one in list(space.items())
        if (inspect.isfunction(one) or isinstance(one, type))
        and one.__module__ == space.get("__name__")
        and one is not signed
        and one is not cls
        and not re.fullmatch(OTHER_VERBS, name.lower())
        and not (isinstance(one, type) and issubclass(one, torch.nn.Module))
    ]
    speaking = [one for one in own if re.fullmatch(CACHE, one[0].lower())]
    return speaking + [one for one in own if isinstance(one[1], type) and one not in speaking]


def cache_recipes(function, sizes, method):
    """The recipes that make something. What is called a width or heads may be that of one kv head."""
    swaps = ({"d_model": "head_dim", "heads": "kv_heads"}, {"heads": "kv_heads"}, {})
    known = {}
    for recipe in islice(recipes(function, sizes), 8):
        recipe = {name: role for name, role in recipe.items() if not (method and name == "self")}
        for swap in swaps:
            one = {name: swap.get(role, role) for name, role in recipe.items()}
            if all(value(role, sizes) is not None for role in one.values()):
                known[str(one)] = one
    for one in known.values():
        try:
            if not method:
                make(function, one, sizes)
        except Exception:  # these are not what it takes
            continue
        yield one
