"""from_conv1d: GPT-2's fused projection -> weights and biases of three nn.Linear layers."""

import torch

from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

WEIGHTS, BIASES = ("W_q", "W_k", "W_v"), ("b_q", "b_k", "b_v")
ex = Exercise(
    {**dict.fromkeys(WEIGHTS, "d_model d_model"), **dict.fromkeys(BIASES, "d_model")},
    container="dict",
    gradients=False,
    copies=True,
    hints="""
    GPT-2 computes x @ weight + bias, and nn.Linear x @ W.T + b. In which of the two do the columns of the weight
    belong to the outputs?

    The first d_model columns of weight give the queries, the next the keys, the last the values. nn.Linear wants (out,
    in), so each of the three blocks is transposed. The bias has no second axis: it is only cut.

    weight.T has the shape (3 * d_model, d_model); .chunk(3) cuts its rows into three. Both give views of the same
    memory: .clone() makes a copy.

    W_q, W_k, W_v = weight.T.clone().chunk(3); b_q, b_k, b_v = bias.clone().chunk(3); the keys are "W_q", "W_k", "W_v",
    "b_q", "b_k" and "b_v"
    """,
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
    counted=lambda g: drawn(g, int(g.integers(4, 8)), counted),
    drawn=lambda g: drawn(g, int(g.integers(4, 9))),
)
ex.edge(
    two_features=lambda g: drawn(g, 2),
    three_features=lambda g: drawn(g, 3),
    float32=lambda g: drawn(g, 3).but(dtype="float32"),
    not_contiguous=lambda g: drawn(g, 4).but(strided=True),
)


# ---- mistakes


def parts(
    cut=lambda weight: weight.chunk(3, dim=1),
    change=lambda W: W.T,
    cut_bias=lambda bias: bias.chunk(3),
    order=(0, 1, 2),
    order_of_biases=None,
):
    """An implementation with these steps: how weight and bias are cut, a change of each weight, and which
    block belongs to which layer."""

    def implementation(weight, bias):
        blocks, pieces = cut(weight), cut_bias(bias)
        weights = {W: change(blocks[place]) for W, place in zip(WEIGHTS, order, strict=True)}
        return weights | {b: pieces[place] for b, place in zip(BIASES, order_of_biases or order, strict=True)}

    return implementation


def as_it_is(W):
    return W


def rows(weight):
    """Cut the stored weight, (in, 3 * out), into three blocks of rows."""
    return weight.tensor_split(3)


def squares(weight):
    return weight.reshape(3, len(weight), len(weight))


def in_turn(weight):
    return [weight[:, place::3] for place in range(3)]


ex.wrong(
    "not_transposed: the weights are not transposed: GPT-2 keeps (in, out), but nn.Linear wants (out, in). A square weight fits either way, so nothing raises. (Reshaping a square block changes nothing, and transposing the whole weight and then each block cancels out)",
    parts(change=as_it_is),
    "rows_cut: the weight is cut along its inputs: it is (in, out), so Q, K and V are blocks of its columns, weight.chunk(3, dim=1), or of the rows of weight.T",
    parts(rows),
    parts(lambda weight: weight.chunk(3)),
    "reshaped_for_transposed: the weight is reshaped, to (3 * d_model, d_model) or (3, d_model, d_model), which keeps the order in memory and so mixes inputs with outputs: transpose it, weight.T, or cut its columns",
    parts(squares, as_it_is),
    parts(squares),
    "every_third_column: Q, K and V get every third column each: the first d_model columns are Q's, then come K's, then V's",
    parts(in_turn),
    "k_and_q_exchanged: queries and keys are swapped: the blocks come in the order Q, K, V",
    parts(order=(1, 0, 2)),
    "k_and_v_exchanged: keys and values are swapped: the blocks come in the order Q, K, V",
    parts(order=(0, 2, 1)),
    "biases_in_another_order: the weights are right, but the biases are under the wrong names: they come in the order Q, K, V too",
    parts(order_of_biases=(1, 0, 2)),
    parts(order_of_biases=(0, 2, 1)),
    parts(order_of_biases=(2, 1, 0)),
    "one_bias_for_all: b_q, b_k and b_v are the same numbers: each is its own third of `bias`",
    parts(order_of_biases=(0, 0, 0)),
    "bias_zero: the biases are 0: GPT-2 has biases, and they are in `bias`",
    parts(cut_bias=lambda bias: torch.zeros_like(bias).chunk(3)),
    "some_transposed: only some of the three weights are transposed: all of them are (in, out) in GPT-2, and (out, in) in nn.Linear",
    lambda weight, bias: parts()(weight, bias) | {"W_q": parts(change=as_it_is)(weight, bias)["W_q"]},
    lambda weight, bias: parts(change=as_it_is)(weight, bias) | {"W_q": parts()(weight, bias)["W_q"]},
)
