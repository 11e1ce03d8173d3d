"""head_scores: how much each head looks at the previous token, the first token, the token itself."""

import torch

from autograder.authoring.exercise import Exercise, call
from autograder.authoring.tables import causal_table

ex = Exercise(
    "head_scores(weights)",
    {"previous": "H", "first": "H", "self": "H"},
    container="dict",
    gradients=False,
    devices=False,
    hints=[
        "In row 1, which key is the previous token, and which one is the first?",
        "They are the same, so rows 0 and 1 cannot tell the jobs apart: average over rows 2, 3, ... and over the batch, one number a head.",
        "weights[:, :, i, i - 1] for all i is a diagonal: torch.diagonal(weights, offset=-1, dim1=-2, dim2=-1). Mind which of its entries belong to rows >= 2.",
    ],
)


@ex.reference
def head_scores(weights):
    rows = range(2, weights.shape[-1])
    keys = {"previous": lambda i: i - 1, "first": lambda i: 0, "self": lambda i: i}
    return {
        job: torch.stack([weights[:, :, i, key(i)] for i in rows]).mean((0, 1)) for job, key in keys.items()
    }


@ex.case
def three_heads(g):
    return call(weights=causal_table(g, 2, 3, int(g.integers(5, 9))))


@ex.case
def four_heads(g):
    return call(weights=causal_table(g, 3, 4, int(g.integers(5, 10))))


@ex.edge
def shortest(g):
    return call(weights=causal_table(g, 2, 4, 3))


@ex.edge
def one_head_one_example(g):
    return call(weights=causal_table(g, 1, 1, 7))


@ex.edge
def not_contiguous(g):
    return call(weights=causal_table(g, 2, 3, 5)).but(strided=True)


def scores(
    rows=slice(2, None),
    mean=(0, 2),
    previous=lambda i: i - 1,
    self_=lambda i: i,
    first=lambda i: 0 * i,
    table=lambda w: w,
    reduce=torch.mean,
):
    """An implementation from its parts: which rows, which axes are averaged, which keys."""

    def implementation(weights):
        weights = table(weights)
        i = torch.arange(weights.shape[-1])[rows]
        found = {"previous": previous(i), "first": first(i), "self": self_(i)}
        return {job: reduce(weights[:, :, i, j], mean) for job, j in found.items()}

    return implementation


def diagonal_above(weights):
    return {**scores()(weights), "previous": weights.diagonal(1, -2, -1)[..., 1:].mean((0, 2))}


def first_row(weights):
    return {**scores()(weights), "first": weights[:, :, 0, 2:].mean((0, 2))}


def whole_first_row(weights):
    return {**scores()(weights), "first": weights[:, :, 0].mean((0, 2))}


def whole_diagonals(weights, begin=0):
    """Every entry of each diagonal; `begin`: how many entries of the lower one are left out."""
    lower, main = weights.diagonal(-1, -2, -1)[..., begin:], weights.diagonal(0, -2, -1)
    return {"previous": lower.mean((0, 2)), "first": weights[..., 0].mean((0, 2)), "self": main.mean((0, 2))}


def previous_rows(start):
    """The diagonal -1 from its entry `start` on (which belongs to row start + 1); the other jobs right."""
    return lambda weights: {
        **scores()(weights),
        "previous": weights.diagonal(-1, -2, -1)[..., start:].mean((0, 2)),
    }


ex.mistake(
    "all_rows",
    "all rows are counted: rows 0 and 1 cannot tell the jobs apart, begin with row 2",
    scores(rows=slice(0, None), previous=lambda i: (i - 1).clamp(min=0)),
    scores(rows=slice(0, None)),
    whole_diagonals,
)
ex.mistake(
    "diagonal_from_row_1",
    "the diagonal with offset -1 begins with row 1, so nothing is left out of it yet: [..., 1:] are the rows 2 and later",
    previous_rows(0),
)
ex.mistake(
    "first_from_row_0",
    "rows 0 and 1 are counted for the first token: begin with row 2 for all three jobs",
    lambda w: {**scores()(w), "first": w[..., 0].mean((0, 2))},
)
ex.mistake(
    "last_row_only",
    "only the last row is counted: average over rows 2, 3, ... and the batch",
    scores(rows=slice(-1, None)),
)
ex.mistake(
    "from_row_1",
    "row 1 is counted too: its previous token is the first token. Begin with row 2",
    scores(rows=slice(1, None)),
)
ex.mistake("from_row_3", "row 2 is left out: rows with index 2 and later count", scores(rows=slice(3, None)))
ex.mistake(
    "rows_and_keys_swapped",
    "rows and keys are exchanged: row i is the query, so the previous token is weights[..., i, i-1]",
    scores(table=lambda w: w.transpose(-2, -1)),
)
ex.mistake(
    "next_for_previous",
    "the diagonal above is taken, the next token, which is masked: the previous one is offset -1",
    scores(rows=slice(2, -1), previous=lambda i: i + 1),
    scores(previous=lambda i: (i + 1).clamp(max=int(i[-1]))),
    diagonal_above,
)
ex.mistake(
    "row_0_for_first",
    "row 0 is taken for the first token: the first token is *key* 0, a column",
    first_row,
    whole_first_row,
)
ex.mistake("summed", "the masses are summed over rows and batch: take their mean", scores(reduce=torch.sum))
ex.mistake(
    "not_averaged_over_batch",
    "there is one score for each example: average over the batch as well, (H,)",
    scores(mean=(2,)),
)
ex.mistake(
    "averaged_over_heads", "the heads are averaged: each head has a score of its own", scores(mean=(0, 1, 2))
)
ex.mistake(
    "squeezed",
    "with one head the scores are squeezed to a single number: squeeze() removes every axis of size 1, and (H,) is wanted also for H = 1",
    lambda w: {job: score.squeeze() for job, score in scores()(w).items()},
)
ex.mistake(
    "only_first_example",
    "only the first example is counted: average over the batch",
    scores(table=lambda w: w[:1]),
)
ex.mistake(
    "last_for_first",
    "the last key is taken for the first token: that is key 0",
    scores(first=lambda i: 0 * i - 1),
)
ex.mistake(
    "two_back",
    "the token before the previous one is taken: the previous token is i - 1",
    scores(previous=lambda i: i - 2),
)
ex.mistake(
    "divided_by_all_rows",
    "the sum over rows 2 and later is divided by the number of all rows",
    lambda w: {k: v * (w.shape[-1] - 2) / w.shape[-1] for k, v in scores()(w).items()},
)
ex.mistake(
    "jobs_exchanged",
    "the scores of two jobs are under each other's name",
    lambda w: (lambda s: {"previous": s["self"], "first": s["first"], "self": s["previous"]})(scores()(w)),
)
ex.mistake(
    "lower_diagonal_from_2",
    "entry i of the lower diagonal belongs to row i + 1: rows 2 and later begin at its entry 1",
    lambda w: {**scores()(w), "previous": w.diagonal(-1, -2, -1)[..., 2:].mean((0, 2))},
)
