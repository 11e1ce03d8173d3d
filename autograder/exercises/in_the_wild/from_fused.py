"""from_fused: one weight with the rows of Q, K and V -> three weights for nn.Linear."""

import torch

from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"W_q": "d_model d_model", "W_k": "d_kv d_model", "W_v": "d_kv d_model"},
    container="tuple",
    gradients=False,
    copies=True,
    hints=[
        "weight has d_model + 2 * d_kv rows. Whose are the first d_model of them, and how many rows are left "
        "for the keys and for the values?",
        "The rows of Q come first, then the d_kv rows of K, then the d_kv rows of V. nn.Linear keeps (out, "
        "in) as well, so nothing is transposed. d_model is weight.shape[1].",
        "weight.split([...]) cuts the rows into pieces of the sizes in the list, and gives views of the same "
        "memory: .clone() makes a copy.",
        "W_q, W_k, W_v = weight.clone().split([d_model, d_kv, d_kv])",
    ],
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


def sizes(weight, d_kv):
    """[d_model, d_kv, d_kv]."""
    d_model = weight.shape[1]
    return [d_model] + [d_model if d_kv is None else d_kv] * 2


def by_sizes(cut=sizes, take=(0, 1, 2), change=lambda W: W):
    """An implementation from the sizes of the row blocks, which block is returned as which weight, and what
    is done with each."""

    def implementation(weight, d_kv=None):
        blocks = weight.split(cut(weight, d_kv))
        return tuple(change(blocks[place]) for place in take)

    return implementation


def in_memory_order(order):
    """The rows are taken to be those of order[0], then order[1], then order[2]."""

    def implementation(weight, d_kv=None):
        size = dict(zip("QKV", sizes(weight, d_kv), strict=True))
        blocks = dict(zip(order, weight.split([size[of] for of in order]), strict=True))
        return blocks["Q"], blocks["K"], blocks["V"]

    return implementation


def by_starts(starts):
    """starts(d_model, d_kv): the first row of each weight; the numbers of rows are right."""

    def implementation(weight, d_kv=None):
        counts = sizes(weight, d_kv)
        first = starts(*counts[:2])
        return tuple(weight[at : at + count] for at, count in zip(first, counts, strict=True))

    return implementation


def whole_thirds(weight, d_kv=None):
    n = weight.shape[0] // 3
    return weight[:n], weight[n : 2 * n], weight[2 * n :]


def three_from_a_view(weight, d_kv=None):
    W_q, W_k, W_v = weight.reshape(3, -1, weight.shape[1])
    return W_q, W_k, W_v


def every_third_row(weight, d_kv=None):
    return weight[0::3], weight[1::3], weight[2::3]


def pairs_of_rows(weight, d_kv=None):
    d_model = weight.shape[1]
    return weight[:d_model], weight[d_model::2], weight[d_model + 1 :: 2]


def repeated(weight, d_kv=None, repeat=torch.repeat_interleave):
    W_q, W_k, W_v = weight.split(sizes(weight, d_kv))
    times = -(-len(W_q) // len(W_k))
    return W_q, repeat(W_k, times, 0)[: len(W_q)], repeat(W_v, times, 0)[: len(W_q)]


def tiled(W, times, dim):
    return W.repeat(times, 1)


def padded(weight, d_kv=None):
    W_q, W_k, W_v = weight.split(sizes(weight, d_kv))
    missing = max(0, len(W_q) - len(W_k))
    return W_q, *(torch.nn.functional.pad(W, (0, 0, 0, missing)) for W in (W_k, W_v))


def no_default(weight, d_kv=None):
    d_model = weight.shape[1]
    return weight[:d_model], weight[d_model : d_model + d_kv], weight[d_model + d_kv :]


def zero_for_none(weight, d_kv=None):
    return no_default(weight, d_kv or 0)


def up_to_the_end(weight, d_kv=None):
    d_model, d_kv, _ = sizes(weight, d_kv)
    return weight[:d_model], weight[d_model:], weight[d_model + d_kv :]


def last_rows_lost(weight, d_kv=None):
    d_model, d_kv, _ = sizes(weight, d_kv)
    return weight[: d_model - 1], weight[d_model : d_model + d_kv - 1], weight[d_model + d_kv : -1]


def first_rows_lost(weight, d_kv=None):
    d_model, d_kv, _ = sizes(weight, d_kv)
    return weight[:d_model], weight[d_model + 1 : d_model + d_kv], weight[d_model + d_kv + 1 :]


def borders_twice(weight, d_kv=None):
    d_model, d_kv, _ = sizes(weight, d_kv)
    return weight[: d_model + 1], weight[d_model : d_model + d_kv + 1], weight[d_model + d_kv :]


def three_columns(weight, d_kv=None):
    return weight.tensor_split(3, dim=1)


def columns_by_size(weight, d_kv=None):
    d_model, d_kv, _ = sizes(weight, d_kv)
    return weight[:, :d_model], weight[:, d_model : d_model + d_kv], weight[:, d_model + d_kv :]


def kv_width(weight, d_kv=None):
    d_model, d_kv, _ = sizes(weight, d_kv)
    return weight[:d_model], weight[d_model : 2 * d_model], weight[2 * d_model : 2 * d_model + d_kv]


ex.switches(
    by_sizes,
    {
        "d_kv_ignored": (
            "d_kv has no effect: Q has d_model rows, K and V have d_kv each, which are fewer where heads "
            "share keys and values",
            {"cut": lambda weight, d_kv: -(-len(weight) // 3)},
            {"cut": lambda weight, d_kv: sizes(weight, None)},
            by_starts(lambda d_model, d_kv: (0, d_model, 2 * d_model)),
            kv_width,
            whole_thirds,
            lambda weight, d_kv=None: weight.tensor_split(3),
            lambda weight, d_kv=None: (
                weight[: weight.shape[1]],
                weight[weight.shape[1] : 2 * weight.shape[1]],
                weight[2 * weight.shape[1] :],
            ),
            three_from_a_view,
        ),
        "all_narrow": (
            "Q is cut to d_kv rows as well: only K and V are as narrow as that, Q has d_model rows",
            {"cut": lambda weight, d_kv: sizes(weight, d_kv)[1]},
            lambda weight, d_kv=None: tuple(weight.split(sizes(weight, d_kv)[1]))[:3],
        ),
        "q_from_the_keys_width": (
            "Q has the right number of rows, but K and V are counted from row d_kv on: they begin behind the "
            "d_model rows of Q",
            by_starts(lambda d_model, d_kv: (0, d_kv, 2 * d_kv)),
            by_starts(lambda d_model, d_kv: (0, d_model, 2 * d_kv)),
        ),
        "no_default": (
            "without d_kv it raises: d_kv=None stands for d_model, which is weight.shape[1]",
            no_default,
        ),
        "none_is_nothing": (
            "without d_kv, K gets no rows at all: d_kv=None stands for d_model, not for 0",
            zero_for_none,
        ),
        "k_and_q_exchanged": (
            "queries and keys are exchanged: the rows are those of Q, then K, then V, and the weights are "
            "returned in this order",
            {"take": (1, 0, 2)},
            in_memory_order("KQV"),
        ),
        "k_and_v_exchanged": (
            "keys and values are exchanged: the rows are those of Q, then K, then V, and the weights are "
            "returned in this order",
            {"take": (0, 2, 1)},
        ),
        "q_and_v_exchanged": (
            "queries and values are exchanged: the rows are those of Q, then K, then V",
            {"take": (2, 1, 0)},
            in_memory_order("VKQ"),
        ),
        "q_last": (
            "the rows of Q are taken from the end: Q comes first, then K, then V",
            {"take": (2, 0, 1)},
            in_memory_order("KVQ"),
        ),
        "v_first": (
            "the rows of V are taken from the beginning: Q comes first, then K, then V",
            {"take": (1, 2, 0)},
            in_memory_order("VQK"),
        ),
        "keys_twice": (
            "V gets the rows of K: behind them come d_kv rows of its own",
            {"take": (0, 1, 1)},
        ),
        "values_twice": (
            "K gets the rows of V: its own stand before them, directly behind those of Q",
            {"take": (0, 2, 2)},
        ),
        "queries_everywhere": (
            "K and V get the rows of Q: each has rows of its own behind them",
            {"take": (0, 0, 0)},
        ),
        "transposed": (
            "the weights are transposed: nn.Linear keeps (out, in), and so does the fused weight",
            {"change": lambda W: W.T},
        ),
        "q_transposed": (
            "only W_q is transposed: nn.Linear keeps (out, in), and so does the fused weight",
            lambda weight, d_kv=None: tuple(
                W if place else W.T for place, W in enumerate(by_sizes()(weight, d_kv))
            ),
        ),
        "flattened": (
            "the weights have lost an axis: each is (out, in), as nn.Linear keeps it",
            {"change": lambda W: W.flatten()},
        ),
        "axis_added": (
            "the weights have an axis too many: each is (out, in), as nn.Linear keeps it",
            {"change": lambda W: W[None]},
        ),
    },
)
ex.switches(
    by_sizes,
    {
        "cut_by_columns": (
            "the columns are cut: Q, K and V are blocks of *rows*, as the rows of a weight are its outputs",
            three_columns,
            columns_by_size,
            lambda weight, d_kv=None: weight.chunk(3, dim=1),
            lambda weight, d_kv=None: weight.chunk(3, dim=-1),
            lambda weight, d_kv=None: weight.T.chunk(3),
        ),
        "rows_in_turn": (
            "the rows are dealt out in turn: here all rows of Q come first, then all of K, then all of V",
            every_third_row,
            pairs_of_rows,
            lambda weight, d_kv=None: weight.reshape(-1, 3, weight.shape[1]).unbind(1),
        ),
        "repeated_for_q": (
            "K and V are repeated until they are as wide as Q: they keep their d_kv rows. Heads are repeated "
            "later, where attention is computed",
            repeated,
            lambda weight, d_kv=None: repeated(weight, d_kv, tiled),
        ),
        "padded_with_zeros": (
            "K and V are filled up with rows of zeros: they keep their d_kv rows",
            padded,
        ),
        "end_forgotten": (
            "W_k goes on to the last row: it ends after d_kv rows, where V begins",
            up_to_the_end,
        ),
        "rows_lost": (
            "a row is lost at a border: the end of a slice is left out by itself, so W[a:b] and W[b:c] fit "
            "together",
            last_rows_lost,
            first_rows_lost,
        ),
        "rows_twice": (
            "a row at a border is in two weights: the end of a slice is left out by itself, so W[a:b] and "
            "W[b:c] fit together",
            borders_twice,
        ),
        "uncut": (
            "each of the three is the whole fused weight: cut its rows",
            lambda weight, d_kv=None: (weight, weight, weight),
        ),
    },
)
