"""Names that are not there, and the nearest that are: a sentence, or "" where none is near."""

import difflib
import inspect
import types

import numpy as np
import torch
from torch import nn

from .reader import Unknown

NEAR, AS_NEAR = 0.6, 0.06  # of difflib's ratio: how near at least, and which others are as near


def missing_attribute(operation, error, axes):
    """x.tranpose, self.W_g"""
    (base,), name = operation.parts, operation.name
    if not isinstance(error, AttributeError) or base.value is Unknown or base.value is None:
        return ""
    names = names_of(base.value)
    near = nearest(name, names)
    if name in names or not (near or base.is_array):
        return ""
    what = f"`{base.text}` has no `{name}`"
    kinds = {np.ndarray: "a NumPy array", torch.Tensor: "a torch tensor", nn.Parameter: "a torch tensor"}
    if type(base.value) in kinds:
        what = f"`{base.text}` is {kinds[type(base.value)]}, which has no `{name}`"
    return f"{what}; the nearest that it has: {near}." if near else f"{what}."


def missing_name(operation, error, axes):
    """A name that no scope has."""
    if not isinstance(error, NameError) or isinstance(error, UnboundLocalError):
        return ""
    near = nearest(operation.name, {name for scope in operation.reader.scopes for name in scope})
    return f"`{operation.name}` has no value here; the nearest that has one: {near}." if near else ""


def nearest(name, names):
    """'`W_q`, `W_k`': the most similar names, or ""."""
    names = [n for n in names if type(n) is str and not n.startswith("__") and not n.endswith("_")]
    found = difflib.get_close_matches(name, sorted(names), 3, NEAR)
    ratios = [difflib.SequenceMatcher(None, other, name).ratio() for other in found]
    as_near = sorted(n for n, r in zip(found, ratios, strict=True) if r > ratios[0] - AS_NEAR)
    return ", ".join(f"`{name}`" for name in as_near)


def names_of(value):
    """The names of an object's attributes, without asking the object."""
    names = {name for kind in type.mro(type(value)) for name in vars(kind)}
    if type(value) is types.ModuleType:
        return names | set(vars(value))
    names |= set(stored_in(value))
    held = ("_parameters", "_buffers", "_modules")
    return names | {name for kind in held for name in inspect.getattr_static(value, kind, {})}


def stored_in(value):
    """The object's own dict; {} where it has none."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
