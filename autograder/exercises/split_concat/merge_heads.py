"""merge_heads: the exact inverse of split_heads."""

import torch

from autograder.authoring import attention as pipeline
from autograder.authoring.exercise import Exercise, call, normal

ex = Exercise(
    "merge_heads(x)",
    {"merged": "B T d_model"},
    hints=[
        "split_heads did two steps. What undoes them, and in which order?",
        "First H and T change places back, (B, T, H, d_head); then the last two axes become one.",
        "After a transpose the memory is not contiguous: .contiguous().view(...) or .reshape(B, T, H * d_head).",
    ],
)


@ex.reference
def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], -1)


@ex.case
def three_heads(g):
    return call(x=normal(g, 2, 3, 5, 4))


@ex.case
def five_heads(g):
    B, T, d_head = g.choice([2, 3, 4, 6, 7], 3, replace=False).tolist()
    return call(x=normal(g, B, 5, T, d_head))


@ex.edge
def one_head(g):
    return call(x=normal(g, 2, 1, 3, 5))


@ex.edge
def one_feature_a_head(g):
    return call(x=normal(g, 2, 4, 5, 1))


@ex.edge
def one_token_one_example(g):
    return call(x=normal(g, 1, 2, 1, 3))


@ex.edge
def as_many_heads_as_tokens(g):
    return call(x=normal(g, 2, 4, 4, 3))


@ex.edge
def not_contiguous(g):
    return call(x=normal(g, 2, 3, 5, 4)).but(strided=True)


def as_many(x, merged):
    return merged(x, x.shape[1])


ex.mistake(
    "merge_without_transpose",
    "the heads are merged without transposing back: (B, H, T, d_head) must become (B, T, H, d_head) before the reshape",
    lambda x: as_many(x, pipeline.MERGE["view"]),
)
ex.mistake(
    "merge_interleaved",
    "the heads are merged feature by feature, (d_head, H): each head's d_head features stay together",
    lambda x: as_many(x, pipeline.MERGE["interleaved"]),
)
ex.mistake(
    "not_merged",
    "the heads are moved but not merged: (B, T, H, d_head) still has to become (B, T, H * d_head)",
    lambda x: x.transpose(1, 2),
)
ex.mistake(
    "heads_averaged",
    "the heads are averaged: concatenate them along the features",
    lambda x: x.mean(1),
    lambda x: as_many(x, pipeline.MERGE["mean"]),
)
ex.mistake(
    "heads_summed",
    "the heads are summed: concatenate them along the features",
    lambda x: x.sum(1),
    lambda x: as_many(x, pipeline.MERGE["sum"]),
)
ex.mistake("only_first_head", "only the first head is kept: concatenate all of them", lambda x: x[:, 0])
ex.mistake(
    "merge_reversed",
    "the heads are merged in reverse order",
    lambda x: as_many(x, pipeline.MERGE["reversed"]),
)
ex.mistake(
    "concatenated_on_tokens",
    "the heads are joined along the tokens: join them along the features, (B, T, H * d_head)",
    lambda x: x.reshape(x.shape[0], -1, x.shape[-1]),
)
ex.mistake(
    "features_first",
    "the last two axes are swapped: (B, T, d_model) is wanted",
    lambda x: as_many(x, pipeline.MERGE["blocks"]).transpose(1, 2),
)
ex.mistake(
    "wrong_axes_transposed",
    "the wrong axes are transposed: H (axis 1) and T (axis 2) change places",
    lambda x: x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1),
    lambda x: x.transpose(1, 3).reshape(x.shape[0], x.shape[2], -1),
)
