"""Recover the hidden attention tables from the output alone, and judge them.

The output is concat_h(A_h V_h) W_o. With T <= d_head, A_h = Y_h V_h^+; a residual near 0 says that V, the merge and
W_o are right, and then the table itself can be looked at. All that is needed is published as numbers (Sheet.stages).
"""

import math

import torch

from course_utils.model.case import Fact

from .evidence import apart
from .finding import Finding

EXACT = 1e-5
OUTPUT = Fact("output")


def recovered(sheet, seen):
    """The tables (B, H, T, T) behind the output of the stages' case; None when the output does not give them."""
    stages = sheet.stages
    value = seen[stages["case"]].values.get(OUTPUT) if stages else None
    wanted = sheet.wanted[stages["case"]]["values"][OUTPUT] if stages else None
    if (
        value is None
        or not isinstance(value, torch.Tensor)
        or value.shape != wanted.shape
        or not torch.isfinite(value).all()
    ):
        return None
    return table(value.double() @ stages["undo_output"], stages["V"], stages)


def table(merged, V, stages):
    """A with A V = heads, or None when there is no such A."""
    heads = merged.flatten()[stages["heads_index"]].reshape(V.shape)
    A = heads @ torch.linalg.pinv(V)
    return A if (A @ V - heads).norm() < EXACT * heads.norm() else None


def judge_table(sheet, seen):
    """A Finding about the recovered tables, or about what stands in the way of recovering them."""
    stages = sheet.stages
    if not stages:
        return None
    A = recovered(sheet, seen)
    if A is None:
        return in_the_way(sheet, seen)
    silent = [h for h in range(A.shape[1]) if A[:, h].abs().max() < 1e-6]
    if silent:
        return Finding(
            f"nothing of head {', '.join(map(str, silent))} reaches the output: the results of all heads are joined, then projected",
            None,
            stages["case"],
        )
    said = [*shares(A, stages), *slope(A, stages)]
    if not said:
        return None
    text = "The values, the merge and the output projection are right; the attention weights behind your output are not: "
    return Finding(text + "; ".join(said), None, stages["case"])


def in_the_way(sheet, seen):
    """Another V, another output projection: with which one do tables exist?"""
    stages = sheet.stages
    value = seen[stages["case"]].values.get(OUTPUT)
    wanted = sheet.wanted[stages["case"]]["values"][OUTPUT]
    if not isinstance(value, torch.Tensor) or value.shape != wanted.shape or not torch.isfinite(value).all():
        return None
    value = value.double()
    for sentence, undo in stages["other_outputs"].items():
        if table(value @ undo, stages["V"], stages) is not None:
            return Finding(sentence, None, stages["case"])
    for sentence, V in stages["other_V"].items():
        if table(value @ stages["undo_output"], V, stages) is not None:
            return Finding(sentence, None, stages["case"])
    return None


def shares(A, stages):
    """Weight on masked keys, nothing on allowed ones, rows that do not sum to 1."""
    mask = stages["mask"].bool().expand(A.shape)
    if (A[mask].abs() > 1e-6).any():
        yield f"masked positions get weight, up to {A[mask].abs().max():.3g}"
    if (A[~mask].abs() < 1e-9).any():
        yield "allowed positions get none"
    rows = A.sum(-1)
    if (rows - 1).abs().max() > 1e-5:
        least, most, _ = apart(rows.min().item(), rows.max().item(), 1.0)
        yield f"their rows sum to {least}..{most}, not to 1"
        if (A.sum(-2) - 1).abs().max() < 1e-5:
            yield "but their columns do: the softmax runs over the queries"


def slope(A, stages):
    """How the logarithm of the weights follows the scores: a factor, or other scores altogether."""
    factor, rest = fit(A, stages["scores"], stages)
    if rest < 1e-4:
        if abs(factor - 1) > 1e-4:
            words = next((word for value, word in stages["factors"] if abs(value - factor) < 1e-3), None)
            yield f"the scores are {factor:.4g} times the wanted ones" + (f", as if {words}" if words else "")
        return
    for sentence, scores in stages["other_scores"].items():
        factor, rest = fit(A, scores, stages)
        if rest < 1e-4:
            yield sentence + (
                "" if abs(factor - 1) < 1e-3 else f" (and the scores are {factor:.4g} times too large)"
            )
            return
    yield "the scores behind them are others than Q K^T / sqrt(d_head)"


def fit(A, scores, stages):
    """log A = factor * scores + a constant for each row, over the allowed keys -> (factor, relative residual)."""
    allowed = ~stages["mask"].bool().expand(A.shape) & (A > 1e-12)
    log, score = (torch.where(allowed, t, torch.nan) for t in (A.clamp(min=1e-300).log(), scores))
    log, score = (t - t.nanmean(-1, keepdim=True) for t in (log, score))
    log, score = log[allowed], score[allowed]
    if score.norm() < 1e-9:
        return math.nan, math.inf
    factor = (log @ score / (score @ score)).item()
    return factor, ((log - factor * score).norm() / (log.norm() + 1e-12)).item()
