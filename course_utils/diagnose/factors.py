"""Wrong by a factor, of the result or of the scores behind attention weights, that a size explains in every
case."""

import math
from itertools import combinations

import torch

from .axes import named_sizes
from .finding import Finding


def wrong_by_a_factor(attempt):
    """One factor for each wrong result; where the factors differ, the one formula that gives all of them."""
    rows, of_scores = [], False
    for verdict in attempt.wrong:
        for fact in verdict.wrong:
            of_weights = fact.name in ("weights", "attn_weights")
            if not of_weights and any("weights" in other.name for other in verdict.wrong):
                continue  # what follows from wrong weights
            pair = verdict.tensors(fact)
            if pair is None or (times := times_of(*pair)) is None:
                return None
            rows.append((times[0], named_sizes(verdict, attempt)))
            of_scores, where = times[1], (verdict, fact)
    formulas = fitting(rows)
    if len({f"{times:.4g}" for times, _ in rows}) < 2 or not formulas:
        return None
    what = f"the scores behind `{where[1].name}` are" if of_scores else f"`{where[1].name}` is"
    text = f"{what} the wanted {'ones' if of_scores else 'result'} {' or '.join(formulas[:2])}"
    return Finding(f"{text}, in every wrong case", "wrong_factor", *where)


def times_of(value, target):
    """(how many times the wanted result, or scores, this is; whether it is the scores), or None."""
    finite = value.isfinite().all() and target.isfinite().all()
    if value.dtype == torch.bool or value.shape != target.shape or not finite:
        return None
    value, target = value.double(), target.double()
    times = ratio(value.flatten(), target.flatten())
    if times is not None or target.dim() < 2 or (target.sum(-1) - 1).abs().max() > 1e-6:
        return None if times is None else (times, False)
    if (value.sum(-1) - 1).abs().max() > 1e-5 or ((value > 0) != (target > 0)).any():
        return None
    logs = [t.log().where(target > 1e-12, torch.nan) for t in (value, target)]
    logs = [(t - t.nanmean(-1, keepdim=True))[target > 1e-12] for t in logs]
    times = ratio(*logs)
    return None if times is None else (times, True)


def ratio(value, target):
    """The factor between two rows of numbers, None where there is none."""
    norm = target @ target
    times = (value @ target / norm).item() if norm > 1e-12 else 1.0
    exact = (value - times * target).abs().max() <= 1e-5 * (1 + value.abs().max())
    return times if exact and abs(times) > 1e-9 and abs(times - 1) > 1e-4 else None


def fitting(rows):
    """The formulas of named sizes that give the factor of every row, simplest first."""
    if not rows:
        return []
    names = set.intersection(*(set(fits) for _, fits in rows))
    formulas = {name: (lambda s, n=name: s[n]) for name in sorted(names)}
    formulas |= {f"{a} * {b}": (lambda s, a=a, b=b: s[a] * s[b]) for a, b in combinations(sorted(names), 2)}
    formulas |= {f"sqrt({text})": (lambda s, f=f: math.sqrt(f(s))) for text, f in formulas.items()}
    signs = {"multiplied by": 1, "divided by": -1}
    return [
        f"{word} {text}"
        for text, formula in formulas.items()
        for word, power in signs.items()
        if all(abs(times / formula(fits) ** power - 1) < 1e-3 for times, fits in rows)
    ]
