"""merge_heads: the exact inverse of split_heads."""

import torch

from autograder.authoring.draws import call, counted, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"merged": "B T d_model"},
    hints="""
    split_heads takes two steps. What undoes them, and in which order?

    First swap H and T back, (B, T, H, d_head); then merge the last two axes into one.

    After a transpose the memory is not contiguous: .contiguous().view(...) or .reshape(B, T, H * d_head).

        x.transpose(1, 2).reshape(B, T, -1)  # (B, T, d_model)
    """,
)


@ex.reference
def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], -1)


@ex.case
def three_heads(g):
    return call(x=counted(g, 2, 3, 5, 4))


@ex.case
def five_heads(g):
    B, T, d_head = g.choice([2, 3, 4, 6, 7], 3, replace=False).tolist()
    return call(x=normal(g, B, 5, T, d_head))


ex.edge(
    one_head=lambda g: call(x=normal(g, 2, 1, 3, 5)),
    one_feature_a_head=lambda g: call(x=normal(g, 2, 4, 5, 1)),
    one_token_one_example=lambda g: call(x=normal(g, 1, 2, 1, 3)),
    as_many_heads_as_tokens=lambda g: call(x=normal(g, 2, 4, 4, 3)),
    not_contiguous=lambda g: call(x=normal(g, 2, 3, 5, 4)).but(strided=True),
)


ex.wrong(
    "merge_without_transpose",
    lambda x: x.reshape(x.shape[0], x.shape[2], -1),
    "merge_interleaved",
    lambda x: x.movedim(1, -1).flatten(-2),
    "not_merged: the heads are moved but not merged: (B, T, H, d_head) still has to become (B, T, H * d_head)",
    lambda x: x.transpose(1, 2),
    "axes_misread: `x` is read as (B, T, H, d_head): its axes are (B, H, T, d_head), so H is x.shape[1] and T is x.shape[2]",
    lambda x: x.transpose(1, 2).reshape(x.shape[0], x.shape[1], -1),
    "heads_averaged",
    lambda x: x.mean(1),
    lambda x: x.mean(1).repeat(1, 1, x.shape[1]),
    "heads_summed",
    lambda x: x.sum(1),
    "only_first_head: only the first head is kept: concatenate all of them",
    lambda x: x[:, 0],
    "merge_reversed",
    lambda x: merge_heads(x.flip(1)),
    "wrong_axes_transposed: the wrong axes are transposed: swap H (axis 1) and T (axis 2)",
    lambda x: x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1),
    lambda x: x.transpose(1, 3).reshape(x.shape[0], x.shape[2], -1),
)
