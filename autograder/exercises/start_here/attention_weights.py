"""attention_weights: the softmax of each row of scores."""

import torch

from autograder.authoring.draws import call, distinct
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"weights": "T_q T_k"},
    points=1,
    hints="""
    A row belongs to a query. What must the weights of one row sum to?

    torch.softmax(scores, dim=...) needs an axis: the one along which the numbers compete and sum to 1. A query
    divides its attention among the keys.

    The keys are the columns, axis 1: torch.softmax(..., dim=1), or dim=-1, runs along each row.

        return torch.softmax(scores, dim=1)                  # (T_q, T_k)
    """,
)


@ex.reference
def attention_weights(scores):
    e = (scores - scores.amax(1, keepdim=True).detach()).exp()
    return e / e.sum(1, keepdim=True)


def hidden_future(g):
    scores = distinct(g, 5, 5)
    return call(scores=scores.masked_fill(torch.ones(5, 5, dtype=torch.bool).triu(1), -torch.inf))


ex.case(
    more_keys=lambda g: call(scores=distinct(g, 3, 5)),
    more_queries=lambda g: call(scores=distinct(g, 6, 4)),
)
ex.edge(
    hidden_future=hidden_future,
    one_query=lambda g: call(scores=distinct(g, 1, 4)),
    one_key=lambda g: call(scores=distinct(g, 3, 1)),
)


ex.wrong(
    "softmax_over_queries: the softmax runs down the columns: a row belongs to a query, and each row must sum to 1, so dim=1",
    lambda scores: torch.softmax(scores, 0),
    "softmax_over_everything: the whole table sums to 1, but each row must do so on its own: dim=1",
    lambda scores: torch.softmax(scores.flatten(), 0).reshape(scores.shape),
    "no_softmax: the scores come back unchanged: the softmax is missing",
    lambda scores: scores,
    "not_divided: e is raised to each score, but the results are not divided by the sum of their row",
    lambda scores: scores.exp(),
    "no_exp: the scores are divided by the sum of their row, but e was not raised to each of them first",
    lambda scores: scores / scores.sum(1, keepdim=True),
    "log_softmax: these are the logarithms of the weights: the weights themselves are positive, and each row sums to 1",
    lambda scores: torch.log_softmax(scores, 1),
    "sigmoid: a sigmoid treats each score on its own, but the keys of a row compete: use the softmax",
    torch.sigmoid,
    "softmax_twice: the softmax is applied twice: the first one already gives the weights",
    lambda scores: torch.softmax(torch.softmax(scores, 1), 1),
    "hard_maximum: the best key takes all the weight: softmax gives every key a share",
    lambda scores: (scores == scores.amax(1, keepdim=True)).to(scores.dtype),
)
