"""row_sums: the sum of each row of a table; formerly the first exercise of lesson 0."""

from functools import reduce

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise({"sums": "T_q"}, points=1)


@ex.reference
def row_sums(x):
    return torch.stack([reduce(torch.add, row) for row in x])


ex.case(
    wide=lambda g: call(x=normal(g, 2, 5)),
    tall=lambda g: call(x=normal(g, 4, 3)),
)
ex.edge(
    square=lambda g: call(x=normal(g, 3, 3)),
    one_row=lambda g: call(x=normal(g, 1, 4)),
    one_key=lambda g: call(x=normal(g, 5, 1)),
)
