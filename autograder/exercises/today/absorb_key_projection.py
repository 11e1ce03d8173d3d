"""absorb_key_projection: queries that score cached latents directly, without keys."""

import torch

from autograder.authoring.attention import split_blocks
from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"absorbed": "B H T d_latent"},
    points=3,
    hints=[
        "A key is k = W c, with the latent c. What is q · (W c), if you want to multiply q with W first?",
        "q · (W c) = (Wᵀ q) · c: every query is multiplied once, whatever the number of cached tokens. Each "
        "head has rows of its own: head h those from h * d_head to (h + 1) * d_head.",
        "k_up_weight.view(H, d_head, d_latent) has a matrix for each head. q (B, H, T, d_head) @ these gives "
        "(B, H, T, d_latent). Nothing is scaled here.",
        "return q @ k_up_weight.view(H, d_head, -1)  # (B, H, T, d_latent)",
    ],
)


@ex.reference
def absorb_key_projection(q, k_up_weight):
    """Read off with latents that have a single 1: their keys are the columns of the weight, and the scores
    with them the entries wanted."""
    latents = torch.eye(k_up_weight.shape[1], dtype=q.dtype, device=q.device)
    keys = split_blocks(torch.nn.functional.linear(latents, k_up_weight)[None], q.shape[1])
    return (q[:, :, :, None] * keys[:, :, None]).sum(-1)  # (B, H, T, d_latent)


def case(g, B, H, T, d_head, d_latent):
    return call(q=normal(g, B, H, T, d_head), k_up_weight=normal(g, H * d_head, d_latent))


ex.case(
    three_heads=lambda g: case(g, 2, 3, 5, 4, 7),
    two_heads=lambda g: case(g, 3, 2, 4, 5, 6),
    latent_narrower_than_a_head=lambda g: case(g, 1, 4, 2, 5, 3),
)
ex.edge(
    one_token=lambda g: case(g, 2, 3, 1, 4, 5),
    one_head=lambda g: case(g, 2, 1, 3, 5, 4),
    one_feature_in_a_head=lambda g: case(g, 2, 4, 3, 1, 5),
    latent_of_one_number=lambda g: case(g, 1, 2, 4, 3, 1),
    as_many_as_features_of_a_head=lambda g: case(g, 2, 3, 5, 4, 4),
    as_many_as_features_of_the_model=lambda g: case(g, 1, 2, 4, 3, 6),
    not_contiguous=lambda g: case(g, 2, 3, 5, 4, 6).but(strided=True),
)


def through_heads(weights_of):
    """weights_of(k_up_weight, H, d_head) -> (H, d_head, d_latent), the matrix of each head."""

    def implementation(q, k_up_weight):
        return q @ weights_of(k_up_weight, q.shape[1], q.shape[-1])

    return implementation


def of_right(change):
    """The right result, and what `change` makes of it."""

    def implementation(q, k_up_weight):
        return change(q @ k_up_weight.unflatten(0, (q.shape[1], -1)), q, k_up_weight)

    return implementation


@ex.mistake(through=through_heads)
def heads_interleaved(weight, H, d_head):
    """the rows of the weight are dealt out to the heads in turn, (d_head, H): head h has the block of rows
    h * d_head to (h + 1) * d_head"""
    return weight.unflatten(0, (d_head, H)).transpose(0, 1)


@ex.mistake(through=through_heads)
def heads_by_plain_view(weight, H, d_head):
    """the weight is cut after it was transposed, or by a view that mixes rows: its rows are cut into heads,
    view(H, d_head, d_latent)"""
    return weight.T.reshape(H, d_head, -1)


@ex.another("heads_by_plain_view", through=through_heads)
def columns_cut_by_view(weight, H, d_head):
    return weight.T.reshape(H, -1, d_head).transpose(1, 2)


@ex.mistake(through=through_heads)
def columns_cut(weight, H, d_head):
    """the weight's rows are mixed within a head: view(H, d_head, d_latent), in this order, keeps each row"""
    return weight.reshape(H, -1, d_head).transpose(1, 2)


@ex.mistake(through=through_heads)
def first_head_for_all(weight, H, d_head):
    """every head uses the rows of the first: head h has the block of rows h * d_head to (h + 1) * d_head"""
    return weight[:d_head].expand(H, -1, -1)


@ex.mistake(through=through_heads)
def last_head_for_all(weight, H, d_head):
    """every head uses the rows of the last: head h has the block of rows h * d_head to (h + 1) * d_head"""
    return weight[-d_head:].expand(H, -1, -1)


@ex.mistake(through=through_heads)
def heads_reversed(weight, H, d_head):
    """the heads use the weight's blocks of rows in reverse order: the first head has the first rows"""
    return weight.unflatten(0, (H, -1)).flip(0)


@ex.mistake(through=through_heads)
def features_reversed(weight, H, d_head):
    """the rows of a head are used in reverse order: row 0 of its block belongs to feature 0"""
    return weight.unflatten(0, (H, -1)).flip(1)


@ex.mistake(through=through_heads)
def heads_averaged_weight(weight, H, d_head):
    """the rows of all heads are averaged or added up: each head has its own"""
    return weight.unflatten(0, (H, -1)).mean(0, keepdim=True)


@ex.another("heads_averaged_weight", through=through_heads)
def heads_summed_weight(weight, H, d_head):
    return weight.unflatten(0, (H, -1)).sum(0, keepdim=True)


@ex.mistake(through=of_right)
def scaled(absorbed, q, weight):
    """the result is divided by sqrt(d_head): the scores are scaled later, and once"""
    return absorbed / q.shape[-1] ** 0.5


@ex.mistake(through=of_right)
def scaled_by_latent(absorbed, q, weight):
    """the result is divided by sqrt(d_latent): nothing is scaled here, and the scores later by
    sqrt(d_head)"""
    return absorbed / weight.shape[1] ** 0.5


@ex.mistake(through=of_right)
def multiplied_by_scale(absorbed, q, weight):
    """the result is multiplied by sqrt(d_head): nothing is scaled here"""
    return absorbed * q.shape[-1] ** 0.5


@ex.mistake(through=of_right)
def transposed(absorbed, q, weight):
    """the last two axes are swapped: expected (B, H, T, d_latent)"""
    return absorbed.transpose(-2, -1)


@ex.mistake(through=of_right)
def tokens_before_heads(absorbed, q, weight):
    """the axes are (B, T, H, d_latent): the heads come before the tokens"""
    return absorbed.transpose(1, 2)


@ex.mistake(through=of_right)
def heads_merged(absorbed, q, weight):
    """the heads are merged, (B, T, H * d_latent): each head has queries of its own, (B, H, T, d_latent)"""
    return absorbed.transpose(1, 2).flatten(2)


@ex.mistake(through=of_right)
def heads_summed(absorbed, q, weight):
    """the heads are added up, as a product with the whole (H * d_head, d_latent) weight does: each head meets
    its own rows only"""
    return absorbed.sum(1)


@ex.another("heads_summed", through=of_right)
def heads_summed_for_each(absorbed, q, weight):
    return absorbed.sum(1, keepdim=True).expand_as(absorbed)


@ex.mistake(through=of_right)
def softmax_taken(absorbed, q, weight):
    """a softmax is taken of the absorbed queries: they are no scores yet"""
    return absorbed.softmax(-1)


@ex.mistake(through=of_right)
def negated(absorbed, q, weight):
    """the sign is wrong: q · (W c) = (Wᵀ q) · c"""
    return -absorbed


@ex.mistake
def weight_normalised(q, k_up_weight):
    """the weight's rows are made unit vectors: multiply with the weight as it is"""
    return q @ torch.nn.functional.normalize(k_up_weight, dim=1).unflatten(0, (q.shape[1], -1))


@ex.mistake
def inverse_for_transpose(q, k_up_weight):
    """the weight is inverted (solve, pinv): q · (W c) = (Wᵀ q) · c needs its transpose only"""
    each = k_up_weight.unflatten(0, (q.shape[1], -1))  # (H, d_head, d_latent)
    return q @ torch.linalg.pinv(each).transpose(-2, -1)


@ex.mistake
def heads_of_queries_mixed(q, k_up_weight):
    """the queries' heads are merged by a plain view, (B, T, H * d_head), which mixes tokens: each head stays
    an axis of its own"""
    B, H, T, d_head = q.shape
    mixed = q.reshape(B, T, H, d_head).transpose(1, 2)
    return mixed @ k_up_weight.unflatten(0, (H, -1))


@ex.mistake
def keys_returned(q, k_up_weight):
    """the result has the axes of keys, (B, H, T, d_head): the absorbed queries are as long as a latent"""
    each = k_up_weight.unflatten(0, (q.shape[1], -1))
    return q @ each @ each.transpose(-2, -1)


@ex.mistake
def squared_weight(q, k_up_weight):
    """the queries meet W Wᵀ or the weight twice: multiply with each head's rows once"""
    each = k_up_weight.unflatten(0, (q.shape[1], -1))
    return q @ each @ each.transpose(-2, -1) @ each
