"""Masks: the number of tokens comes in, in any form, and a mask, or masked scores, come back. A way gives
True where a key is hidden."""

import numpy as np

from ..layouts import looped
from ..parameters import LEFT_OUT
from ..values import Skip, Unread, undress

FORMS = [("T",), ("rows", "T"), ("T", "T_k"), ("T", "past"), ("past", "T"), ("T_k", "T")]
FORMS += [("T", "T_k", "past")]
FORMS += [("rows", "heads", "T"), ("scores",), ("T", "lengths"), ("lengths", "T"), ("pad",), ("lengths",), ()]
FORMS += [("pad", "pad_id"), ("T", "pad"), ("scores", "lengths"), ("scores", "pad"), ("scores", "past")]
FORMS += [("rows", "T", "lengths")]
OPTIONAL = ("T_k", "past", "lengths", "pad", "pad_id", "heads", "rows")
HINTS = {
    "past": r".*(past|cache|prev|offset|start|old|before|pos).*",
    "lengths": r"(?!.*seq).*lens|.*lengths|lens?gths|largos|valid.*|n_real",
    "pad_id": r"pad(ding)?_?(id|idx|token|index|value)",
    "pad": r".*pad.*|real|.*keep.*",
    "T_k": r"(.*_)?(kv?|keys?|total|src|source|s)_?(len|length|size)?|.*(kv|key|total).*(len|length)|cols"
    r"|n_?k(eys)?|seq_len_k|total.*",
    "T": r"(.*_)?(q|new|query|queries)_?(len|length|size)?|.*(query|q|new).*|rows|T|n|t|.*len.*|size|sz"
    r"|.*tokens?|.*seq.*",
    "rows": r"b|bs|bsz|.*batch.*",
    "scores": r"(?!.*shape).*scores?.*|.*logits.*|(?!.*mask).*att.*|sim.*|dots?|qk",
}
INSTEAD = ("number", "scores", "table of scores", "(B, T)", "(T, T)", "(B, H, T, T)", "x", "ids")
TOO_SMALL = "Masked cells get a number that is not far below the scores: make it -inf."
HEADS = 3


def sizes(request):
    """The request with all that a size can be called."""
    T = request["scores"].shape[-2] if "scores" in request else request["T"]
    T_k = request.get("T_k") or T
    more = {"T": T, "T_k": T_k, "past": request.get("past", T_k - T), "batch": rows_of(request)}
    return request | more | {"d_model": T_k, "max_len": T_k, "heads": HEADS, "head_dim": 4}


def options(way):
    alone = ("scores", "table of scores") if "scores" in way.roles else ("number",)
    return {
        "read": READ,
        "T": INSTEAD if "T" in way.roles else alone,
        "pad": ("real", "padded", "ones", "ids") if "pad" in way.roles else ("real",),
    }


def value(role, request, way):
    kind = way.choice["T"]
    if role in ("T", "scores"):
        return tokens(request, "scores" if role == "scores" and kind == "number" else kind)
    if role == "pad":
        return table(request, way.choice["pad"])
    if role == "lengths":
        return LEFT_OUT if request.get("lengths") is None else request["lengths"]
    return {"rows": rows_of(request), "pad_id": 0}.get(role, request.get(role))


def rows_of(request):
    return len(request["lengths"]) if request.get("lengths") is not None else 2


def tokens(request, kind):
    """The number of tokens, or what it can be read off."""
    B, T, T_k = rows_of(request), request["T"], request["T_k"]
    if kind in ("scores", "table of scores"):
        scores = request.get("scores", np.cos(np.arange(B * HEADS * T * T_k) * 1.7).reshape(B, HEADS, T, T_k))
        return scores if kind == "scores" else scores[0, 0]
    if kind == "ids":
        return table(request, "ids") if request.get("lengths") is not None else np.ones((B, T), int)
    shapes = {"(B, T)": (B, T), "(T, T)": (T, T_k), "(B, H, T, T)": (B, HEADS, T, T_k)}
    return shapes.get(kind, T if kind == "number" else np.ones((B, T, 12)))


def table(request, kind):
    """(B, T): what is real and what is padding."""
    if request.get("lengths") is None:
        return LEFT_OUT
    real = np.arange(request["T_k"]) < request["lengths"][:, None]
    ids = np.where(real, 1 + np.arange(real.size).reshape(real.shape) % 7, 0)
    return {"real": real, "padded": ~real, "ones": real.astype(int), "ids": ids}[kind]


def run(way, request):
    """The mask, True where hidden; for scores that came in, their weights."""
    has_scores = "scores" in request
    reads_scores = way.choice["read"] in ("filled", "weights")
    if has_scores != reads_scores or reads_scores and "scores" not in way.choice["T"]:
        raise Skip
    whole = "ts" if way.choice["T"] == "table of scores" else "bhts"
    if not has_scores or whole == "bhts":
        return mask_of(way, request)
    return looped(
        lambda arrays: mask_of(way, request | arrays).reshape(arrays["scores"].shape),
        {"scores": request["scores"]},
        dict.fromkeys(("", "scores"), "bhts"),
        whole,
    )


def mask_of(way, request):
    value = way.once(request)
    array = undress(value)
    shape = (request["T"], request["T_k"])
    is_bool = array is not None and array.dtype == bool
    way.kind = "list" if isinstance(value, list) else "bool" if is_bool else "numbers"
    if array is None or array.shape[-2:] != shape:
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
        raise Unread(value, "too_small", TOO_SMALL)
    return in_shape(array <= -1e4, request, value)


def filled(array, request, value):
    weights = np.exp(array - array.max(-1, keepdims=True))
    return weights_of(weights / weights.sum(-1, keepdims=True), request, value)


def weights_of(array, request, value):
    if array.size != request["scores"].size and array.ndim > 2:
        raise Unread(value)
    return array


def in_shape(hidden, request, value):
    """The mask as the exercise has it: (T, T_k), or (B, 1, T, T_k) with padding."""
    lead = hidden.shape[:-2]
    if request.get("lengths") is None:
        flat = hidden.reshape(-1, *hidden.shape[-2:])
        if (flat != flat[0]).any():
            raise Unread(value)
        return flat[0]
    rows = len(request["lengths"])
    if not lead or lead[0] != rows or hidden.size % (rows * hidden.shape[-1] * hidden.shape[-2]):
        raise Unread(value)
    return hidden.reshape(rows, -1, *hidden.shape[-2:])[:, :1]


READ = {"keep": as_keep, "add": added, "filled": filled, "weights": weights_of}
