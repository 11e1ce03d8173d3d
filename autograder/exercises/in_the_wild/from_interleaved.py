"""from_interleaved: GPT-NeoX's fused projection, stored head by head -> the weights of three nn.Linear
layers."""

import torch

from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    dict.fromkeys(("W_q", "W_k", "W_v"), "d_model d_model"),
    container="sequence",
    gradients=False,
    hints="""
    With 2 heads of 3 features the weight has 18 rows. Which of them are the keys of head 1?

    Head h has 3 * d_head rows, which begin at h * 3 * d_head: d_head for q, then d_head for k, then d_head for v. Name
    the axes: the rows are (num_heads, 3, d_head), in this order.

    weight.reshape(num_heads, 3, d_head, d_model) gives each its own axis; [:, 0] holds the queries of all heads. Heads
    and d_head are joined again at the end.

    W_q, W_k, W_v = (W.reshape(d_model, d_model) for W in weight.reshape(num_heads, 3, -1, d_model).unbind(1))
    """,
)


@ex.reference
def from_interleaved(weight, num_heads):
    d_head = weight.shape[1] // num_heads
    rows = [[], [], []]
    for head in range(num_heads):
        for place, collected in enumerate(rows):
            first = (3 * head + place) * d_head
            collected.extend(weight[first : first + d_head])
    return tuple(torch.stack(collected) for collected in rows)


def drawn(g, num_heads, d_head, numbers=normal):
    d_model = num_heads * d_head
    return call(weight=numbers(g, 3 * d_model, d_model), num_heads=num_heads)


ex.case(
    two_heads=lambda g: drawn(g, 2, int(g.integers(4, 9)), counted),
    several_heads=lambda g: drawn(g, int(g.integers(4, 9)), 2),
)
ex.edge(
    one_head=lambda g: drawn(g, 1, 4),
    one_feature_a_head=lambda g: drawn(g, 4, 1),
    float32=lambda g: drawn(g, 3, 2).but(dtype="float32"),
    not_contiguous=lambda g: drawn(g, 2, 3).but(strided=True),
)


# ---- mistakes


def rows_as(*axes):
    """An implementation that reads the rows with these axes: "H" (heads), "k" (q, k and v) and "d" (d_head).
    In each of the three results, the other two axes are flattened in this order."""

    def implementation(weight, num_heads):
        size = {"H": num_heads, "k": 3, "d": weight.shape[1] // num_heads}
        split = weight.reshape(*(size[axis] for axis in axes), weight.shape[1])
        return tuple(W.flatten(0, 1) for W in split.unbind(axes.index("k")))

    return implementation


def each(change):
    """An implementation that returns change(W) for each right weight W, given by head as (H, d_head,
    d_model)."""

    def implementation(weight, num_heads):
        split = weight.reshape(num_heads, 3, -1, weight.shape[1])
        return tuple(change(W) for W in split.unbind(1))

    return implementation


def in_order(*order):
    return lambda weight, num_heads: tuple(
        rows_as("H", "k", "d")(weight, num_heads)[place] for place in order
    )


def dealt_to_heads(weight, num_heads):
    return tuple(W.unflatten(0, (-1, num_heads)).transpose(0, 1).flatten(0, 1) for W in weight.chunk(3))


ex.wrong(
    "cut_in_three_blocks: the weight is cut into three blocks of rows, as if all queries came first: here head 0 has its q, k and v rows first, then head 1",
    rows_as("k", "H", "d"),
    "every_third_row: every third row is taken: within a head, q, k and v are three blocks of d_head rows, so the 3 comes before d_head, (num_heads, 3, d_head)",
    rows_as("H", "d", "k"),
    "dealt_to_heads: the rows are dealt out to the heads in turn: each head has 3 * d_head consecutive rows",
    dealt_to_heads,
    "k_and_q_exchanged: queries and keys are swapped: within each head the order is q, k, v",
    in_order(1, 0, 2),
    "k_and_v_exchanged: keys and values are swapped: within each head the order is q, k, v",
    in_order(0, 2, 1),
    "h_and_d_head_exchanged: num_heads and d_head are swapped: there are num_heads heads of d_model // num_heads features",
    lambda weight, num_heads: rows_as("H", "k", "d")(weight, weight.shape[1] // num_heads),
    "transposed: the weights are transposed: nn.Linear stores (out, in), and so does GPT-NeoX",
    each(lambda W: W.flatten(0, 1).T),
)
