"""absorb_key_projection: queries that score cached latents directly, without making keys."""

import torch

from autograder.authoring.attention import split_blocks
from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"absorbed": "B H T d_latent"},
    points=3,
    hints="""
    A key is k = W c, with the latent c. What is q · (W c), if you multiply q with W first?

    q · (W c) = (Wᵀ q) · c: every query is multiplied once, whatever the number of cached tokens. Each head has rows
    of its own: head h has rows h * d_head to (h + 1) * d_head.

    k_up_weight.view(H, d_head, d_latent) has a matrix for each head. q, (B, H, T, d_head), times these gives (B, H, T,
    d_latent). Nothing is scaled here.

    return q @ k_up_weight.view(H, d_head, -1)  # (B, H, T, d_latent)
    """,
)


@ex.reference
def absorb_key_projection(q, k_up_weight):
    """Scores latents with a single 1: their keys are the columns of the weight, and the scores are the
    result's entries."""
    latents = torch.eye(k_up_weight.shape[1], dtype=q.dtype, device=q.device)
    keys = split_blocks(torch.nn.functional.linear(latents, k_up_weight)[None], q.shape[1])
    return (q[:, :, :, None] * keys[:, :, None]).sum(-1)  # (B, H, T, d_latent)


def case(g, B, H, T, d_head, d_latent):
    return call(q=normal(g, B, H, T, d_head), k_up_weight=normal(g, H * d_head, d_latent))


ex.case(
    three_heads=lambda g: case(g, 2, 3, 5, 4, 7),
    two_heads=lambda g: case(g, 3, 2, 4, 5, 7),
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


# ---- mistakes


def heads(weights):
    """An implementation that multiplies q with each head's matrix, weights(k_up_weight, H, d_head): (H,
    d_head, d_latent)."""
    return lambda q, k_up_weight: q @ weights(k_up_weight, q.shape[1], q.shape[-1])


def result(change):
    """An implementation that returns change(right result)."""
    return lambda q, k_up_weight: change(q @ k_up_weight.unflatten(0, (q.shape[1], -1)))


ex.wrong(
    "heads_interleaved: the rows of the weight are dealt out to the heads in turn, (d_head, H): head h has the block of rows h * d_head to (h + 1) * d_head",
    heads(lambda W, H, d_head: W.unflatten(0, (d_head, H)).transpose(0, 1)),
    "axes_exchanged_by_view: d_head and d_latent are swapped by a view, which keeps the order in memory and scrambles the numbers: cut the rows into heads, view(H, d_head, d_latent), so that each row stays whole",
    heads(lambda W, H, d_head: W.reshape(H, -1, d_head).transpose(1, 2)),
    "first_head_for_all: every head uses the rows of the first: head h has the block of rows h * d_head to (h + 1) * d_head",
    heads(lambda W, H, d_head: W[:d_head].expand(H, -1, -1)),
    "heads_averaged_weight: the rows of all heads are averaged or summed: each head uses its own",
    heads(lambda W, H, d_head: W.unflatten(0, (H, -1)).mean(0, keepdim=True)),
    "scaled: the result is divided by sqrt(d_head): the scores are scaled later, and only once",
    lambda q, W: result(lambda absorbed: absorbed / q.shape[-1] ** 0.5)(q, W),
    "transposed: the last two axes are swapped: expected (B, H, T, d_latent)",
    result(lambda absorbed: absorbed.transpose(-2, -1)),
    "tokens_before_heads: the axes are (B, T, H, d_latent): the heads come before the tokens",
    result(lambda absorbed: absorbed.transpose(1, 2)),
    "heads_summed: the heads are summed, as in a product with the whole (H * d_head, d_latent) weight: each head uses only its own rows",
    result(lambda absorbed: absorbed.sum(1)),
)
