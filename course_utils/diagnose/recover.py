"""What stands behind a module's output: which tokens it depends on, and the hidden attention tables,
recovered.

The output is concat_h(Y_h) W_o, where Y_h = A_h V_h is the result of head h before the merge. Undoing W_o
and the merge gives Y_h. With T <= d_head, A_h = Y_h V_h^+ (the pseudoinverse); a residual Y_h - A_h V_h near
0 says that V, the merge and W_o are right, and then the table A_h itself can be looked at. All that is needed
is published as numbers (Sheet.stages).
"""

import math

import torch

from course_utils.model.case import Fact
from course_utils.model.result import Picture

from .finding import Finding, apart

EXACT = 1e-5
OUTPUT = Fact("output")
RECOVERED = Fact("attention weights, recovered from your output")


def behind_the_output(attempt):
    """Where examples or tokens leak, that comes first: then no table can be trusted. An output of another
    shape, or one that is not finite, comes before both: a NaN depends on everything."""
    if attempt.staged is None or output(attempt) is None:
        return None
    stages = attempt.sheet.stages
    leaking = "; ".join(leaks(attempt.inspector.influence(), stages["influence"].bool()))
    text = leaking or about_tables(attempt, stages)
    return Finding(text, None, attempt.staged) if text else None


def leaks(influence, wanted):
    """What a map says of examples or tokens that depend on what they must not, or do not on what they
    should."""
    if influence is None or influence.shape != wanted.shape:
        return []
    extra, missing = influence & ~wanted, wanted & ~influence
    return across_examples(extra) or [
        *first_pair(extra, "depends on {0}, which it must not"),
        *first_pair(missing, "does not depend on {0}, though it should"),
    ]


def across_examples(extra):
    """Only for maps (B, T, B, T)."""
    pairs = extra.any(3).any(1).nonzero().tolist() if extra.dim() == 4 else []
    return [
        f"example {b} of the result depends on example {other} of x: each example is on its own"
        for b, other in pairs
        if b != other
    ][:1]


def first_pair(flags, sentence):
    """The first token pair of a map, and how many there are."""
    if flags.dim() == 4:
        flags = flags.diagonal(dim1=0, dim2=2).any(-1)  # (T, T'), examples on their own
    if flags.any():
        token, other = flags.nonzero()[0].tolist()
        yield (
            f"token {token} of the result {sentence.format(f'token {other} of x')} ({int(flags.sum())} such "
            "pairs)"
        )


def recovered_picture(attempt):
    """The recovered tables beside the wanted ones; None where they cannot be recovered, or are right."""
    tables = recovered(attempt) if attempt.staged else None
    wanted = attempt.sheet.stages.get("weights")
    if tables is None or torch.allclose(tables, wanted, atol=1e-5):
        return None
    return Picture(RECOVERED, tables, wanted, ["B", "H", "T_q", "T_k"])


def recovered(attempt):
    """The tables (B, H, T, T) behind the output of the stages' case; None when the output does not give
    them."""
    value = output(attempt)
    stages = attempt.sheet.stages
    return None if value is None else table(value @ stages["undo_output"], stages["V"], stages)


def output(attempt):
    """The output of the stages' case in float64, where its shape is right and all of it is finite; else
    None."""
    value, wanted = attempt.staged.seen.values.get(OUTPUT), attempt.staged.wanted.values[OUTPUT]
    sound = isinstance(value, torch.Tensor) and value.shape == wanted.shape and torch.isfinite(value).all()
    return value.double() if sound else None


def table(merged, V, stages):
    """Solve A V = heads for A; None if no A fits."""
    heads = merged.flatten()[stages["heads_index"]].reshape(V.shape)
    A = heads @ torch.linalg.pinv(V)
    return A if (A @ V - heads).norm() < EXACT * heads.norm() else None


def about_tables(attempt, stages):
    """What is wrong with the recovered tables, or what stands in the way of recovering them; None where
    nothing is."""
    A = recovered(attempt)
    if A is None:
        return in_the_way(output(attempt), stages)
    silent = ", ".join(str(h) for h in range(A.shape[1]) if A[:, h].abs().max() < 1e-6)
    if silent:
        return (
            f"nothing of head {silent} reaches the output: the results of all heads are joined, then "
            "projected"
        )
    faults = "; ".join([*shares(A, stages), *slope(A, stages)])
    right = (
        "The values, the merge and the output projection are right; the attention weights behind your output "
        "are not"
    )
    return f"{right}: {faults}" if faults else None


def in_the_way(value, stages):
    """Another V, another output projection: with which one do tables exist?"""
    undone = [(text, undo, stages["V"]) for text, undo in stages["other_outputs"].items()]
    others = [(text, stages["undo_output"], V) for text, V in stages["other_V"].items()]
    found = (text for text, undo, V in undone + others if table(value @ undo, V, stages) is not None)
    return next(found, None)


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
    """Are the scores behind the weights a factor times the wanted ones, or other scores altogether?

    Softmax makes log A = scores minus a constant for each row. So scores are compared with log A by a line
    through them: its slope is the factor, and a residual near 0 says that these are the scores.
    """
    factor, residual = fit_scores(A, stages["scores"], stages)
    if residual < 1e-4:
        if abs(factor - 1) > 1e-4:
            words = next((word for value, word in stages["factors"] if abs(value - factor) < 1e-3), None)
            yield f"the scores are {factor:.4g} times the wanted ones" + (f", as if {words}" if words else "")
        return
    for sentence, scores in stages["other_scores"].items():
        factor, residual = fit_scores(A, scores, stages)
        if residual < 1e-4:
            times = "times too large" if factor > 1 else "times the wanted ones"
            more = f" (and the scores are {factor:.4g} {times})"
            yield sentence + (more if abs(factor - 1) >= 1e-3 else "")
            return
    yield "the scores behind them are others than Q K^T / sqrt(d_head)"


def fit_scores(A, scores, stages):
    """(factor, relative residual) of log A = factor * scores + a constant for each row, over the allowed
    keys."""
    allowed = ~stages["mask"].bool().expand(A.shape) & (A > 1e-12)
    log, score = (torch.where(allowed, t, torch.nan) for t in (A.clamp(min=1e-300).log(), scores))
    log, score = (t - t.nanmean(-1, keepdim=True) for t in (log, score))
    log, score = log[allowed], score[allowed]
    if score.norm() < 1e-9:
        return math.nan, math.inf
    factor = (log @ score / (score @ score)).item()
    return factor, ((log - factor * score).norm() / (log.norm() + 1e-12)).item()
