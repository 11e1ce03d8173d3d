"""Softmax: an array comes in, whole or vector by vector, and its weights come back."""

import sys

import numpy as np

from ..values import Skip, Unread, undress
from . import plain
from .plain import LEFT_OUT

FORMS = [("x",), ("x", "dim"), ("x", "mask"), ("x", "mask", "dim"), ("mask", "x")]
OPTIONAL = ("dim", "mask")
HINTS = {
    "x": r"x.*|scores?.*|logits?.*|z|a|v.*|arr.*|inp.*|numbers?|.*vec.*|row.*|s|m|t|att.*|data|values?",
    "dim": r"dim.*|ax(is|es)?.*",
    "mask": r".*mask.*|keep|hide|hidden|allowed|visible|valid|open.*|block.*|drop|ok",
}
SENSES = {
    "masked": lambda hidden: hidden,
    "keep": lambda hidden: ~hidden,
    "add": lambda hidden: np.where(hidden, -np.inf, 0.0),
    "numbers": lambda hidden: (~hidden).astype(float),
}


def ways(obj, request, step):
    """Iterator of (name, way), the likely first."""
    return plain.ways(sys.modules[__name__], obj, request, step)


def sizes(request):
    """The request with all that a size can be called."""
    x = request["scores"] if "scores" in request else request["x"]
    return request | {"x": x}


def options(roles, step):
    return {"by": ("whole", "rows", "vector"), "mask": SENSES if "mask" in roles else ("none",)}


def value(role, request, choice):
    if role == "x":
        return request["x"]
    if role == "dim":
        return request.get("dim", -1)
    return LEFT_OUT if request.get("mask") is None else SENSES[choice["mask"]](request["mask"])


def run(way, request):
    if (
        ("dim" in way.roles) != ("dim" in request)
        or request.get("mask") is not None
        and "mask" not in way.roles
    ):
        raise Skip
    x = request["x"]
    if request.get("mask") is not None:
        request = request | {"mask": np.broadcast_to(request["mask"], x.shape).copy()}
    keep = {"whole": x.ndim, "rows": 2, "vector": 1}[way.choice["by"]]
    if (
        keep > x.ndim
        or keep == x.ndim != 1
        and way.choice["by"] != "whole"
        or "dim" in request
        and keep < x.ndim
    ):
        raise Skip
    lead = x.shape[: x.ndim - keep]
    parts = []
    for place in np.ndindex(*lead):
        inner = {
            name: value[place]
            for name, value in request.items()
            if name in ("x", "mask") and value is not None
        }
        parts.append(read(way.once(request | inner), x[place]))
    return np.array(parts).reshape(x.shape)


def read(value, x):
    array = undress(value)
    if array is None or array.dtype == bool or array.shape != x.shape:
        raise Unread(value)
    return array


NOT_EACH_ROW = "For a table of rows it does not give the softmax of each row."


def look(topic, step, obj, found):
    """(mistake, sentence) of a program that takes a table, and is right for one vector only."""
    way = found.adapted.way
    if way.choice["by"] == "whole":
        return None
    whole = plain.Plain(way.family, step, way.plan, way.choice | {"by": "whole"}, way.make)
    x = np.array([[1.0, 3.0, 2.0], [-1e4, 1 - 1e4, -1e4]])
    try:
        result = whole(sizes({"x": x}))
    except Exception:  # noqa: BLE001  (it takes no table, which is fine)
        return None
    rows = np.array([way(sizes({"x": row[None]}))[0] for row in x])
    return None if np.allclose(result, rows) else ("not_each_row", NOT_EACH_ROW)
