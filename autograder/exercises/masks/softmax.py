"""softmax: by hand, stable, along any axis."""

import math

import torch

from autograder.authoring.draws import call, distinct, in_thousands
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"weights": ""},
    hints=[
        "Which number may you subtract from a whole row without changing its softmax? And which one keeps "
        "exp from overflowing?",
        "exp(x - c) / sum(exp(x - c)) is the same for every c. With c the maximum of each row *along dim*, "
        "the largest exponent is 0.",
        "x.max(dim=dim, keepdim=True).values gives that maximum in a shape that broadcasts; sum with "
        "keepdim=True for the same reason.",
        "e = (x - x.max(dim=dim, keepdim=True).values).exp()\nreturn e / e.sum(dim=dim, keepdim=True)",
    ],
)


@ex.reference
def softmax(x, dim=-1):
    return torch.softmax(x, dim)


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
    return in_thousands(call(x=x))


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


def built(top=row_maximum, total=row_sum):
    """A softmax from the number that is subtracted and the one that is divided by."""

    def implementation(x, dim=-1):
        e = torch.exp(x - top(x, dim))
        return e / total(e, dim)

    return implementation


def by_total(total):
    return built(total=total)


@ex.mistake(through=built)
def unstable(x, dim):
    """`exp` overflows for large scores: subtract the maximum along dim first (subtract, not add)"""
    return 0


ex.another("unstable", built(lambda x, dim: -row_maximum(x, dim)))
ex.another("unstable", lambda x, dim=-1: torch.nan_to_num(x.exp() / x.exp().sum(dim, keepdim=True)))


@ex.mistake(limit=[20, 50, 80, 88, 100, 700], below=[False, True])
def clamped(x, dim=-1, limit=0, below=False):
    """large scores are cut off, so that they come out alike, and very low ones still give 0/0: subtract the
    maximum along dim instead"""
    e = x.clamp(-limit if below else None, limit).exp()
    return e / row_sum(e, dim)


@ex.mistake(through=built)
def global_max(x, dim):
    """the maximum of the whole tensor is subtracted: a row far below it underflows to 0/0. Take the maximum
    along dim, with keepdim=True"""
    return x.max()


@ex.mistake(through=built)
def max_other_axis(x, dim):
    """the maximum is taken along another axis than dim"""
    return row_maximum(x, another_axis(x, dim))


@ex.mistake(through=built)
def not_the_maximum(x, dim):
    """another number than the maximum is subtracted (the minimum, the mean): large scores still overflow, and
    a row with -inf becomes NaN"""
    return x.amin(dim, keepdim=True)


ex.another("not_the_maximum", built(lambda x, dim: x.mean(dim, keepdim=True)))


@ex.mistake(through=by_total)
def normalised_over_everything(e, dim):
    """the sum runs over the whole tensor: each slice along dim must sum to 1, not everything together"""
    return e.sum()


ex.another("normalised_over_everything", lambda x, dim=-1: torch.softmax(x.flatten(), 0).reshape(x.shape))


@ex.mistake
def dim_ignored(x, dim=-1):
    """`dim` is ignored: it is always the last axis that is normalised"""
    return torch.softmax(x, -1)


ex.another("dim_ignored", lambda x, dim=-1: built()(x, -1))


@ex.mistake
def default_not_last(x, dim=1):
    """without dim it is not the last axis that is normalised: the default is dim=-1 (dim=1 is the last only
    where there are two axes)"""
    return torch.softmax(x, dim)


ex.another("default_not_last", lambda x, dim=0: torch.softmax(x, dim))


@ex.mistake
def first_axis_always(x, dim=-1):
    """it is always the first axis that is normalised, whatever dim says"""
    return torch.softmax(x, 0)


@ex.mistake(through=by_total)
def keepdim_forgotten(e, dim):
    """the maximum, or the sum, has lost its axis, so it lines up with another one: keep that axis with size
    1, keepdim=True"""
    return e.sum(dim)


ex.another("keepdim_forgotten", built(torch.amax))
for top in (torch.amax, lambda x, dim: x.max(), lambda x, dim: 0):
    ex.another("keepdim_forgotten", built(top, torch.sum))


@ex.mistake(through=by_total)
def sum_other_axis(e, dim):
    """the sum runs over another axis than dim"""
    return row_sum(e, another_axis(e, dim))


@ex.mistake
def log_softmax(x, dim=-1):
    """this is the logarithm of the softmax: the weights must be positive and sum to 1"""
    return torch.log_softmax(x, dim)


@ex.mistake
def not_normalised(x, dim=-1):
    """the exponentials are not divided by their sum"""
    return torch.exp(x - row_maximum(x, dim))


ex.another("not_normalised", lambda x, dim=-1: torch.exp(x))


@ex.mistake
def no_exp(x, dim=-1):
    """the scores are divided by their sum without exp"""
    return x / row_sum(x, dim)


ex.another("no_exp", lambda x, dim=-1: no_exp(x - row_maximum(x, dim), dim))


@ex.mistake
def sign_flipped(x, dim=-1):
    """the signs are flipped: exp(max - x) gives the largest weight to the smallest score"""
    return torch.softmax(-x, dim)


@ex.mistake(through=by_total)
def epsilon(e, dim):
    """a constant is added to the sum, so the weights no longer sum to 1: with the maximum subtracted the sum
    is at least 1, and nothing needs to be added"""
    return row_sum(e, dim) + 1e-3


@ex.mistake
def square_instead_of_exp(x, dim=-1):
    """the base is 2, not e: use torch.exp"""
    return torch.softmax(x * math.log(2), dim)
