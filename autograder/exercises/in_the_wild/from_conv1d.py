"""from_conv1d: GPT-2's fused projection -> weights and biases for three nn.Linear."""

import torch

from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

WEIGHTS, BIASES = ("W_q", "W_k", "W_v"), ("b_q", "b_k", "b_v")
ex = Exercise(
    {**dict.fromkeys(WEIGHTS, "d_model d_model"), **dict.fromkeys(BIASES, "d_model")},
    container="dict",
    gradients=False,
    copies=True,
    hints=[
        "GPT-2 computes x @ weight + bias, and nn.Linear x @ W.T + b. In which of the two do the columns of "
        "the weight belong to the outputs?",
        "The first d_model columns of weight give the queries, the next the keys, the last the values. "
        "nn.Linear wants (out, in), so each of the three blocks is transposed. The bias has no second axis: "
        "it is only cut.",
        "weight.T has the shape (3 * d_model, d_model); .chunk(3) cuts its rows into three. Both give views "
        "of the same memory: .clone() makes a copy.",
        "W_q, W_k, W_v = weight.T.clone().chunk(3); b_q, b_k, b_v = bias.clone().chunk(3); the keys are "
        '"W_q", "W_k", "W_v", "b_q", "b_k" and "b_v"',
    ],
)


@ex.reference
def from_conv1d(weight, bias):
    d_model, result = len(weight), {}
    for place, (W, b) in enumerate(zip(WEIGHTS, BIASES, strict=True)):
        outputs = range(place * d_model, (place + 1) * d_model)
        result[W] = torch.stack([weight[:, output] for output in outputs])
        result[b] = torch.stack([bias[output] for output in outputs])
    return result


def drawn(g, d_model, numbers=normal):
    return call(weight=numbers(g, d_model, 3 * d_model), bias=normal(g, 3 * d_model))


ex.case(
    counted=lambda g: drawn(g, int(g.integers(3, 8)), counted),
    drawn=lambda g: drawn(g, int(g.integers(4, 9))),
)
ex.edge(
    two_features=lambda g: drawn(g, 2),
    float32=lambda g: drawn(g, 3).but(dtype="float32"),
    not_contiguous=lambda g: drawn(g, 4).but(strided=True),
)


def turned(W):
    return W.T


def columns(weight):
    """The three blocks as they are stored, each (in, out)."""
    return weight.chunk(3, dim=1)


def parts(cut=columns, change=turned, cut_bias=lambda bias: bias.chunk(3), order=(0, 1, 2), biases=None):
    """An implementation from the ways in which weight and bias are cut, what is done with each block, and
    which block is whose (of the biases, where they have an order of their own)."""

    def implementation(weight, bias):
        blocks, pieces = cut(weight), cut_bias(bias)
        found = {W: change(blocks[place]) for W, place in zip(WEIGHTS, order, strict=True)}
        return found | {b: pieces[place] for b, place in zip(BIASES, biases or order, strict=True)}

    return implementation


def except_for(transposed):
    """Only these of the weights are transposed."""

    def implementation(weight, bias):
        right = from_conv1d(weight, bias)
        return right | {W: right[W].T for W in WEIGHTS if W not in transposed}

    return implementation


def as_it_is(W):
    return W


def row_thirds(weight):
    """Three blocks of rows of the weight as it is stored."""
    return weight.tensor_split(3)


def by_column_in_turn(weight):
    return [weight[:, place::3] for place in range(3)]


def every_third(bias):
    return [bias[place::3] for place in range(3)]


def reshaped_rows(weight):
    """(3 * d_model, d_model) in the order of memory, cut by rows."""
    return weight.reshape(-1, len(weight)).chunk(3)


def three_squares(weight):
    return weight.reshape(3, len(weight), len(weight))


def last_axis(weight):
    return weight.reshape(len(weight), -1, 3).unbind(-1)


ex.switches(
    parts,
    {
        "not_transposed": (
            "the weights are not transposed: GPT-2 keeps (in, out), and nn.Linear wants (out, in). A square "
            "weight fits either way, so nothing raises (reshape changes nothing in a square, and a "
            "transpose of the whole and of each block undo each other)",
            {"change": as_it_is},
        ),
        "rows_cut": (
            "the rows are cut: weight is (in, out), so Q, K and V are blocks of its columns, chunk(3, "
            "dim=1), or of the rows of weight.T",
            {"cut": row_thirds},
            {"cut": row_thirds, "change": as_it_is},
            {"cut": lambda weight: weight.chunk(3)},
            {"cut": lambda weight: weight.chunk(3), "change": as_it_is},
            {"cut": lambda weight: weight.T.chunk(3, dim=1)},
            {"cut": lambda weight: weight.T.chunk(3, dim=1), "change": as_it_is},
        ),
        "reshaped_for_transposed": (
            "the weight is reshaped to (3 * d_model, d_model), which keeps the order in memory and mixes "
            "inputs with outputs: transpose it, weight.T",
            {"cut": reshaped_rows, "change": as_it_is},
            {"cut": reshaped_rows},
            {"cut": three_squares},
        ),
        "every_third_column": (
            "the columns are dealt out in turn: the first d_model columns are those of Q, then come those of "
            "K, then those of V",
            {"cut": by_column_in_turn},
            {"cut": last_axis, "change": as_it_is},
            {"cut": by_column_in_turn, "cut_bias": every_third},
            {"cut": by_column_in_turn, "cut_bias": every_third, "change": as_it_is},
        ),
        "bias_in_turn": (
            "the biases are dealt out in turn: the first d_model numbers are those of Q, then K's, then V's",
            {"cut_bias": every_third},
            {"cut_bias": lambda bias: bias.reshape(-1, 3).unbind(1)},
        ),
        "k_and_q_exchanged": (
            "queries and keys are exchanged: the blocks are Q, K, V in this order",
            {"order": (1, 0, 2)},
        ),
        "k_and_v_exchanged": (
            "keys and values are exchanged: the blocks are Q, K, V in this order",
            {"order": (0, 2, 1)},
        ),
        "q_and_v_exchanged": (
            "queries and values are exchanged: the blocks are Q, K, V in this order",
            {"order": (2, 1, 0)},
        ),
        "order_moved_on": (
            "all three blocks are under the wrong name: they are Q, K, V in this order",
            {"order": (1, 2, 0)},
            {"order": (2, 0, 1)},
        ),
        "biases_in_another_order": (
            "the weights are right, but the biases are under each other's names: they are Q, K, V in this "
            "order, too",
            {"biases": (1, 0, 2)},
            {"biases": (0, 2, 1)},
            {"biases": (2, 1, 0)},
            {"biases": (1, 2, 0)},
            {"biases": (2, 0, 1)},
        ),
        "one_bias_for_all": (
            "b_q, b_k and b_v are the same numbers: each is a third of its own",
            {"biases": (0, 0, 0)},
            {"biases": (2, 2, 2)},
        ),
        "biases_repeated": (
            "two of the biases are the same numbers: each is a third of its own",
            {"biases": (0, 1, 1)},
            {"biases": (0, 0, 2)},
            {"biases": (0, 2, 2)},
            {"biases": (0, 0, 1)},
        ),
        "weights_repeated": (
            "two of the weights are the same numbers: each is a third of its own",
            {"order": (0, 1, 1), "biases": (0, 1, 2)},
            {"order": (0, 0, 2), "biases": (0, 1, 2)},
            {"order": (0, 0, 0), "biases": (0, 1, 2)},
            {"order": (0, 2, 2), "biases": (0, 1, 2)},
            {"order": (0, 1, 1)},
            {"order": (0, 0, 2)},
        ),
        "bias_uncut": (
            "each of b_q, b_k and b_v is the whole bias: cut it in three, as the weight",
            {"cut_bias": lambda bias: [bias] * 3},
        ),
        "weight_uncut": (
            "each weight is the whole fused one: cut it in three",
            {"cut": lambda weight: [weight] * 3},
            {"cut": lambda weight: [weight] * 3, "change": as_it_is},
        ),
        "bias_with_two_axes": (
            "the biases have two axes: nn.Linear keeps a bias as (out,)",
            {"cut_bias": lambda bias: bias[None].chunk(3, dim=1)},
            {"cut_bias": lambda bias: bias[:, None].chunk(3)},
            {"cut_bias": lambda bias: bias[None].chunk(3, dim=1)},
        ),
        "weight_with_three_axes": (
            "the weights have an axis too many: each is (out, in)",
            {"cut": lambda weight: weight[None].chunk(3, dim=2), "change": lambda W: W.mT},
        ),
        "bias_zero": (
            "the biases are 0: GPT-2 has biases, and they are handed in",
            {"cut_bias": lambda bias: torch.zeros_like(bias).chunk(3)},
        ),
        "bias_negative": ("the biases have the wrong sign", {"cut_bias": lambda bias: (-bias).chunk(3)}),
        "bias_added_to_the_weight": (
            "the bias is added to the weight: it is handed on beside it",
            lambda weight, bias: from_conv1d(weight + bias, bias),
            lambda weight, bias: from_conv1d(weight + bias, torch.zeros_like(bias)),
        ),
        "flipped_for_transposed": (
            "the rows or the columns are turned round: a transpose exchanges rows and columns, weight.T",
            {"change": lambda W: W.flip(0)},
            {"change": lambda W: W.flip(1)},
            {"change": lambda W: W.flip(0, 1)},
            {"change": lambda W: W.rot90()},
            {"change": lambda W: W.rot90(-1)},
        ),
        "some_transposed": (
            "only some of the three weights are transposed: all of them are (in, out) in GPT-2, and (out, "
            "in) in nn.Linear",
            *(except_for(W) for W in (("W_q",), ("W_k",), ("W_v",), WEIGHTS[:2], WEIGHTS[1:], WEIGHTS[::2])),
        ),
    },
)
