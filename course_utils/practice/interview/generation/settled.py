"""A function that needs settings, or a generator, comes in; functions that have them already go out."""

import inspect
import random
import re

import numpy as np
import torch

from ..parameters import parameters
from .fake import VOCAB
from .options import LEAVE, NAMES, nothing, plain

GENERATORS = (np.random.default_rng, torch.Generator, random.Random)
CHANCE = r"(np_?|torch_?)?(rng|gen|generator|prng|random_generator)"
GIVEN = {"block": 64, "end": VOCAB - 1}  # more than any text has; what the model never says


def settled(function):
    """Iterator of functions whose needed settings do nothing by default. Where a generator is needed it is
    tried with those of each library."""
    needed = [one for one in parameters(function) if one.needed]
    values = {one.name: resting(one) for one in needed}
    values = {name: value for name, value in values.items() if value is not LEAVE}
    short = [name for name in values if len(name) == 1]
    if len(needed) - len(values) < 3:  # then one letter may be the number of tokens
        values = {name: value for name, value in values.items() if name not in short}
    chance = [one.name for one in needed if re.fullmatch(CHANCE, plain(one.name))]
    if not values and not chance:
        yield function
        return
    for generator in GENERATORS if chance else (None,):
        yield with_defaults(function, values, chance, generator)


def resting(one):
    role = next((role for role, names in NAMES.items() if re.fullmatch(names, plain(one.name))), None)
    if role == "seed":
        return 1
    return GIVEN.get(role, nothing(role, one)) if role else LEAVE


def with_defaults(function, values, chance, generator):
    """The function with these values as defaults; each call gets new random generators for `chance`."""

    def complete(**named):
        fresh = {name: generator() for name in chance}
        return function(**{**values, **fresh, **named})

    known = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY, default=values.get(one.name, one.default))
        for one in inspect.signature(function).parameters.values()
        if one.name not in chance and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    complete.__signature__ = inspect.Signature(known)
    return complete
