"""A softmax with a switch for each known slip."""

import numpy as np


def softmax(axis=-1, top="row", mask=False, how="", narrow=False):
    """A reference with a slip. top: what is subtracted. narrow: in float32, where exp overflows early."""

    def made(given):
        x = given["x"].astype(np.float32 if narrow else np.float64)
        axes = -1 if axis == -2 and x.ndim < 2 else axis
        with np.errstate(all="ignore"):
            if mask:
                x = np.where(hidden_by(given["mask"], how), FILLED.get(how, -np.inf), x)
            return weights(x, axes, top_of(x, axes, top, how), given, mask, how).astype(np.float64)

    return made


FILLED = {"zero": 0.0, "low": -1e9, "ignored": 0.0}


def hidden_by(mask, how):
    if how in ("ignored", "late"):
        return np.zeros_like(mask)
    return ~mask if how == "inverted" else mask


def top_of(x, axes, top, how):
    """What is subtracted before exp, in the dtype of x."""
    tops = {
        "row": x.max(axes, keepdims=True),
        "none": 0.0,
        "all": x.max(),
        "min": x.min(-1, keepdims=True),
        "abs": np.abs(x).max(-1, keepdims=True),
        "added": -x.max(-1, keepdims=True),
        "mean": x.mean(-1, keepdims=True),
        "column": x.max(0, keepdims=True),
        "from 0": np.maximum(x.max(-1, keepdims=True), 0.0),
        "first": x[..., :1],
        "last": x[..., -1:],
    }[top]
    return np.asarray(np.where(np.isfinite(tops), tops, 0.0) if how != "nan" else tops, dtype=x.dtype)


def weights(x, axes, tops, given, mask, how):
    """exp, divided by a sum, or by what the slip divides by."""
    e = exponentials(x, axes, tops, how)
    total = e.sum(axes, keepdims=True)
    if how in BELOW:
        return e / BELOW[how](x, e, tops)
    if how == "log":
        return x - tops - np.log(total)
    if how == "late":
        return np.where(given["mask"], 0.0, e / total)
    if how == "twice":
        e = np.exp(e / total)
        return e / e.sum(axes, keepdims=True)
    out = e / total
    return np.where(total == 0, 0.0, out) if mask and not how else out


def exponentials(x, axes, tops, how):
    """What stands above the line."""
    kind, _, number = how.partition(" ")
    low = float(number) if kind in ("clipped", "capped") else 0.0
    return {
        "clipped": lambda: np.exp(np.clip(x, -low, low)),
        "capped": lambda: np.exp(np.minimum(x, low)),
        "divided by top": lambda: np.exp(x / x.max(axes, keepdims=True)),
        "top below": lambda: np.exp(x),
        "sign": lambda: np.exp(tops - x),
        "sign of both": lambda: np.exp(x.min(axes, keepdims=True) - x),
        "base 2": lambda: np.exp2(x - tops),
        "no exp": lambda: x - tops,
        "no exp, no maximum": lambda: x,
    }.get(kind if low else how, lambda: np.exp(x - tops))()


BELOW = {  # what a slip divides by
    "top above": lambda x, e, tops: np.exp(x).sum(-1, keepdims=True),
    "top below": lambda x, e, tops: np.exp(x - tops).sum(-1, keepdims=True),
    "unnormalised": lambda x, e, tops: 1.0,
    "divided by max": lambda x, e, tops: e.max(-1, keepdims=True),
    "rows of exp": lambda x, e, tops: e.sum(),
    "columns of exp": lambda x, e, tops: e.sum(0, keepdims=True),
    "columns of exp, before": lambda x, e, tops: e.sum(-2 if e.ndim > 1 else -1, keepdims=True),
    "mean": lambda x, e, tops: e.mean(-1, keepdims=True),
    "entries": lambda x, e, tops: x.sum(-1, keepdims=True),
    "shifted entries": lambda x, e, tops: (x - tops).sum(-1, keepdims=True),
}


def everywhere(**slip):
    return [softmax(**slip), softmax(**slip, narrow=True)]
