"""One pass over scores, with a switch for each known slip: an input comes in, what a result of its kind
should be goes out."""

import numpy as np


def softmax(how="", step=1):
    """A reference with a slip, for each kind of result. step: how many entries are read at once."""

    def made(given):
        kind = given["kind"]
        with np.errstate(all="ignore"):
            if kind.startswith("attention"):
                return np.concatenate([attended(*side, kind, how, step) for side in given["sides"]])
            many = [run(row, given["v"] if kind == "mixed" else None, how, step) for row in given["rows"]]
        if kind == "log":
            return np.array([one["state"][0] + np.log(one["state"][1]) for one in many])
        return np.stack([one[kind] for one in many], 1 if kind == "state" else 0)

    return made


def attended(q, k, v, kind, how, step):
    """Attention, one query after the other; causal: the last query sees all keys."""
    scores = q @ k.T / (1.0 if kind.endswith("unscaled") else np.sqrt(q.shape[-1]))
    seen = len(k) - len(q) + 1 + np.arange(len(q)) if kind.endswith("causal") else [len(k)] * len(q)
    return np.stack([run(row[:n], v[:n], how, step)["mixed"] for row, n in zip(scores, seen, strict=True)])


def run(row, v, how, step):
    """One pass with the slip: {"weights", "state", "mixed"}."""
    v = np.zeros((len(row), 1)) if v is None else v
    whole, kept = row, len(row)
    if not how:
        e = np.exp(row - row.max())
        return made(e, e.sum(), e @ v, row.max(), kept)
    if how == "last dropped of a long one":
        step = min(step, kept)
    if how.startswith("last dropped") or how == "last cut":
        row = row[: len(row) // step * step]
    if how == "first dropped":
        row, v = row[1:], v[1:]
    if how == "no maximum":
        e = np.exp(row)
        return made(e, e.sum(), e @ v[: len(row)], row.max() if len(row) else 0, kept)
    if how == "averaged":
        return averaged(row, v, step)
    m = 0.0 if how == "starts at 0" else -np.inf
    total, acc = float(how == "one too many"), np.zeros(v.shape[1])
    for a in range(0, len(row), step):
        m, total, acc = one_step(m, total, acc, row[a : a + step], v[a : a + step], how)
    e = np.exp((whole if how.startswith("last dropped") else row) - m)
    if how == "kept as they came":
        e = np.exp(row - np.maximum.accumulate(row))
    if how == "top below":
        e = np.exp(row)
    if how in DIVIDED[:2]:  # it is not divided once more
        acc = acc * total
    return made(e, 1.0 if how == "not divided" else total, acc, m, kept)


DIVIDED = ("divided each time", "shares of its moment", "divided each time and at the end")


def one_step(m, total, acc, part, v, how):
    """Maximum, sum and mixture after a few more entries."""
    new = part.max() if how == "last maximum" else max(m, part.max())
    scale = scale_of(m, new, part, how)
    e = np.exp(part - (part.max() if how in ("own maximum", "newest maximum") else new))
    if how == "maximum not counted" and new > m > -np.inf:
        e = np.where(part == new, 0.0, e)
    total = total * (1.0 if how in ("sum not scaled", "nothing scaled") else scale) + e.sum()
    share = total if how == "shares of its moment" else 1.0
    acc = acc * (1.0 if how in ("output not scaled", "nothing scaled") else scale) + e @ v / share
    return new, total, acc / total if how in DIVIDED[::2] else acc


def scale_of(m, new, part, how):
    """By what sum and mixture so far are multiplied."""
    if not np.isfinite(m):
        return float(how == "one too many")
    if how == "starts anew":
        return float(new == m)
    if how in ("scaled to the block", "newest maximum"):
        return np.exp(m - part.max())
    return np.exp(new - m if how == "inverted" else m - new)


def averaged(row, v, step):
    """Each block by itself, and the mean of them. A negative step: so many blocks."""
    places = (
        np.array_split(np.arange(len(row)), -step)
        if step < 0
        else np.split(np.arange(len(row)), range(step, len(row), step))
    )
    each = [run(row[some], v[some], "", 1) for some in places if len(some)]
    mixed = np.mean([one["mixed"] for one in each], 0)
    weights = np.concatenate([one["weights"] for one in each]) / len(each)
    return {"weights": weights, "state": np.array([row.max(), np.nan]), "mixed": mixed}


def made(e, total, acc, m, n):
    weights = np.zeros(n)
    weights[: len(e)] = e / total
    return {"weights": weights, "state": np.array([m, total]), "mixed": acc / total}
