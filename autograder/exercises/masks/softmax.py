"""softmax: a numerically stable softmax along any axis, written by hand."""

import torch

from autograder.authoring.draws import allow_large_scores, call, distinct
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"weights": ""},
    by_hand=("softmax", "log_softmax", "softmin"),
    hints="""
    Which number may you subtract from a whole row without changing its softmax? And which one keeps exp from
    overflowing?

    exp(x - c) / sum(exp(x - c)) is the same for every c. With c the maximum of each row *along dim*, the
    largest exponent is 0.

    x.max(dim=dim, keepdim=True).values gives that maximum in a shape that broadcasts; sum with keepdim=True
    for the same reason.

        e = (x - x.max(dim=dim, keepdim=True).values).exp()
        return e / e.sum(dim=dim, keepdim=True)
    """,
)


@ex.reference
def softmax(x, dim=-1):
    """Through the logarithm of the sum of the exponentials, which torch has ready."""
    return (x - torch.logsumexp(x, dim, keepdim=True)).exp()


ex.case(
    last_axis=lambda g: call(x=distinct(g, 3, 5)),
    last_of_three=lambda g: call(x=distinct(g, 2, 4, 3)),
    first_axis=lambda g: call(x=distinct(g, 4, 6, dim=0), dim=0),
    four_axes=lambda g: call(x=distinct(g, 2, 3, 5, 4, dim=1), dim=1),
)


@ex.edge
def masked_entries(g):
    x = distinct(g, 3, 6)
    x[0, 2:] = x[1, 0] = x[2, 3] = -torch.inf
    return call(x=x)


@ex.edge
def scores_of_ten_thousand(g):
    x = distinct(g, 4, 3) + torch.tensor([[10_000.0], [0.0], [-10_000.0], [800.0]])
    x[3, 1] += 1_000
    return allow_large_scores(call(x=x))


ex.edge(
    one_entry=lambda g: call(x=distinct(g, 5, 1)),
    not_contiguous=lambda g: call(x=distinct(g, 2, 7, 3, dim=-2), dim=-2).but(strided=True),
)


def row_maximum(x, dim):
    return x.amax(dim, keepdim=True)


def row_sum(e, dim):
    return e.sum(dim, keepdim=True)


def another_axis(x, dim):
    return 0 if dim in (-1, x.dim() - 1) else -1


def softmax_of(top=row_maximum, total=row_sum, exp=torch.exp):
    """A softmax with these steps: the number that is subtracted, the divisor, and the exponential."""

    def implementation(x, dim=-1):
        e = exp(x - top(x, dim))
        return e / total(e, dim)

    return implementation


ex.wrong(
    "unstable: `exp` overflows for large scores: subtract the maximum along dim first (subtract, not add)",
    softmax_of(top=lambda x, dim: 0),
    softmax_of(top=lambda x, dim: -row_maximum(x, dim)),
    "clamped: scores are clamped at a limit, so large ones come out equal: subtract the maximum along dim instead",
    softmax_of(top=lambda x, dim: 0, exp=lambda x: x.clamp(max=50).exp()),
    softmax_of(top=lambda x, dim: 0, exp=lambda x: x.clamp(-50, 50).exp()),
    "global_max: the maximum of the whole tensor is subtracted, so a row far below it underflows to 0/0: take the maximum along dim, with keepdim=True",
    softmax_of(top=lambda x, dim: x.max()),
    "max_other_axis: the maximum is taken along an axis other than dim",
    softmax_of(top=lambda x, dim: row_maximum(x, another_axis(x, dim))),
    "not_the_maximum: something other than the maximum is subtracted (the minimum, the mean): large scores still overflow, and a row with -inf becomes NaN",
    softmax_of(top=lambda x, dim: x.amin(dim, keepdim=True)),
    softmax_of(top=lambda x, dim: x.mean(dim, keepdim=True)),
    "normalised_over_everything: the sum runs over the whole tensor: each slice along dim must sum to 1",
    softmax_of(total=lambda e, dim: e.sum()),
    "default_not_last: the default of dim is not the last axis: write dim=-1 (dim=1 is the last only if there are two axes)",
    lambda x, dim=1: torch.softmax(x, dim),
    lambda x, dim=0: torch.softmax(x, dim),
    "keepdim_forgotten: the maximum, or the sum, has lost its axis, so it broadcasts along another one: keep that axis, keepdim=True",
    softmax_of(total=torch.sum),
    softmax_of(top=torch.amax),
    softmax_of(top=torch.amax, total=torch.sum),
    "sum_other_axis: the sum runs over an axis other than dim",
    softmax_of(total=lambda e, dim: row_sum(e, another_axis(e, dim))),
    "not_normalised: the exponentials are not divided by their sum",
    softmax_of(total=lambda e, dim: 1),
    "sum_subtracted: the sum is subtracted from the exponentials: divide them by it",
    lambda x, dim=-1: (e := (x - row_maximum(x, dim)).exp()) - row_sum(e, dim),
    "no_exp: the scores are divided by their sum without exp",
    lambda x, dim=-1: x / row_sum(x, dim),
    "sign_flipped: the signs are flipped: exp(max - x) gives the largest weight to the smallest score",
    lambda x, dim=-1: torch.softmax(-x, dim),
    "epsilon: a constant is added to the sum, so the weights no longer sum to 1: with the maximum subtracted, the sum is at least 1 and needs nothing added",
    softmax_of(total=lambda e, dim: row_sum(e, dim) + 1e-3),
)
