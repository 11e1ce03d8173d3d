"""split_heads: (B, T, D) -> (B, H, T, d_head)."""

import torch

from autograder.authoring import attention as pipeline
from autograder.authoring.exercise import Exercise, call, normal

ex = Exercise(
    "split_heads(x, num_heads)",
    {"heads": "B H T d_head"},
    hints=[
        "Token 0 has 12 features and there are 3 heads. Which features does head 1 get, and from which tokens?",
        "Only the last axis is cut: (B, T, D) becomes (B, T, H, d_head), and then H changes places with T. Going to (B, H, T, d_head) in one view mixes tokens.",
        "x.view(B, T, H, d_head) cuts the last axis in two, and never needs a copy for that; .transpose(1, 2) swaps T and H.",
    ],
)


@ex.reference
def split_heads(x, num_heads):
    d_head = x.shape[-1] // num_heads
    return torch.stack([x[..., h * d_head : (h + 1) * d_head] for h in range(num_heads)], 1)


@ex.case
def three_heads(g):
    return call(x=normal(g, 2, 5, 12), num_heads=3)


@ex.case
def two_heads(g):
    B, T, d_head = g.choice([3, 4, 5, 7, 9], 3, replace=False).tolist()
    return call(x=normal(g, B, T, 2 * d_head), num_heads=2)


@ex.edge
def one_head(g):
    return call(x=normal(g, 2, 3, 5), num_heads=1)


@ex.edge
def as_many_heads_as_features(g):
    return call(x=normal(g, 2, 5, 4), num_heads=4)


@ex.edge
def one_token_one_example(g):
    return call(x=normal(g, 1, 1, 6), num_heads=2)


@ex.edge
def not_contiguous(g):
    return call(x=normal(g, 2, 5, 6), num_heads=3).but(strided=True)


def laid_out(layout):
    """An implementation from what happens to (B, T, H, d_head) and its sizes."""

    def implementation(x, num_heads):
        B, T, D = x.shape
        return layout(x, B, T, num_heads, D // num_heads)

    return implementation


ex.mistake(
    "split_without_transpose",
    "a plain view to (B, H, T, d_head) mixes tokens: view as (B, T, H, d_head) first, then transpose",
    pipeline.split_plain_view,
)
ex.mistake(
    "split_interleaved",
    "the features are dealt out to the heads in turn: head h holds the block h*d_head to (h+1)*d_head. View as (H, d_head), not (d_head, H)",
    pipeline.split_interleaved,
)
ex.mistake(
    "not_transposed",
    "the axes are (B, T, H, d_head): T and H still have to change places",
    laid_out(lambda x, B, T, H, d: x.reshape(B, T, H, d)),
)
ex.mistake(
    "heads_in_batch",
    "the heads are folded into the batch, (B*H, T, d_head): keep four axes",
    laid_out(lambda x, B, T, H, d: pipeline.split_blocks(x, H).reshape(B * H, T, d)),
)
ex.mistake(
    "last_axes_swapped",
    "the last two axes are swapped: expected (B, H, T, d_head), got (B, H, d_head, T)",
    laid_out(lambda x, B, T, H, d: pipeline.split_blocks(x, H).transpose(-2, -1)),
)
ex.mistake(
    "heads_first",
    "the head axis comes before the batch: expected (B, H, T, d_head)",
    laid_out(lambda x, B, T, H, d: pipeline.split_blocks(x, H).transpose(0, 1)),
)
ex.mistake(
    "heads_reversed",
    "the heads come in reverse order",
    laid_out(lambda x, B, T, H, d: pipeline.split_blocks(x, H).flip(1)),
)
ex.mistake(
    "h_and_d_head_exchanged",
    "num_heads and d_head are exchanged: there are num_heads heads of D // num_heads features",
    laid_out(lambda x, B, T, H, d: pipeline.split_blocks(x, d)),
)
ex.mistake(
    "tokens_split",
    "the tokens are cut into heads, not the features: every head sees every token",
    laid_out(lambda x, B, T, H, d: x.transpose(1, 2).reshape(B, H, d, T).transpose(2, 3).flip(2)),
    laid_out(lambda x, B, T, H, d: x.transpose(1, 2).reshape(B, H, T, d)),
)
ex.mistake(
    "only_first_head",
    "every head holds the first head's features",
    laid_out(lambda x, B, T, H, d: pipeline.split_blocks(x, H)[:, :1].expand(-1, H, -1, -1)),
)
