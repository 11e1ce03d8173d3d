"""split_heads: (B, T, D) -> (B, H, T, d_head)."""

import torch

from autograder.authoring.attention import split_blocks
from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"heads": "B H T d_head"},
    hints="""
    Token 0 has 12 features and there are 3 heads. Which features does head 1 get, and from which tokens?

    Only the last axis is cut: (B, T, D) becomes (B, T, H, d_head), and then H and T are swapped. Going to
    (B, H, T, d_head) in one view mixes tokens.

    x.view(B, T, H, d_head) cuts the last axis in two, and never needs a copy for that; .transpose(1, 2) swaps
    T and H.

        x.reshape(B, T, num_heads, -1).transpose(1, 2)  # (B, H, T, d_head)
    """,
)


@ex.reference
def split_heads(x, num_heads):
    d_head = x.shape[-1] // num_heads
    return torch.stack([x[..., h * d_head : (h + 1) * d_head] for h in range(num_heads)], 1)


@ex.case
def three_heads(g):
    return call(x=counted(g, 2, 5, 12), num_heads=3)


@ex.case
def two_heads(g):
    B, T, d_head = g.choice([3, 4, 5, 7, 9], 3, replace=False).tolist()
    return call(x=normal(g, B, T, 2 * d_head), num_heads=2)


ex.edge(
    one_head=lambda g: call(x=normal(g, 2, 3, 5), num_heads=1),
    as_many_heads_as_features=lambda g: call(x=normal(g, 2, 5, 4), num_heads=4),
    one_token_one_example=lambda g: call(x=normal(g, 1, 1, 6), num_heads=2),
    not_contiguous=lambda g: call(x=normal(g, 2, 5, 6), num_heads=3).but(strided=True),
)


def transposed_before_view(x, num_heads):
    B, T, D = x.shape
    return x.transpose(1, 2).view(B, num_heads, T, D // num_heads)


ex.wrong(
    "split_without_transpose: a plain view as (B, H, T, d_head) mixes tokens: view as (B, T, H, d_head) first, then transpose",
    lambda x, num_heads: x.reshape(x.shape[0], num_heads, x.shape[1], -1),
    "split_interleaved: the features are dealt out to the heads in turn: head h must hold the block h*d_head to (h+1)*d_head. View as (H, d_head), not (d_head, H)",
    lambda x, num_heads: x.unflatten(-1, (-1, num_heads)).movedim(-1, 1),
    "not_transposed: the axes are (B, T, H, d_head): T and H still have to be swapped",
    lambda x, num_heads: x.unflatten(-1, (num_heads, -1)),
    "heads_in_batch: the heads are folded into the batch, (B*H, T, d_head): keep four axes",
    lambda x, num_heads: split_blocks(x, num_heads).flatten(0, 1),
    "last_axes_swapped: the last two axes are swapped: expected (B, H, T, d_head), got (B, H, d_head, T)",
    lambda x, num_heads: split_blocks(x, num_heads).transpose(-2, -1),
    "heads_first: the head axis comes before the batch: expected (B, H, T, d_head)",
    lambda x, num_heads: split_blocks(x, num_heads).transpose(0, 1),
    "transposed_before_view: `x` is transposed before its features are cut: `.view` cannot handle that memory order, and `.reshape` would mix tokens. Cut first, view(B, T, H, d_head), then transpose(1, 2)",
    transposed_before_view,
    "only_first_head: every head holds the first head's features",
    lambda x, num_heads: split_blocks(x, num_heads)[:, :1].expand(-1, num_heads, -1, -1),
)
