"""row_sums: the toy exercise of lesson 0; each row of a table, summed."""

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"sums": "T_q"},
    points=1,
    hints="""
    A table of shape (T_q, T_k) becomes (T_q,). Which of the two axes disappears, the first or the second?

    Summing along an axis removes that axis. The keys are to be summed, and they are axis 1.

    Tensors have a method sum, which takes the axis as dim.

        return x.sum(dim=1)                                  # (T_q,)
    """,
)


@ex.reference
def row_sums(x):
    return torch.stack([sum(row.unbind(), row.new_zeros(())) for row in x])


ex.case(
    wide=lambda g: call(x=normal(g, 2, 5)),
    tall=lambda g: call(x=normal(g, 4, 3)),
)
ex.edge(
    square=lambda g: call(x=normal(g, 3, 3)),
    one_row=lambda g: call(x=normal(g, 1, 4)),
    one_key=lambda g: call(x=normal(g, 5, 1)),
)


@ex.mistake
def sums_columns(x):
    """the columns are summed, not the rows: a row holds the keys of one query, so it is axis 1 that
    disappears"""
    return x.sum(0)


ex.another("sums_columns", lambda x: x.sum(0, keepdim=True))


@ex.mistake
def divided_by_the_sums(x):
    """the table is divided by its sums, so that each row sums to 1: the sums themselves are wanted, (T_q,)"""
    return x / x.sum(1, keepdim=True)


@ex.mistake
def sums_so_far(x):
    """each sum holds the rows above it too: the total has to begin at 0 for every row"""
    return x.sum(1).cumsum(0)


@ex.mistake
def sums_everything(x):
    """the whole table is summed into one number: each row has a sum of its own"""
    return x.sum()


@ex.mistake
def keeps_the_axis(x):
    """the sums are right, but the summed axis stays behind with size 1: (T_q, 1), where (T_q,) is wanted"""
    return x.sum(1, keepdim=True)


@ex.mistake
def squeezed(x):
    """a table of one row is squeezed to a single number: squeeze() removes every axis of size 1, and (T_q,)
    is wanted also for T_q = 1. Sum without keepdim"""
    return x.sum(1, keepdim=True).squeeze()


@ex.mistake
def averages(x):
    """these are means, not sums"""
    return x.mean(1)


@ex.mistake
def only_the_first_row(x):
    """only the first row is summed"""
    return x[0].sum()


ex.another("only_the_first_row", lambda x: x[:1].sum(1))
