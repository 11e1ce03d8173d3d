"""attention_output: for each token, the weighted sum of the values."""

from functools import reduce

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"output": "T_q d_model"},
    points=1,
    hints="""
    Row i of the weights says how much token i takes from each token. What does it take from there?

    It takes that share of each row of the values, and adds them up: a weighted sum of rows.

    Entry (i, f) of the output is row i of the weights times column f of the values: a dot product, as in step 1.
    Which matrix product computes all of them?

        return weights @ values                              # (T_q, d_model)
    """,
)


@ex.reference
def attention_output(weights, values):
    return torch.stack([reduce(torch.add, map(torch.mul, row, values)) for row in weights])


def case(g, T_q, T_k, d):
    shares = torch.softmax(normal(g, T_q, T_k), 1).mul(64).round() / 64
    return call(weights=shares, values=normal(g, T_k, d))


ex.case(
    more_keys=lambda g: case(g, 3, 5, 4),
    more_queries=lambda g: case(g, 6, 2, 3),
)
ex.edge(
    square=lambda g: case(g, 4, 4, 4),
    one_query=lambda g: case(g, 1, 5, 3),
    one_token=lambda g: call(weights=torch.ones(1, 1, dtype=torch.float64), values=normal(g, 1, 4)),
)
ex.wrong(
    "weights_turned: the weights are transposed: row i of the output uses row i of the weights, weights @ values",
    lambda weights, values: weights.T @ values,
    "wrong_order: the factors are swapped: it is weights @ values, (T_q, T_k) @ (T_k, d_model)",
    lambda weights, values: values @ weights,
    "values_turned: the values are transposed: it is their rows that are mixed, so leave them as they are, weights @ values",
    lambda weights, values: weights @ values.T,
    "entry_by_entry: the numbers are multiplied entry by entry: a weighted sum of rows is a matrix product, @",
    lambda weights, values: weights * values,
    "values_returned: the values come back unchanged: each row must be a mixture of them",
    lambda weights, values: values.clone(),
    "best_key_only: each query takes only the value of its best key: every key contributes its share",
    lambda weights, values: values[weights.argmax(1)],
    "divided_by_keys: the mixture is divided by the number of keys: the weights of a row already sum to 1",
    lambda weights, values: weights @ values / len(values),
)
