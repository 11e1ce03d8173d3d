"""Masks: the program gets the number of tokens in any form, and returns a mask or masked scores. run() gives
True for hidden keys."""

import numpy as np

from ..hints import Words
from ..layouts import looped
from ..parameters import LEFT_OUT
from ..values import Skip, Unread, to_array

WORDS = Words("masks")

HEADS = 3
TOKENS = {  # what the program gets: the number of tokens, or a value of that size
    "number": lambda r: r["T"],
    "scores": lambda r: r["scores"],
    "table of scores": lambda r: r["scores"][0, 0],
    "(B, T)": lambda r: (r["rows"], r["T"]),
    "(T, T)": lambda r: (r["T"], r["T_k"]),
    "(B, H, T, T)": lambda r: (r["rows"], HEADS, r["T"], r["T_k"]),
    "x": lambda r: np.ones((r["rows"], r["T"], 12)),
    "ids": lambda r: r["ids"],
}
PADS = {  # {form: the padding mask (B, T), from token ids}
    "real": lambda ids: ids > 0,
    "padded": lambda ids: ids == 0,
    "ones": lambda ids: (ids > 0).astype(int),
    "ids": lambda ids: ids,
}


def sizes(request):
    """Add a value for every size that a parameter may mean."""
    scores, lengths = request.get("scores"), request.get("lengths")
    T = request["T"] if scores is None else scores.shape[-2]
    T_k, rows = request.get("T_k") or T, 2 if lengths is None else len(lengths)
    if scores is None:
        scores = np.cos(np.arange(rows * HEADS * T * T_k) * 1.7).reshape(rows, HEADS, T, T_k)
    places = np.arange(T_k)
    ids = np.where(places < (T_k if lengths is None else lengths[:, None]), 1 + places % 7, 0)
    more = {"T": T, "T_k": T_k, "past": request.get("past", T_k - T), "batch": rows, "rows": rows}
    more |= {"d_model": T_k, "max_len": T_k, "heads": HEADS, "head_dim": 4, "pad_id": 0}
    ids = np.broadcast_to(ids, (rows, T_k))
    return request | more | {"scores": scores, "ids": ids, "is_masked": "scores" in request}


def options(way):
    alone = ("scores", "table of scores") if "scores" in way.roles else ("number",)
    return {
        "read": READ,
        "T": TOKENS if "T" in way.roles else alone,
        "pad": PADS if "pad" in way.roles else ("real",),
    }


def value(role, request, way):
    kind = way.choice["T"]
    if role in ("T", "scores"):
        return TOKENS["scores" if role == "scores" and kind == "number" else kind](request)
    if role in ("pad", "lengths") and request.get("lengths") is None:
        return LEFT_OUT
    return PADS[way.choice["pad"]](request["ids"]) if role == "pad" else request[role]


def run(way, request):
    """The mask, True where hidden; for a request with scores, their weights."""
    reads_scores = way.choice["read"] in ("filled", "weights")
    if request["is_masked"] != reads_scores or reads_scores and "scores" not in way.choice["T"]:
        raise Skip
    whole = "ts" if way.choice["T"] == "table of scores" else "bhts"
    if not reads_scores or whole == "bhts":
        return mask_of(way, request)
    return looped(
        lambda arrays: mask_of(way, request | arrays).reshape(arrays["scores"].shape),
        {"scores": request["scores"]},
        dict.fromkeys(("", "scores"), "bhts"),
        whole,
    )


def mask_of(way, request):
    value = way.once(request)
    array = to_array(value)
    is_bool = array is not None and array.dtype == bool
    way.kind = "list" if isinstance(value, list) else "bool" if is_bool else "numbers"
    if array is None or array.shape[-2:] != (request["T"], request["T_k"]):
        raise Unread(value)
    return READ[way.choice["read"]](array, request, value)


def as_keep(array, request, value):
    if array.dtype != bool and not np.isin(array, (0, 1)).all():
        raise Unread(value)
    return in_shape(array == 0, request, value)


def added(array, request, value):
    if array.dtype == bool or not (array <= 0).all():
        raise Unread(value)
    if not ((array == 0) | (array <= -1e4)).all():
        raise Unread(value, "too_small")
    return in_shape(array <= -1e4, request, value)


def filled(array, request, value):
    weights = np.exp(array - array.max(-1, keepdims=True))
    return weights_of(weights / weights.sum(-1, keepdims=True), request, value)


def weights_of(array, request, value):
    if array.size != request["scores"].size and array.ndim > 2:
        raise Unread(value)
    return array


def in_shape(hidden, request, value):
    """The mask in the exercise's shape: (T, T_k), or (B, 1, T, T_k) with padding."""
    table = hidden.reshape(-1, *hidden.shape[-2:])
    if request.get("lengths") is None:
        if (table != table[0]).any():
            raise Unread(value)
        return table[0]
    rows = request["rows"]
    if hidden.ndim < 3 or hidden.shape[0] != rows:
        raise Unread(value)
    return table.reshape(rows, -1, *hidden.shape[-2:])[:, :1]


READ = {"keep": as_keep, "add": added, "filled": filled, "weights": weights_of}
