"""A method or a function that keeps a cache comes in, with an input in pieces; its outputs in one array go
out."""

from dataclasses import is_dataclass

import numpy as np
import torch

from ..build import SETTINGS
from ..parameters import call
from ..values import dress
from .caches import initial

LEFT_OUT = object()
# What a call gets as the position of its t new tokens: the number of the first one; the numbers of all, once
# or for each sequence; the number of the first one for each sequence.
PLACES = ("number", "positions (t,)", "positions (B, t)", "first of each (B,)")
CACHES = {"cache", "cache_k", "cache_v"}


class Feeder:
    """Calls the answer again and again, with the cache that the call before returned.

    plan: {parameter: role}. empty: the cache of the first call. where: which result is the output.
    place: one of PLACES.
    """

    def __init__(self, plan, empty, where, place, library, shape):
        self.plan, self.empty, self.where, self.place = plan, empty, where, place
        self.library, self.shape = library, shape

    def feed(self, target, given, arrays, made=None):
        """The outputs of all calls, one after another (B, T, D)."""
        outs, start, cache = [], 0, made
        if cache is None and self.empty not in ("nothing", "None") and isinstance(self.empty, str):
            cache = initial(self.empty, given, self.library, self.shape[1] == "B")
        for number, length in enumerate(given["chunks"]):
            rows = slice(start, start + length)
            some = {n: v[:, rows] if n in ("x", "q", "k", "v") else v for n, v in arrays.items()}
            span = (start, length)
            values = {n: self.value(role, some, given, cache, span) for n, role in self.plan.items()}
            values = {name: value for name, value in values.items() if value is not LEFT_OUT}
            chosen = target[min(number, 1)] if isinstance(target, list) else target
            try:
                result = call(chosen, values)
            except Exception as error:
                error.first_call = not number
                raise
            out, cache = self.taken_apart(result, cache, given, length)
            outs.append(out)
            start += length
        self.flowed = cache is not None or not CACHES & set(self.plan.values())
        return np.concatenate(outs, axis=1)

    def value(self, role, arrays, given, cache, span):
        if role in ("cache", "cache_k", "cache_v"):
            return self.cache_value(role, cache)
        if role == "start":
            return placed(self.place, *span, given["B"], self.library)
        if role == "use_cache":
            return True
        if role in given["sizes"]:
            return given["sizes"][role]
        if role == "dropout":
            return 0.0
        if role in ("device", "dtype", "flag", "base"):
            return LEFT_OUT
        if role in ("layer", "layers"):
            return SETTINGS[role]
        array = arrays[role]
        if role in ("x", "q", "k", "v"):
            array = {"(B, T, D)": array, "(B, D)": array[:, 0], "(T, D)": array[0], "(D,)": array[0, 0]}[
                self.shape
            ]
        return dress(array, self.library)

    def cache_value(self, role, cache):
        if cache is None:
            return LEFT_OUT if self.empty == "nothing" else None
        if role == "cache":
            return cache
        pair = cache if isinstance(cache, (tuple, list)) else (cache, cache)
        return pair[0 if role == "cache_k" else 1]

    def taken_apart(self, result, cache, given, length):
        """(output (B, t, D), what is to be handed over next)."""
        if isinstance(result, dict):
            result = tuple(result.values())
        elif is_dataclass(result):
            result = tuple(vars(result).values())
        if not isinstance(result, (tuple, list)) or holds_numbers(result):
            return self.as_output(result, given, length), cache
        place = self.where if self.where >= 0 else len(result) + self.where
        rest = [one for n, one in enumerate(result) if n != place]
        rest = [one for one in rest if one is not None]
        if len(rest) > 1 and "cache" in self.plan.values() and not all_caches(rest):
            rest = rest[-1:]
        if not rest:
            return self.as_output(result[place], given, length), cache
        new = rest[0] if len(rest) == 1 else tuple(rest)
        return self.as_output(result[place], given, length), new

    def as_output(self, value, given, length):
        array = value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)
        return array.astype(np.float64).reshape(given["B"], length, given["D"])


def holds_numbers(result):
    """Is it a list of numbers, however deep, rather than a list of results?"""
    while isinstance(result, list) and result:
        result = result[0]
    return isinstance(result, (int, float))


def placed(place, start, length, batch, library):
    """The position of the new tokens, in one of the PLACES."""
    if place == "number":
        return start
    each = np.full(batch, start)
    every = np.arange(start, start + length)
    found = {"positions (t,)": every, "positions (B, t)": np.stack([every] * batch)}.get(place, each)
    return dress(found, library)


def all_caches(rest):
    """Are they keys and values, of one shape?"""
    shapes = {getattr(one, "shape", None) for one in rest}
    return len(rest) == 2 and len(shapes) == 1
