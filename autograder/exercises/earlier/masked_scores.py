"""masked_scores: scores with -inf where the mask is True; formerly the last exercise of lesson 0."""

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"masked_scores": "T_q T_k"},
    points=1,
    gradients=False,
    floors={"masked_scores": -9e3},
    uses=["causal_mask"],
    hints="""
    What must a hidden score become, so that e to its power is 0?

    Minus infinity, float("-inf") or -torch.inf. All other scores stay as they are.

    scores.masked_fill(mask, number) gives a new table: the number where the mask is True, else the score.

        return scores.masked_fill(mask, -torch.inf)          # (T_q, T_k)
    """,
)


@ex.reference
def masked_scores(scores, mask):
    return torch.where(mask, -torch.inf, scores)


def case(g, T_q, T_k, mask=None):
    mask = torch.ones(T_q, T_k, dtype=torch.bool).triu(1) if mask is None else mask
    return call(scores=normal(g, T_q, T_k), mask=mask)


@ex.case
def any_mask(g):
    mask = torch.from_numpy(g.random((4, 6)) < 0.5)
    mask[0, 0], mask[3, 5] = True, False
    return case(g, 4, 6, mask)


ex.case(causal=lambda g: case(g, 5, 3))
ex.edge(
    square=lambda g: case(g, 5, 5),
    more_keys=lambda g: case(g, 3, 7),
    one_token=lambda g: case(g, 1, 1),
    nothing_masked=lambda g: case(g, 2, 3, torch.zeros(2, 3, dtype=torch.bool)),
)
ex.wrong(
    "mask_ignored: nothing is hidden: masked_fill gives a *new* table. Return its result",
    lambda scores, mask: scores.clone(),
    "mask_inverted: the wrong scores are hidden: True means hidden, False stays",
    lambda scores, mask: scores.masked_fill(~mask, -torch.inf),
    "filled_with_zero: hidden scores are 0, and e to the power of 0 is 1, a full share: fill with minus infinity",
    lambda scores, mask: scores.masked_fill(mask, 0.0),
    "small_fill: hidden scores are a small number, which still gets a share where the others are lower: fill with minus infinity",
    lambda scores, mask: scores.masked_fill(mask, -10.0),
    "softmax_already: these are weights: here the scores are hidden, and the softmax comes after that",
    lambda scores, mask: torch.softmax(scores.masked_fill(mask, -torch.inf), 1),
)
