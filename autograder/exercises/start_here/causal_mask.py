"""causal_mask: True where a key is in the future of its query."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"mask": "T T"},
    points=1,
    gradients=False,
    devices=False,
    hints="""
    Which words come later than word 1 in a sentence of 5? In row 1, True belongs in their columns.

    Row i, column j: True when j > i. That is everything above the diagonal.

    torch.arange(T) is the row of all j, and torch.arange(T)[:, None] the column of all i. Comparing a row with a
    column compares every j with every i.

        return torch.arange(T) > torch.arange(T)[:, None]    # (T, T)
    """,
)


@ex.reference
def causal_mask(T):
    return torch.tensor([[j > i for j in range(T)] for i in range(T)])


ex.case(
    few_tokens=lambda g: call(T=int(g.integers(4, 20))),
    more_tokens=lambda g: call(T=int(g.integers(20, 66))),
)
ex.edge(
    one_token=lambda g: call(T=1),
    many_tokens=lambda g: call(T=int(g.integers(66, 90))),
)


def by_rule(masked):
    """An implementation that returns masked(i, j) for query positions i (T, 1) and key positions j (1, T)."""
    return lambda T: masked(torch.arange(T)[:, None], torch.arange(T)[None, :])


ex.wrong(
    "inverted: True and False are swapped: True means hidden, so it belongs where j > i",
    by_rule(lambda i, j: j <= i),
    "diagonal_masked: the diagonal is hidden too: a word may always look at itself, so use j > i, not j >= i (triu(1))",
    by_rule(lambda i, j: j >= i),
    "past_masked: the past is hidden instead of the future: row i is the word that looks, so True belongs above the diagonal",
    by_rule(lambda i, j: j < i),
    "off_by_one_late: each word sees one word ahead: use j > i, not j > i + 1",
    by_rule(lambda i, j: j > i + 1),
    "nothing_masked: nothing is hidden: True belongs where the key comes later, j > i",
    by_rule(lambda i, j: (j < 0) & (i < 0)),
    "everything_masked: everything is hidden: True belongs only where the key comes later, j > i",
    lambda T: torch.ones(T, T, dtype=torch.bool),
    "diagonal_only: everything but the diagonal is hidden: earlier words must stay visible",
    by_rule(lambda i, j: j != i),
    "numbers_for_booleans: the mask holds numbers, not True and False: compare positions, or pass dtype=torch.bool",
    lambda T: torch.ones(T, T).triu(1),
    "additive_mask: this mask holds 0 and -inf, to be added to the scores: use True and False here",
    lambda T: torch.full((T, T), -torch.inf).triu(1),
)
