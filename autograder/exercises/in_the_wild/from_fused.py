"""from_fused: a fused weight with the rows of Q, K and V -> the weights of three nn.Linear layers."""

import torch

from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"W_q": "d_model d_model", "W_k": "d_kv d_model", "W_v": "d_kv d_model"},
    container="tuple",
    gradients=False,
    copies=True,
    hints="""
    weight has d_model + 2 * d_kv rows. What are the first d_model of them for, and how many rows are left for the keys and
    for the values?

    The rows of Q come first, then the d_kv rows of K, then the d_kv rows of V. nn.Linear stores (out, in) as well, so
    nothing is transposed. d_model is weight.shape[1].

    weight.split([...]) cuts the rows into pieces of the sizes in the list, and gives views of the same memory: .clone()
    makes a copy.

    W_q, W_k, W_v = weight.clone().split([d_model, d_kv, d_kv])
    """,
)


@ex.reference
def from_fused(weight, d_kv=None):
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    owners = "Q" * d_model + "K" * d_kv + "V" * d_kv
    rows = {of: [row for row, owner in zip(weight, owners, strict=True) if owner == of] for of in "QKV"}
    return torch.stack(rows["Q"]), torch.stack(rows["K"]), torch.stack(rows["V"])


@ex.case
def equal_widths(g):
    d_model = int(g.integers(3, 9))
    return call(weight=counted(g, 3 * d_model, d_model))


@ex.case
def narrow_keys_and_values(g):
    d_kv, more = int(g.integers(2, 5)), int(g.integers(1, 5))
    d_model = 2 * d_kv + more
    return call(weight=normal(g, d_model + 2 * d_kv, d_model), d_kv=d_kv)


ex.edge(
    width_given_though_equal=lambda g: call(weight=normal(g, 12, 4), d_kv=4),
    one_feature_in_keys_and_values=lambda g: call(weight=normal(g, 7, 5), d_kv=1),
    wider_keys_and_values=lambda g: call(weight=normal(g, 13, 3), d_kv=5),
    rows_divide_by_three=lambda g: call(weight=normal(g, 12, 6), d_kv=3),
    not_contiguous=lambda g: call(weight=normal(g, 8, 4), d_kv=2).but(strided=True),
)


# ---- mistakes


def sizes(weight, d_kv):
    """The number of rows of each block: [d_model, d_kv, d_kv]."""
    d_model = weight.shape[1]
    return [d_model] + [d_model if d_kv is None else d_kv] * 2


def cut(rows=sizes, order=(0, 1, 2), change=lambda W: W):
    """An implementation with these steps: the number of rows of each block, the order of the returned blocks,
    and a change of each."""

    def implementation(weight, d_kv=None):
        blocks = weight.split(rows(weight, d_kv))
        return tuple(change(blocks[place]) for place in order)

    return implementation


def starts(first):
    """An implementation that takes the right numbers of rows, from the three starts first(d_model, d_kv)."""

    def implementation(weight, d_kv=None):
        counts = sizes(weight, d_kv)
        return tuple(weight[at : at + count] for at, count in zip(first(*counts[:2]), counts, strict=True))

    return implementation


ex.wrong(
    "d_kv_ignored: d_kv is ignored: Q has d_model rows, but K and V have d_kv each, which is fewer where query heads share keys and values",
    cut(lambda weight, d_kv: -(-len(weight) // 3)),
    "q_from_the_keys_width: Q has the right number of rows, but K and V are taken from row d_kv on: they start after the d_model rows of Q",
    starts(lambda d_model, d_kv: (0, d_kv, 2 * d_kv)),
    "k_and_q_exchanged: queries and keys are swapped: Q's rows come first, then K's, then V's, and the weights are returned in the same order",
    cut(order=(1, 0, 2)),
    "k_and_v_exchanged: keys and values are swapped: Q's rows come first, then K's, then V's, and the weights are returned in the same order",
    cut(order=(0, 2, 1)),
    "transposed: the weights are transposed: nn.Linear stores (out, in), and so does the fused weight",
    cut(change=lambda W: W.T),
)
