"""head_entropy: how spread out each row of a causal head is, between 0 and 1."""

import math

import torch

from autograder.authoring.exercise import Exercise, call
from autograder.authoring.tables import causal_table

ex = Exercise(
    "head_entropy(weights)",
    {"entropy": "B H T"},
    gradients=False,
    hints=[
        "What is the largest entropy that row 3 can have, when it may see 4 keys?",
        "H = -sum w log w over the keys, with 0 log 0 = 0; the largest possible is log(number of visible keys) = log(i + 1). Row 0 has one key: its entropy is 0 by meaning, not 0/0.",
        "torch.special.xlogy(w, w) is 0 where w is 0; torch.arange(1, T + 1) counts the visible keys of each row.",
    ],
)


@ex.reference
def head_entropy(weights):
    T = weights.shape[-1]
    entropy = torch.special.entr(weights).sum(-1)
    most = torch.tensor(
        [1.0, *(math.log(i) for i in range(2, T + 1))],
        dtype=weights.dtype,
        device=weights.device,
    )
    return torch.cat([torch.zeros_like(entropy[..., :1]), (entropy / most)[..., 1:]], -1)


@ex.case
def drawn(g):
    return call(weights=causal_table(g, 2, 3, 5)).but(tolerance=1e-4)


@ex.case
def two_heads(g):
    return call(weights=causal_table(g, 3, 2, 7)).but(tolerance=1e-4)


@ex.case
def uniform(g):
    rows = torch.ones(4, 4, dtype=torch.float64).tril()
    return call(weights=(rows / rows.sum(-1, keepdim=True)).expand(2, 3, 4, 4).clone()).but(tolerance=1e-4)


@ex.edge
def one_hot(g):
    return call(weights=torch.eye(5, dtype=torch.float64).expand(1, 2, 5, 5).clone()).but(tolerance=1e-4)


@ex.edge
def one_token(g):
    return call(weights=torch.ones(2, 3, 1, 1, dtype=torch.float64)).but(tolerance=1e-4)


@ex.edge
def one_head_one_example(g):
    weights = causal_table(g, 1, 1, 6)
    weights[..., 5, 5] += weights[..., 5, 0]
    weights[..., 5, 0] = 0  # a key without weight is one that the row may see
    return call(weights=weights).but(tolerance=1e-4)


@ex.edge
def not_contiguous(g):
    return call(weights=causal_table(g, 2, 4, 3)).but(tolerance=1e-4, strided=True)


def entropy(
    divisor=lambda T: torch.arange(1, T + 1).double().log(), dim=-1, log=torch.log, sign=-1, first=0.0
):
    """An implementation from its parts."""

    def implementation(weights):
        w, T = weights, weights.shape[-1]
        h = sign * torch.where(w > 0, w * log(w.clamp(min=1e-300)), 0).sum(dim)
        most = divisor(T).to(w.dtype)
        h = h / most
        return torch.cat([torch.full_like(h[..., :1], first), h[..., 1:]], -1) if first is not None else h

    return implementation


ex.mistake(
    "not_divided",
    "the entropy is not divided by its largest possible value, log(i + 1) in row i",
    entropy(divisor=lambda T: torch.ones(T)),
)
ex.mistake(
    "divided_by_log_T",
    "every row is divided by log(T): row i sees only i + 1 keys, so its largest entropy is log(i + 1)",
    entropy(divisor=lambda T: torch.full((T,), float(T)).log()),
)
ex.mistake(
    "divided_by_log_i",
    "row i is divided by log(i): it sees i + 1 keys, itself included",
    entropy(
        divisor=lambda T: torch.arange(T).double().clamp(min=2).log().where(torch.arange(T) > 1, torch.inf)
    ),
    entropy(divisor=lambda T: torch.arange(T).double().log(), first=None),
    entropy(divisor=lambda T: torch.arange(T).double().log()),
)
ex.mistake(
    "divided_by_log_i_plus_2",
    "row i is divided by log(i + 2): it sees i + 1 keys",
    entropy(divisor=lambda T: torch.arange(2, T + 2).double().log()),
)


def with_epsilon(epsilon):
    """Row 0 is -epsilon / 0."""
    return lambda w: -(w * (w + epsilon).log()).sum(-1) / torch.arange(1, w.shape[-1] + 1).log().to(w.dtype)


def positive_counted(weights):
    """The divisor from the keys that got weight, not from those that the row may see."""
    most = (weights > 0).sum(-1).to(weights.dtype).log()
    return torch.where(most > 0, torch.special.entr(weights).sum(-1) / most, 0)


ex.mistake(
    "first_row_nan",
    "row 0 is divided by log(1) = 0: it sees one key, and its entropy is 0",
    entropy(first=None),
    with_epsilon(1e-9),
    lambda w: (
        -(w * w.log()).nan_to_num().sum(-1) / torch.arange(1, w.shape[-1] + 1).double().log().to(w.dtype)
    ),
)
ex.mistake(
    "zero_times_log_zero",
    "0 * log(0) is NaN: masked keys have weight 0 and add nothing (torch.special.xlogy, or torch.where)",
    lambda w: (
        -(w * w.log()).sum(-1) / torch.arange(1, w.shape[-1] + 1).double().log().clamp(min=1e-12).to(w.dtype)
    ),
    lambda w: -(w * w.log()).sum(-1),
    lambda w: torch.cat(
        [
            torch.zeros_like(w[..., :1, 0]),
            (-(w * w.log()).sum(-1) / torch.arange(1, w.shape[-1] + 1).double().log().to(w.dtype))[..., 1:],
        ],
        -1,
    ),
)
ex.mistake(
    "first_row_tiny_by_tiny",
    "row 0 divides one tiny constant by another: it sees one key, and its entropy is 0 by meaning, so set it",
    *[
        lambda w, eps=eps: (
            -(w * (w + eps).log()).sum(-1)
            / torch.arange(1, w.shape[-1] + 1).double().log().clamp(min=eps).to(w.dtype)
        )
        for eps in (1e-9, 1e-12)
    ],
)
ex.mistake("sign_missing", "the sign is missing: entropy is *minus* the sum of w log w", entropy(sign=1))
ex.mistake(
    "sum_over_queries", "the sum runs over the queries: each row (dim=-1) has an entropy", entropy(dim=-2)
)
ex.mistake(
    "divided_by_count",
    "the entropy is divided by the number of keys: divide by its logarithm",
    entropy(divisor=lambda T: torch.arange(1, T + 1)),
)
ex.mistake(
    "base_2_over_natural",
    "the two logarithms have different bases: use the same for the sum and for the divisor",
    entropy(log=torch.log2),
    entropy(divisor=lambda T: torch.arange(1, T + 1).double().log2()),
)
ex.mistake(
    "positive_counted",
    "the keys are counted by their weights: a key that the row may see can have weight 0. Row i sees i + 1 keys",
    positive_counted,
)
ex.mistake(
    "averaged_over_heads",
    "the entropies are averaged over the heads: each head's own are wanted",
    lambda w: entropy()(w).mean(1),
)
ex.mistake(
    "averaged_over_rows",
    "the entropies are averaged over the rows: one for each row is wanted",
    lambda w: entropy()(w).mean(-1),
)
ex.mistake(
    "one_in_first_row",
    "row 0 gets 1: with one key there is nothing to choose, its entropy is 0",
    entropy(first=1.0),
)
ex.mistake(
    "one_minus_entropy",
    "this is 1 minus the entropy: 0 means one key, 1 means all keys alike",
    lambda w: 1 - entropy()(w),
)
