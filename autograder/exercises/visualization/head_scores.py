"""head_scores: how much each head attends to the previous token, the first token and the token itself."""

import torch

from autograder.authoring.draws import call, causal_table
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"previous": "H", "first": "H", "self": "H"},
    container="dict",
    gradients=False,
    devices=False,
    hints="""
    In row 1, which key is the previous token, and which one is the first?

    They are the same, so in rows 0 and 1 the jobs look alike: average over rows 2, 3, ... and over the
    batch, one number per head.

    weights[:, :, i, i - 1] for all i is a diagonal: torch.diagonal(weights, offset=-1, dim1=-2, dim2=-1).
    Mind which of its entries belong to rows >= 2.

        previous = weights.diagonal(-1, -2, -1)[..., 1:].mean((0, 2))  # (H,)
    """,
)


@ex.reference
def head_scores(weights):
    rows = range(2, weights.shape[-1])
    keys = {"previous": lambda i: i - 1, "first": lambda i: 0, "self": lambda i: i}
    return {
        job: torch.stack([weights[:, :, i, key(i)] for i in rows]).mean((0, 1)) for job, key in keys.items()
    }


ex.case(
    three_heads=lambda g: call(weights=causal_table(g, 2, 3, int(g.integers(5, 9)))),
    four_heads=lambda g: call(weights=causal_table(g, 3, 4, int(g.integers(5, 10)))),
)
ex.edge(
    shortest=lambda g: call(weights=causal_table(g, 2, 4, 3)),
    one_head_one_example=lambda g: call(weights=causal_table(g, 1, 1, 7)),
    not_contiguous=lambda g: call(weights=causal_table(g, 2, 3, 5)).but(strided=True),
)


def scores(begin=2, table=lambda weights: weights, axes=(0, 2), reduce=torch.mean):
    """An implementation with these steps: the first row, a change of the weights, and the reduction over
    axes."""

    def implementation(weights):
        weights = table(weights)
        i = torch.arange(weights.shape[-1])[begin:]
        keys = {"previous": i - 1, "first": 0 * i, "self": i}
        return {job: reduce(weights[:, :, i, j], axes) for job, j in keys.items()}

    return implementation


def with_job(job, choose):
    """An implementation that returns the right scores, but for `job` the mean of choose(weights)."""
    return lambda weights: {**head_scores(weights), job: choose(weights).mean((0, 2))}


def diagonal(weights, offset, begin=0):
    """The entries of a diagonal from number `begin` on, (B, H, ...)."""
    return weights.diagonal(offset, -2, -1)[..., begin:]


def of_each(change):
    """An implementation that returns change(score, T) for each right score."""
    return lambda weights: {
        job: change(score, weights.shape[-1]) for job, score in head_scores(weights).items()
    }


def jobs_exchanged(weights):
    right = head_scores(weights)
    return {"previous": right["self"], "first": right["first"], "self": right["previous"]}


ex.wrong(
    "all_rows: all rows are counted: in rows 0 and 1 the jobs look alike, so start at row 2",
    scores(begin=0),
    lambda weights: {
        "previous": diagonal(weights, -1).mean((0, 2)),
        "first": weights[..., 0].mean((0, 2)),
        "self": diagonal(weights, 0).mean((0, 2)),
    },
    "diagonal_from_row_1: the previous-token score includes row 1, where the diagonal with offset -1 starts: rows 2 and later are [..., 1:]",
    with_job("previous", lambda weights: diagonal(weights, -1)),
    "lower_diagonal_from_2: the previous-token score leaves out row 2: entry i of the lower diagonal belongs to row i + 1, so row 2 is entry 1",
    with_job("previous", lambda weights: diagonal(weights, -1, begin=2)),
    "from_row_1: row 1 is counted too: its previous token is the first token. Start at row 2",
    scores(begin=1),
    "rows_and_keys_swapped: rows and keys are swapped: row i is the query, so the previous token is weights[..., i, i-1]",
    scores(table=lambda weights: weights.transpose(-2, -1)),
    "next_for_previous: the diagonal above the main one is taken: that is the next token, which is masked. The previous one is at offset -1",
    with_job("previous", lambda weights: diagonal(weights, 1, begin=1)),
    "row_0_for_first: row 0 is taken for the first token: the first token is *key* 0, a column",
    with_job("first", lambda weights: weights[:, :, 0, 2:]),
    "summed: the weights are summed over rows and batch: take the mean",
    scores(reduce=torch.sum),
    "not_averaged_over_batch: there is one score for each example: average over the batch as well, (H,)",
    scores(axes=(2,)),
    "squeezed: with one head the scores are squeezed to a single number: squeeze() removes every axis of size 1, but the result is (H,) even for H = 1",
    of_each(lambda score, T: score.squeeze()),
    "divided_by_all_rows: the sum over rows 2 and later is divided by the number of all rows",
    of_each(lambda score, T: score * (T - 2) / T),
    "jobs_exchanged: the scores of two jobs are swapped",
    jobs_exchanged,
)
