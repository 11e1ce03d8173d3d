"""Softmax: an array comes in, whole or vector by vector, and its weights come back."""

from functools import partial

import numpy as np
import torch

from ..hints import role_of
from ..layouts import looped
from ..parameters import LEFT_OUT, parameters
from ..values import Skip, Unread, dress, undress
from . import plain

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


def sizes(request):
    """The request with all that a size can be called."""
    x = request["scores"] if "scores" in request else request["x"]
    return request | {"x": x}


def options(way):
    """by: how many axes come at once."""
    by = ("all", 2, 1) if not way.step.whole else ("all",)
    return {"by": by, "mask": SENSES if "mask" in way.roles else ("none",)}


def value(role, request, way):
    if role == "x":
        return request["x"]
    if role == "dim":
        return request.get("dim", -1)
    return LEFT_OUT if request.get("mask") is None else SENSES[way.choice["mask"]](request["mask"])


def run(way, request):
    x, mask, by = request["x"], request.get("mask"), way.choice["by"]
    if ("dim" in way.roles) != ("dim" in request) or mask is not None and "mask" not in way.roles:
        raise Skip
    if by != "all" and (by > x.ndim or by == x.ndim > 1 or by < x.ndim and "dim" in request):
        raise Skip
    arrays = {"x": x} if mask is None else {"x": x, "mask": np.broadcast_to(mask, x.shape).copy()}
    axes = "abcdefgh"[: x.ndim]
    whole = axes if by == "all" else axes[-by:]

    def once(arrays):
        arrays = {name: array.reshape(array.shape[-len(whole) :]) for name, array in arrays.items()}
        return read(way.once(request | arrays), arrays["x"]).reshape(shape_before)

    shape_before = [n if axis in whole else 1 for n, axis in zip(x.shape, axes, strict=True)]
    return looped(once, arrays, {"": axes, "x": axes, "mask": axes}, whole)


def read(value, x):
    array = undress(value)
    if array is None or array.dtype == bool or array.shape != x.shape:
        raise Unread(value)
    return array


# ---- what else counts: a whole table, options that it has, a gradient of its own

TABLE = np.array([[1.0, 3.0, 2.0], [0.0, -1.0, 1.5], [2.0, 0.5, 0.0]])
FAR_APART = TABLE + np.array([[10_000.0], [0.0], [-10_000.0]])
BATCH, LENGTHS = np.stack([TABLE[:2], TABLE[1:]]), np.array([1, 2])
NOT_EACH_ROW = "For a table of rows it does not give the softmax of each row."
OPTIONS = {
    "dim": "With `{}=0` the softmax is to run along the first axis: maximum and sum both.",
    "temperature": "With `{}=2` each entry is to be divided by 2 before exp.",
    "lengths": "What lies behind `{}` is to get the weight 0: make its scores -inf.",
}
NAMED = {"temperature": r"t|tau|temp.*", "lengths": r".*lens?|.*lengths?", "dim": HINTS["dim"]}
BACKWARD = "The numbers are right, and `backward` is not: the gradient is p · (g - Σ p · g), row by row."


def look(topic, step, obj, attempts):
    """(mistake, sentence) of a program that is right for the cases, and wrong in what else it offers."""
    way = attempts.adapted.way
    options = {
        role_of(parameter.name, NAMED): parameter.name
        for parameter in parameters(obj)
        if not parameter.needed
    }
    for role, name in options.items():
        results = [close(offered(obj, {name: value}, x, way), wanted) for x, value, wanted in trials(role)]
        if False in results and True not in results:
            return f"{role}_otherwise", OPTIONS[role].format(name)
    if not is_each_row(step, way):
        return "not_each_row", NOT_EACH_ROW
    own = isinstance(obj, type) and issubclass(obj, torch.autograd.Function)
    return ("backward", BACKWARD) if own and close(gradient(obj), wanted_gradient()) is False else None


def trials(role):
    """[(array, value of an option, weights)]; one of them has to be right, as far as it takes them."""
    hidden = np.arange(3) >= LENGTHS[:, None]
    return {
        "dim": [(TABLE[:2], 0, softmax(TABLE[:2].T).T)],
        "temperature": [(TABLE, 2.0, softmax(TABLE / 2)), (TABLE[0], 2.0, softmax(TABLE[0] / 2))],
        "lengths": [
            (x, LENGTHS, softmax(np.where(mask, -np.inf, x)))
            for x, mask in ((TABLE[:2], hidden), (BATCH, hidden[:, None]))
        ],
    }.get(role, [])


def softmax(x):
    weights = np.exp(x - x.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def offered(obj, option, x, way):
    """What it gives for an array with an option; None where it does not take that."""
    option = {name: dress(value, way.choice["lib"]) for name, value in option.items()}
    try:
        called = obj(**option) if isinstance(obj, type) else partial(obj, **option)
        return read(called(dress(x, way.choice["lib"])), x)
    except Exception:  # noqa: BLE001  (it does not take this)
        return None


def close(result, wanted):
    return None if result is None else np.allclose(result, wanted, atol=1e-4)


def is_each_row(step, way):
    """Does it give the softmax of each row, where it takes a table?"""
    whole = plain.Way(way.family, step, way.target, way.plan, way.choice | {"by": "all"})
    for x in (TABLE[:2], TABLE, FAR_APART) if way.choice["by"] != "all" else ():
        try:
            result = whole(sizes({"x": x}))
        except Exception:  # noqa: BLE001, S112  (it takes no table, which is fine)
            continue
        if not np.allclose(result, softmax(x), atol=1e-4):
            return False
    return True


def gradient(function):
    x = torch.tensor(TABLE, requires_grad=True)
    try:
        return torch.autograd.grad(function.apply(x), x, torch.tensor(TABLE.T.copy()))[0].numpy()
    except Exception:  # noqa: BLE001  (it takes more than the array)
        return None


def wanted_gradient():
    p, g = softmax(TABLE), TABLE.T
    return p * (g - (p * g).sum(-1, keepdims=True))
