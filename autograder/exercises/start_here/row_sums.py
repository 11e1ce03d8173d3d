"""row_sums: the toy exercise of lesson 0; each row of a table, summed."""

import torch

from autograder.authoring.exercise import Exercise, call, normal

ex = Exercise(
    "row_sums(x)",
    {"sums": "T_q"},
    points=1,
    hints=[
        "A table of shape (T_q, T_k) becomes (T_q,). Which of the two axes disappears, the first or the second?",
        "Summing along an axis removes that axis. The keys are to be summed, and they are axis 1.",
        "Tensors have a method sum, which takes the axis as dim.",
    ],
)


@ex.reference
def row_sums(x):
    return torch.stack([sum(row.unbind(), row.new_zeros(())) for row in x])


@ex.case
def wide(g):
    return call(x=normal(g, 2, 5))


@ex.case
def tall(g):
    return call(x=normal(g, 4, 3))


@ex.edge
def square(g):
    return call(x=normal(g, 3, 3))


@ex.edge
def one_row(g):
    return call(x=normal(g, 1, 4))


@ex.edge
def one_key(g):
    return call(x=normal(g, 5, 1))


ex.mistake(
    "sums_columns",
    "the columns are summed, not the rows: a row holds the keys of one query, so it is axis 1 that disappears",
    lambda x: x.sum(0),
)
ex.mistake(
    "sums_everything",
    "the whole table is summed into one number: each row has a sum of its own",
    lambda x: x.sum(),
)
ex.mistake(
    "keeps_the_axis",
    "the sums are right, but the summed axis stays behind with size 1: (T_q, 1), where (T_q,) is wanted",
    lambda x: x.sum(1, keepdim=True),
)
ex.mistake(
    "squeezed",
    "a table of one row is squeezed to a single number: squeeze() removes every axis of size 1, and (T_q,) is wanted also for T_q = 1. Sum without keepdim",
    lambda x: x.sum(1, keepdim=True).squeeze(),
)
ex.mistake("averages", "these are means, not sums", lambda x: x.mean(1))
ex.mistake("only_the_first_row", "only the first row is summed", lambda x: x[0].sum(), lambda x: x[:1].sum(1))
