"""softmax: by hand, stable, along any axis."""

import torch

from autograder.authoring.exercise import Exercise, call, distinct, in_thousands

ex = Exercise(
    "softmax(x, dim=-1)",
    {"weights": ""},
    hints=[
        "Which number may you subtract from a whole row without changing its softmax? And which one keeps exp from overflowing?",
        "exp(x - c) / sum(exp(x - c)) is the same for every c. With c the maximum of each row *along dim*, the largest exponent is 0.",
        "x.max(dim=dim, keepdim=True).values gives that maximum in a shape that broadcasts; sum with keepdim=True for the same reason.",
    ],
)


@ex.reference
def softmax(x, dim=-1):
    return torch.softmax(x, dim)


@ex.case
def last_axis(g):
    return call(x=distinct(g, 3, 5))


@ex.case
def last_of_three(g):
    return call(x=distinct(g, 2, 4, 3))


@ex.case
def first_axis(g):
    return call(x=distinct(g, 4, 6, dim=0), dim=0)


@ex.case
def four_axes(g):
    return call(x=distinct(g, 2, 3, 5, 4, dim=1), dim=1)


@ex.edge
def masked_entries(g):
    x = distinct(g, 3, 6)
    x[0, 2:] = x[1, 0] = x[2, 3] = -torch.inf
    return call(x=x)


@ex.edge
def scores_of_ten_thousand(g):
    x = distinct(g, 4, 3) + torch.tensor([[10_000.0], [0.0], [-10_000.0], [800.0]])
    x[3, 1] += 1_000
    return in_thousands(call(x=x))


@ex.edge
def one_entry(g):
    return call(x=distinct(g, 5, 1))


@ex.edge
def not_contiguous(g):
    return call(x=distinct(g, 2, 7, 3, dim=-2), dim=-2).but(strided=True)


def built(
    top=lambda x, dim: x.amax(dim, keepdim=True),
    total=lambda e, dim: e.sum(dim, keepdim=True),
    shift=torch.sub,
):
    """A softmax with its maximum, its sum or the shift exchanged."""

    def implementation(x, dim=-1):
        e = torch.exp(shift(x, top(x, dim)))
        return e / total(e, dim)

    return implementation


last = built()
forgetful = [
    built(total=lambda e, dim: e.sum(dim)),
    built(top=lambda x, dim: x.amax(dim)),
    built(top=lambda x, dim: x.amax(dim), total=lambda e, dim: e.sum(dim)),
    built(top=lambda x, dim: x.max(), total=lambda e, dim: e.sum(dim)),
    built(top=lambda x, dim: torch.zeros(()), total=lambda e, dim: e.sum(dim)),
]
ex.mistake(
    "unstable",
    "`exp` overflows for large scores: subtract the maximum along dim first (subtract, not add)",
    built(top=lambda x, dim: torch.zeros(())),
    built(shift=torch.add),
    lambda x, dim=-1: torch.nan_to_num(x.exp() / x.exp().sum(dim, keepdim=True)),
)
ex.mistake(
    "clamped",
    "large scores are cut off, so that they come out alike, and very low ones still give 0/0: subtract the maximum along dim instead",
    *[
        lambda x, dim=-1, top=top, low=low: (e := x.clamp(low, top).exp()) / e.sum(dim, keepdim=True)
        for top in (20, 50, 80, 88, 100, 700)
        for low in (None, -top)
    ],
)
ex.mistake(
    "global_max",
    "the maximum of the whole tensor is subtracted: a row far below it underflows to 0/0. Take the maximum along dim, with keepdim=True",
    built(top=lambda x, dim: x.max()),
)
ex.mistake(
    "max_other_axis",
    "the maximum is taken along another axis than dim",
    built(top=lambda x, dim: x.amax(-1 if dim not in (-1, x.dim() - 1) else 0, keepdim=True)),
)
ex.mistake(
    "not_the_maximum",
    "another number than the maximum is subtracted (the minimum, the mean): large scores still overflow, and a row with -inf becomes NaN",
    built(top=lambda x, dim: x.amin(dim, keepdim=True)),
    built(top=lambda x, dim: x.mean(dim, keepdim=True)),
)
ex.mistake(
    "normalised_over_everything",
    "the sum runs over the whole tensor: each slice along dim must sum to 1, not everything together",
    built(total=lambda e, dim: e.sum()),
    lambda x, dim=-1: torch.softmax(x.flatten(), 0).reshape(x.shape),
)
ex.mistake(
    "dim_ignored",
    "`dim` is ignored: it is always the last axis that is normalised",
    lambda x, dim=-1: torch.softmax(x, -1),
    lambda x, dim=-1: last(x, -1),
)
ex.mistake(
    "default_not_last",
    "without dim it is not the last axis that is normalised: the default is dim=-1 (dim=1 is the last only where there are two axes)",
    lambda x, dim=1: torch.softmax(x, dim),
    lambda x, dim=0: torch.softmax(x, dim),
)
ex.mistake(
    "first_axis_always",
    "it is always the first axis that is normalised, whatever dim says",
    lambda x, dim=-1: torch.softmax(x, 0),
)
ex.mistake(
    "keepdim_forgotten",
    "the maximum, or the sum, has lost its axis, so it lines up with another one: keep that axis with size 1, keepdim=True",
    *forgetful,
)
ex.mistake(
    "sum_other_axis",
    "the sum runs over another axis than dim",
    built(total=lambda e, dim: e.sum(-1 if dim not in (-1, e.dim() - 1) else 0, keepdim=True)),
)
ex.mistake(
    "log_softmax",
    "this is the logarithm of the softmax: the weights must be positive and sum to 1",
    lambda x, dim=-1: torch.log_softmax(x, dim),
)
ex.mistake(
    "not_normalised",
    "the exponentials are not divided by their sum",
    lambda x, dim=-1: torch.exp(x - x.amax(dim, keepdim=True)),
    lambda x, dim=-1: torch.exp(x),
)
ex.mistake(
    "no_exp",
    "the scores are divided by their sum without exp",
    lambda x, dim=-1: x / x.sum(dim, keepdim=True),
    lambda x, dim=-1: (
        (x - x.amax(dim, keepdim=True)) / (x - x.amax(dim, keepdim=True)).sum(dim, keepdim=True)
    ),
)
ex.mistake(
    "sign_flipped",
    "the signs are flipped: exp(max - x) gives the largest weight to the smallest score",
    lambda x, dim=-1: torch.softmax(-x, dim),
)
ex.mistake(
    "epsilon",
    "a constant is added to the sum, so the weights no longer sum to 1: with the maximum subtracted the sum is at least 1, and nothing needs to be added",
    lambda x, dim=-1: (
        torch.exp(x - x.amax(dim, keepdim=True))
        / (torch.exp(x - x.amax(dim, keepdim=True)).sum(dim, keepdim=True) + 1e-3)
    ),
)
ex.mistake(
    "square_instead_of_exp",
    "the base is 2, not e: use torch.exp",
    lambda x, dim=-1: torch.softmax(x * 0.6931471805599453, dim),
)
