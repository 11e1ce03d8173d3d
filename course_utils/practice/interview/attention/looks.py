"""What is looked at besides the numbers: a default that calls share, and dropout that is never off."""

import re
from types import FunctionType

import numpy as np
import torch

from ..parameters import parameters
from ..values import same

SHARED = (
    "The cache is a default of the function that all calls share: a new text still sees the old one. "
    "Make None the default, and a new cache inside."
)
DROPPED = (
    "Two calls with the same input give different numbers: dropout has to be off where the layer does not "
    "train, so look at `self.training`."
)
RATE = 0.5


def shared_default(obj, *_):
    """The mistake of an answer with a default that all calls share and fill, such as `cache={}`."""
    methods = [one for one in vars(obj).values() if isinstance(one, FunctionType)] if is_type(obj) else [obj]
    found = [one for method in methods for one in getattr(method, "__defaults__", None) or () if filled(one)]
    for one in found:
        one.clear()  # as it was before the check
    return ("shared_default", SHARED) if found else None


def is_type(obj):
    return isinstance(obj, type)


def filled(one):
    return isinstance(one, (dict, list)) and bool(one)


def dropout_stays_on(first, readings):
    """A look at an answer that is right without dropout: in eval mode its numbers stay the same with it."""

    def look(obj, way, reading):
        if not has_eval(obj):
            return None
        given = {**first, "sizes": {**first["sizes"], "dropout": RATE}}
        try:
            array = next(one.array for one in readings(way.run(given), given) if one.key == reading.key)
        except Exception:  # a rate is not what its constructor takes there
            return None
        return None if same(array, reading.array, 1e-4) else ("dropout_in_eval", DROPPED)

    return look


def has_eval(obj):
    """Is it a torch module that is not told by an argument whether it trains?"""
    if not (is_type(obj) and issubclass(obj, torch.nn.Module)):
        return False
    return not any(re.search("train|deterministic", one.name) for one in parameters(obj.forward))


def changes_by_itself(seen, readings):
    """The mistake of an answer whose numbers differ from call to call."""
    if not seen.kept:
        return None
    way, _, read = seen.kept[0]
    again = next((one for one in readings(way.run(seen.first), seen.first) if one.key == read[0].key), None)
    if again is None or same(again.array, read[0].array, 1e-6) or not np.isfinite(again.array).all():
        return None
    return "dropout_in_eval", DROPPED
