"""from_interleaved: GPT-NeoX's fused projection, head by head -> three weights for nn.Linear."""

import torch

from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    dict.fromkeys(("W_q", "W_k", "W_v"), "d_model d_model"),
    container="tuple",
    gradients=False,
    hints=[
        "With 2 heads of 3 features the weight has 18 rows. Which of them are the keys of head 1?",
        "Head h has 3 * d_head rows, which begin at h * 3 * d_head: d_head for q, then d_head for k, then "
        "d_head for v. Name the axes: the rows are (num_heads, 3, d_head), in this order.",
        "weight.reshape(num_heads, 3, d_head, d_model) gives each its own axis; [:, 0] are the queries of "
        "all heads. Heads and d_head are joined again at the end.",
        "W_q, W_k, W_v = (W.reshape(d_model, d_model) for W in "
        "weight.reshape(num_heads, 3, -1, d_model).unbind(1))",
    ],
)


@ex.reference
def from_interleaved(weight, num_heads):
    d_head = weight.shape[1] // num_heads
    rows = [[], [], []]
    for head in range(num_heads):
        for place, found in enumerate(rows):
            first = (3 * head + place) * d_head
            found.extend(weight[first : first + d_head])
    return tuple(torch.stack(found) for found in rows)


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


def rows_as(*axes):
    """The rows are read as these axes: "H" heads, "k" the kinds q, k and v, "d" d_head. The other two are
    joined in the order in which they stand."""

    def implementation(weight, num_heads):
        size = {"H": num_heads, "k": 3, "d": weight.shape[1] // num_heads}
        split = weight.reshape(*(size[axis] for axis in axes), weight.shape[1])
        return tuple(W.flatten(0, 1) for W in split.unbind(axes.index("k")))

    return implementation


def changed(change):
    """Each of the right weights, changed by change(W, num_heads)."""
    return lambda weight, num_heads: tuple(change(W, num_heads) for W in from_interleaved(weight, num_heads))


def in_order(*order):
    return lambda weight, num_heads: tuple(from_interleaved(weight, num_heads)[place] for place in order)


def by_head(W, num_heads):
    return W.unflatten(0, (num_heads, -1))  # (H, d_head, d_model)


def cut_columns(weight, num_heads):
    return weight.chunk(3, dim=1)


def exchanged_sizes(weight, num_heads):
    return from_interleaved(weight, weight.shape[1] // num_heads)


def one_per_head(weight, num_heads, index=0):
    return tuple(by_head(W, num_heads)[index] for W in from_interleaved(weight, num_heads))


def joined_by_feature(W, num_heads):
    """d_head before heads: feature 0 of all heads, then feature 1 of all heads."""
    return by_head(W, num_heads).transpose(0, 1).flatten(0, 1)


def joined_in_columns(W, num_heads):
    """The heads are joined as columns, not as rows."""
    return torch.cat(tuple(by_head(W, num_heads)), dim=1)


def dealt_to_heads(weight, num_heads):
    """Row 0 belongs to head 0, row 1 to head 1, and so on."""
    by_row = weight.reshape(-1, num_heads, weight.shape[1]).transpose(0, 1)  # (H, 3 * d_head, d_model)
    return from_interleaved(by_row.flatten(0, 1), num_heads)


def first_head_repeated(W, num_heads):
    return by_head(W, num_heads)[:1].expand(num_heads, -1, -1).flatten(0, 1)


def one_number_off(weight, num_heads):
    """The block of a head is taken to have d_head rows, so that the blocks of two heads overlap."""
    d_head = weight.shape[1] // num_heads
    return tuple(
        torch.cat([weight[(h + place) * d_head : (h + place + 1) * d_head] for h in range(num_heads)])
        for place in range(3)
    )


ex.switches(
    rows_as,
    {
        "cut_in_three_blocks": (
            "the weight is cut into three blocks of rows, as if all queries came first: here head 0 has its "
            "q, k and v rows first, then head 1",
            rows_as("k", "H", "d"),
        ),
        "every_third_row": (
            "every third row is taken: q, k and v of a head are three blocks of d_head rows, so the 3 stands "
            "before d_head, (num_heads, 3, d_head)",
            rows_as("H", "d", "k"),
        ),
        "dealt_to_heads": (
            "the rows are dealt out to the heads in turn: those of one head stand together, 3 * d_head of "
            "them",
            dealt_to_heads,
            lambda weight, num_heads: tuple(
                W.reshape(-1, num_heads, W.shape[1]).transpose(0, 1).flatten(0, 1) for W in weight.chunk(3)
            ),
        ),
        "k_and_q_exchanged": (
            "queries and keys are exchanged: in each head the order is q, k, v",
            in_order(1, 0, 2),
        ),
        "k_and_v_exchanged": (
            "keys and values are exchanged: in each head the order is q, k, v",
            in_order(0, 2, 1),
        ),
        "q_and_v_exchanged": (
            "queries and values are exchanged: in each head the order is q, k, v",
            in_order(2, 1, 0),
        ),
        "order_moved_on": (
            "all three weights are in the wrong place: in each head the order is q, k, v",
            in_order(1, 2, 0),
            in_order(2, 0, 1),
        ),
        "one_for_two": (
            "two of the three weights are the same: each kind has rows of its own in every head",
            in_order(0, 1, 1),
            in_order(0, 2, 2),
            in_order(0, 0, 2),
            in_order(0, 0, 0),
        ),
        "h_and_d_head_exchanged": (
            "num_heads and d_head are exchanged: there are num_heads heads of d_model // num_heads features",
            exchanged_sizes,
        ),
        "transposed": (
            "the weights are transposed: nn.Linear keeps (out, in), and so does GPT-NeoX",
            changed(lambda W, num_heads: W.T),
        ),
        "cut_by_columns": (
            "the columns are cut: the projections stand in the rows, as the rows of a weight are its outputs",
            cut_columns,
            lambda weight, num_heads: weight.chunk(3, dim=-1),
            lambda weight, num_heads: weight.T.chunk(3),
            lambda weight, num_heads: tuple(W.T for W in weight.chunk(3, dim=1)),
            lambda weight, num_heads: tuple(W.reshape(-1, len(weight) // 3) for W in weight.chunk(3, dim=1)),
        ),
        "joined_side_by_side": (
            "the heads stand side by side, as columns: their rows belong one below the other, "
            "torch.cat(..., dim=0)",
            changed(joined_in_columns),
        ),
        "heads_not_joined": (
            "there is still an axis for the heads: join (num_heads, d_head) to d_model rows, with "
            "reshape(d_model, d_model) or flatten(0, 1)",
            changed(by_head),
        ),
        "joined_by_feature": (
            "the heads are joined feature by feature: the rows of head 0 come first, then those of head 1. "
            "Join (num_heads, d_head) in this order",
            changed(joined_by_feature),
        ),
        "reshaped_for_transposed": (
            "an axis is put elsewhere with reshape, which keeps the order in memory: `transpose`, `permute` "
            "or an index such as [:, 0] moves it",
            changed(lambda W, num_heads: by_head(W, num_heads).permute(0, 2, 1).reshape(W.shape)),
        ),
        "heads_reversed": (
            "the heads come in reverse order: head 0 first",
            changed(lambda W, num_heads: by_head(W, num_heads).flip(0).flatten(0, 1)),
        ),
        "features_reversed": (
            "the rows of each head come in reverse order",
            changed(lambda W, num_heads: by_head(W, num_heads).flip(1).flatten(0, 1)),
            changed(lambda W, num_heads: W.flip(0)),
        ),
        "first_head_only": (
            "only the first head's rows are there: take those of all heads, and join them",
            one_per_head,
        ),
        "last_head_only": (
            "only the last head's rows are there: a loop over the heads has to collect them, and torch.cat "
            "to join them",
            lambda weight, num_heads: one_per_head(weight, num_heads, -1),
        ),
        "first_head_for_all": (
            "every head has the rows of the first: head h begins at row h * 3 * d_head",
            changed(first_head_repeated),
        ),
        "overlapping_heads": (
            "the heads overlap: each has 3 * d_head rows, so head h begins at row h * 3 * d_head",
            one_number_off,
        ),
        "uncut": (
            "each of the three is the whole fused weight: take the rows of its kind",
            lambda weight, num_heads: (weight, weight, weight),
        ),
        "flattened": (
            "the weights have lost an axis: each is (out, in), as nn.Linear keeps it",
            changed(lambda W, num_heads: W.flatten()),
        ),
        "q_in_one_block": (
            "W_q is the first d_model rows: with several heads the queries do not stand together",
            lambda weight, num_heads: (
                weight[: weight.shape[1]],
                *from_interleaved(weight, num_heads)[1:],
            ),
        ),
    },
)
