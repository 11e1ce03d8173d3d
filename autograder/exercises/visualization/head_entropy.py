"""head_entropy: how spread out each row of a causal head is, from 0 to 1."""

import math

import torch

from autograder.authoring.draws import call, causal_table
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"entropy": "B H T"},
    gradients=False,
    hints="""
    What is the largest entropy that row 3 can have, when it may see 4 keys?

    H = -sum w log w over the keys, with 0 log 0 = 0; the largest possible is log(number of visible keys) =
    log(i + 1). Row 0 has one key: its entropy is 0 by definition, not 0/0.

    torch.special.xlogy(w, w) is 0 where w is 0; torch.arange(1, T + 1) counts the visible keys of each row.

        -torch.special.xlogy(w, w).sum(-1)  # (B, H, T), before it is divided
    """,
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


def case(weights):
    return call(weights=weights).but(tolerance=1e-4)


def one_row_of_zero_weight(g):
    """Weights whose last row gives key 0 no weight, although the row may see it."""
    weights = causal_table(g, 1, 1, 6)
    weights[..., 5, 5] += weights[..., 5, 0]
    weights[..., 5, 0] = 0
    return weights


def uniform_rows(T):
    rows = torch.ones(T, T, dtype=torch.float64).tril()
    return rows / rows.sum(-1, keepdim=True)


ex.case(
    drawn=lambda g: case(causal_table(g, 2, 3, 5)),
    two_heads=lambda g: case(causal_table(g, 3, 2, 7)),
    uniform=lambda g: case(uniform_rows(4).expand(2, 3, 4, 4).clone()),
)
ex.edge(
    one_hot=lambda g: case(torch.eye(5, dtype=torch.float64).expand(1, 2, 5, 5).clone()),
    one_token=lambda g: case(torch.ones(2, 3, 1, 1, dtype=torch.float64)),
    one_head_one_example=lambda g: case(one_row_of_zero_weight(g)),
    not_contiguous=lambda g: case(causal_table(g, 2, 4, 3)).but(strided=True),
)


def log_visible(T):
    """The largest entropy of each row: the logarithm of its number of visible keys."""
    return torch.arange(1, T + 1).double().log()


def entropy(divisor=log_visible, dim=-1, sign=-1, first: float | None = 0.0):
    """An implementation with these steps; first replaces row 0 (None: row 0 is computed)."""

    def implementation(weights):
        w, T = weights, weights.shape[-1]
        h = sign * torch.where(w > 0, w * w.clamp(min=1e-300).log(), 0).sum(dim) / divisor(T).to(w.dtype)
        return torch.cat([torch.full_like(h[..., :1], first), h[..., 1:]], -1) if first is not None else h

    return implementation


def plain_sum(weights):
    """-sum w log w, which is NaN where a weight is 0."""
    return -(weights * weights.log()).sum(-1)


def over_log_visible(h, least=0.0):
    return h / log_visible(h.shape[-1]).clamp(min=least).to(h.dtype)


def row_0_set(h, first=0.0):
    return torch.cat([torch.full_like(h[..., :1], first), h[..., 1:]], -1)


def positive_counted(weights):
    most = (weights > 0).sum(-1).to(weights.dtype).log()
    return torch.where(most > 0, torch.special.entr(weights).sum(-1) / most, 0)


ex.wrong(
    "not_divided: the entropy is not divided by its largest possible value, log(i + 1) in row i",
    entropy(divisor=lambda T: torch.ones(T)),
    "divided_by_log_T: every row is divided by log(T): row i sees only i + 1 keys, so its largest entropy is log(i + 1)",
    entropy(divisor=lambda T: torch.full((T,), float(T)).log()),
    "divided_by_log_i: row i is divided by log(i): it sees i + 1 keys, itself included",
    entropy(divisor=lambda T: torch.arange(T).double().log()),
    "first_row_nan: row 0 is divided by log(1) = 0: it sees only one key, so set its entropy to 0",
    entropy(first=None),
    "zero_times_log_zero: 0 * log(0) is NaN: masked keys have weight 0 and must contribute 0 (torch.special.xlogy, or torch.where)",
    lambda w: over_log_visible(plain_sum(w), least=1e-12),
    lambda w: row_0_set(over_log_visible(plain_sum(w))),
    "sign_missing: the sign is missing: entropy is *minus* the sum of w log w",
    entropy(sign=1),
    "sum_over_queries: the sum runs over the queries: sum over the keys (dim=-1), since each row has its own entropy",
    entropy(dim=-2),
    "positive_counted: only keys with a positive weight are counted as visible: a visible key can have weight 0 too. Row i always sees i + 1 keys",
    positive_counted,
    "one_minus_entropy: this is 1 minus the entropy: 0 means all the weight on one key, 1 means equal weight on all keys",
    lambda weights: 1 - head_entropy(weights),
)
