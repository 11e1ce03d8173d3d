"""Softmax: the program gets an array, whole or a vector at a time, and returns its weights."""

from functools import partial

import numpy as np

from ..hints import Words, role_of
from ..layouts import looped
from ..parameters import LEFT_OUT, is_needed, parameters
from ..questions import named_mistake
from ..values import Skip, Unread, to_array, to_library

WORDS = Words("rows")

SENSES = {
    "masked": lambda hidden: hidden,
    "keep": lambda hidden: ~hidden,
    "add": lambda hidden: np.where(hidden, -np.inf, 0.0),
    "numbers": lambda hidden: (~hidden).astype(float),
}


def sizes(request):
    """The request, with its scores as x too."""
    return {"x": request.get("scores")} | request


def options(way):
    """by: how many axes the program gets at once."""
    by = ("all", 2, 1) if not way.step.whole else ("all",)
    return {"by": by, "mask": SENSES if "mask" in way.roles else ("none",)}


def value(role, request, way):
    if role == "mask" and request.get("mask") is not None:
        return SENSES[way.choice["mask"]](request["mask"])
    return {"x": request["x"], "dim": request.get("dim", -1)}.get(role, LEFT_OUT)


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
        shape = arrays["x"].shape
        arrays = {name: array.reshape(shape[-len(whole) :]) for name, array in arrays.items()}
        return read(way.once(request | arrays), arrays["x"]).reshape(shape)

    return looped(once, arrays, {"": axes, "x": axes, "mask": axes}, whole)


def read(value, x):
    array = to_array(value)
    if array is None or array.dtype == bool or array.shape != x.shape:
        raise Unread(value)
    return array


# ---- further checks: a whole table, the program's own options

TABLE = np.array([[1.0, 3.0, 2.0], [0.0, -1.0, 1.5], [2.0, 0.5, 0.0]])
FAR_APART = TABLE + np.array([[10_000.0], [0.0], [-10_000.0]])
LENGTHS = np.array([1, 2])
HIDDEN = np.arange(3) >= LENGTHS[:, None]
NAMED = {"temperature": r"t|tau|temp.*", "lengths": r".*lens?|.*lengths?", "dim": WORDS.hints["dim"]}


def softmax(x):
    weights = np.exp(x - x.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def look(topic, step, obj, attempts):
    """(mistake, sentence) if a right program is wrong on tables or with its own options; else None."""
    way, library = attempts.way, attempts.way.choice["lib"]

    def offered(x, **options):
        """The program's result for an array, with one of its own options."""
        options = {n: to_library(v, library) if isinstance(v, np.ndarray) else v for n, v in options.items()}
        result = obj(**options) if isinstance(obj, type) else partial(obj, **options)
        return read(result(to_library(x, library)), x)

    for parameter in parameters(obj):
        role = None if is_needed(parameter) else role_of(parameter.name, NAMED)
        rows = [(wanted, x, {parameter.name: option}) for x, option, wanted in trials(role)]
        results = [is_right(wanted, offered, x, **option) for wanted, x, option in rows]
        if False in results and True not in results:
            return named_mistake(f"{role}_otherwise", parameter.name)
    whole = way.with_choice(by="all")
    tables = (TABLE[:2], TABLE, FAR_APART) if way.choice["by"] != "all" else ()
    if False in [is_right(softmax(x), run, whole, {"x": x}) for x in tables]:
        return named_mistake("not_each_row")
    return None


def trials(role):
    """[(array, value of an option, weights)]; one of them has to be right, if the program accepts any."""
    return {
        "dim": [(TABLE[:2], 0, softmax(TABLE[:2].T).T)],
        "temperature": [(x, 2.0, softmax(x / 2)) for x in (TABLE, TABLE[0])],
        "lengths": [
            (x, LENGTHS, softmax(np.where(hidden, -np.inf, x)))
            for x, hidden in ((TABLE[:2], HIDDEN), (np.stack([TABLE[:2], TABLE[1:]]), HIDDEN[:, None]))
        ],
    }.get(role, [])


def is_right(wanted, call, *args, **options):
    """Does a call give these numbers? None if it fails."""
    try:
        return np.allclose(call(*args, **options), wanted, atol=1e-4)
    except Exception:  # noqa: BLE001
        return None
