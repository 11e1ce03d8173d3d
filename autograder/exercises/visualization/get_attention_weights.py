"""get_attention_weights: the attention weights to plot, from x and two weight matrices."""

import torch

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as shared
from autograder.authoring.draws import (
    allow_large_scores,
    call,
    draw_lengths,
    far_below_zero,
    layers,
    normal,
    token_of_zeros,
)
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"weights": "B H T_q T_k"},
    uses=["split_heads", "masked_softmax"],
    hints="""
    Which half of attention makes the weights, and which half uses them?

    Project to Q and K (x @ W), split both, divide the scores by sqrt(d_head), mask, softmax over the keys. V
    and the output projection play no part in it.

    scores.masked_fill(mask, float('-inf')) and .softmax(-1); a mask of (T, T) broadcasts.

        scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5  # (B, H, T, T)
    """,
)


@ex.reference
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    """Uses torch's own operator with the identity as values."""
    Q, K = (torch.stack((x @ W).chunk(num_heads, -1), 1) for W in (W_q, W_k))
    T = x.shape[1]
    eye = torch.eye(T, dtype=x.dtype, device=x.device).expand(*Q.shape[:2], T, T)
    allowed = None if mask is None else ~mask
    return torch.nn.functional.scaled_dot_product_attention(Q, K, eye, attn_mask=allowed)


def case(g, B, T, d_model, num_heads, scale=1, **more):
    tables = {name: w.T for name, w in layers(g, ("W_q", "W_k"), d_model, d_model).items()}
    return call(x=normal(g, B, T, d_model, scale=scale), **tables, num_heads=num_heads, **more)


def causal(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


ex.case(
    no_mask=lambda g: case(g, 2, 5, 12, 3),
    causal_mask=lambda g: case(g, 3, 4, 10, 2, mask=causal(4)),
)


@ex.case
def mask_for_each_example(g):
    padded = (torch.arange(5) >= draw_lengths(g, 3, 5)[:, None])[:, None, None]
    return case(g, 3, 5, 8, 4, mask=padded | causal(5))


ex.edge(
    one_head=lambda g: case(g, 2, 4, 5, 1),
    as_many_heads_as_features=lambda g: case(g, 2, 5, 4, 4, mask=causal(5)),
    one_token=lambda g: case(g, 1, 1, 6, 2),
    as_many_heads_as_examples=lambda g: case(g, 3, 4, 6, 3, mask=causal(4)),
    not_contiguous=lambda g: case(g, 2, 5, 6, 3, mask=causal(5)).but(strided=True),
    large_scores=lambda g: allow_large_scores(case(g, 2, 4, 6, 2, scale=20)),
    a_token_of_zeros=lambda g: token_of_zeros(case(g, 2, 4, 6, 3, mask=causal(4))),
    allowed_far_below_zero=lambda g: far_below_zero(case(g, 2, 4, 6, 3, mask=causal(4)), "W_q", "W_k"),
)


def weights(**switches):
    """An implementation with these switches of authoring/attention.py."""
    steps = pipeline.with_switches(**switches)

    def implementation(x, W_q, W_k, num_heads, mask=None):
        projected = pipeline.project(x, {"Q": W_q, "K": W_k, "V": W_k}, steps)
        Q, K, V = (steps.split(t, num_heads) for t in projected)
        return pipeline.attend(Q, K, V, mask, num_heads, steps)[1]

    return implementation


right = weights()


def with_mask(change):
    """An implementation that uses change(mask, causal mask) as its mask."""
    return lambda x, W_q, W_k, num_heads, mask=None: right(
        x, W_q, W_k, num_heads, change(mask, causal(x.shape[1]))
    )


ex.shared(weights, *shared.SCALE, *shared.SOFTMAX, *shared.MASK, "k_reshaped")
ex.shared(weights, "split_without_transpose", "split_interleaved", "q_and_k_swapped", "k_for_q", "q_for_k")
ex.wrong(
    "weights_transposed: W_q and W_k are transposed: here the projections are x @ W",
    lambda x, W_q, W_k, *more, **mask: right(x, W_q.T, W_k.T, *more, **mask),
    "causal_without_mask: the future is masked even though no mask is given: without one, every query sees all keys",
    with_mask(lambda mask, future: future if mask is None else mask),
    "weights_averaged: the weights are averaged over the heads: return a separate table for each head",
    lambda *args, **more: right(*args, **more).mean(1),
)
