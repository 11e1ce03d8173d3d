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
    }[top]
    return np.asarray(np.where(np.isfinite(tops), tops, 0.0) if how != "nan" else tops, dtype=x.dtype)


def weights(x, axes, tops, given, mask, how):
    """exp, divided by a sum, or by what the slip divides by."""
    e = np.exp(x - tops)
    if how == "top above":
        return e / np.exp(x).sum(axes, keepdims=True)
    if how.startswith("clipped"):
        low = float(how.split()[1])
        e = np.exp(np.clip(x, -low, low))
    if how == "divided by top":
        e = np.exp(x / x.max(axes, keepdims=True))
    if how == "unnormalised":
        return e
    if how == "divided by max":
        return e / e.max(axes, keepdims=True)
    if how == "log":
        return x - tops - np.log(e.sum(axes, keepdims=True))
    if how == "late":
        return np.where(given["mask"], 0.0, e / e.sum(axes, keepdims=True))
    total = e.sum() if how == "rows of exp" else e.sum(axes, keepdims=True)
    out = e / total
    return np.where(total == 0, 0.0, out) if mask and not how else out


def everywhere(**slip):
    return [softmax(**slip), softmax(**slip, narrow=True)]
