"""get_attention_weights: the tables that are drawn, from x and two weight matrices."""

import torch

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import (
    Exercise,
    call,
    drawn_lengths,
    far_below_zero,
    in_thousands,
    layers,
    normal,
    token_of_zeros,
)

ex = Exercise(
    "get_attention_weights(x, W_q, W_k, num_heads, mask=None)",
    {"weights": "B H T_q T_k"},
    uses=["split_heads", "masked_softmax"],
    hints=[
        "Which half of attention makes the weights, and which half uses them?",
        "Project to Q and K (x @ W), split both, scores over sqrt(d_head), mask, softmax over the keys. V and the output projection have no part in it.",
        "scores.masked_fill(mask, float('-inf')) and .softmax(-1); a mask of (T, T) broadcasts.",
    ],
)


@ex.reference
def get_attention_weights(x, W_q, W_k, num_heads, mask=None):
    """torch's own operator, with the identity for values."""
    Q, K = (torch.stack((x @ W).chunk(num_heads, -1), 1) for W in (W_q, W_k))
    T = x.shape[1]
    eye = torch.eye(T, dtype=x.dtype, device=x.device).expand(*Q.shape[:2], T, T)
    return torch.nn.functional.scaled_dot_product_attention(
        Q, K, eye, attn_mask=None if mask is None else ~mask
    )


def case(g, B, T, d_model, num_heads, scale=1, **more):
    tables = layers(g, ("W_q", "W_k"), d_model, d_model)
    return call(
        x=normal(g, B, T, d_model, scale=scale),
        **{n: w.T for n, w in tables.items()},
        num_heads=num_heads,
        **more,
    )


def causal(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


@ex.case
def no_mask(g):
    return case(g, 2, 5, 12, 3)


@ex.case
def causal_mask(g):
    return case(g, 3, 4, 10, 2, mask=causal(4))


@ex.case
def mask_for_each_example(g):
    padded = (torch.arange(5) >= drawn_lengths(g, 2, 5)[:, None])[:, None, None]
    return case(g, 2, 5, 8, 4, mask=padded | causal(5))


@ex.edge
def one_head(g):
    return case(g, 2, 4, 5, 1)


@ex.edge
def as_many_heads_as_features(g):
    return case(g, 2, 5, 4, 4, mask=causal(5))


@ex.edge
def one_token(g):
    return case(g, 1, 1, 6, 2)


@ex.edge
def as_many_heads_as_examples(g):
    return case(g, 3, 4, 6, 3, mask=causal(4))


@ex.edge
def not_contiguous(g):
    return case(g, 2, 5, 6, 3, mask=causal(5)).but(strided=True)


@ex.edge
def large_scores(g):
    return in_thousands(case(g, 2, 4, 6, 2, scale=20))


@ex.edge
def a_token_of_zeros(g):
    return token_of_zeros(case(g, 2, 4, 6, 3, mask=causal(4)))


@ex.edge
def allowed_far_below_zero(g):
    return far_below_zero(case(g, 2, 4, 6, 3, mask=causal(4)), "W_q", "W_k")


def weights(**switches):
    """The pipeline up to the weights."""
    chosen = pipeline.changed(**switches)

    def implementation(x, W_q, W_k, num_heads, mask=None):
        projected = pipeline.project(x, {"Q": W_q, "K": W_k, "V": W_k}, chosen)
        Q, K, V = (pipeline.SPLIT[chosen.split](t, num_heads) for t in projected)
        return pipeline.attend(Q, K, V, mask, num_heads, chosen)[1]

    return implementation


UNPROJECTED = [
    s for s in known.UNPROJECTED if s[0] in ("q_not_projected", "k_not_projected", "nothing_projected")
]
ROLES = [s for s in known.ROLES if s[0] in ("q_and_k_swapped", "k_for_q", "q_for_k")]
SPLIT = [s for s in known.SPLIT if s[0] != "split_and_merge_without_transpose"]
ex.switches(
    weights,
    known.SCALE,
    known.ROUNDED,
    known.SOFTMAX,
    known.UNSTABLE,
    known.BATCH_SOFTMAX,
    known.MASK,
    SPLIT,
    ROLES,
    UNPROJECTED,
)
ex.mistake(
    "weights_transposed",
    "W_q and W_k are used transposed: here they are used as x @ W",
    weights(weights="QK"),
)
ex.mistake(
    "always_causal",
    "the future is masked although the mask does not ask for it: `mask` alone decides, and None masks nothing",
    lambda x, *args, mask=None: weights()(x, *args, mask=causal(x.shape[1])),
)
ex.mistake(
    "weights_averaged",
    "the weights are averaged over the heads: every head's own table is wanted",
    lambda *args, **more: weights()(*args, **more).mean(1),
)
ex.mistake(
    "causal_without_mask",
    "the future is masked although no mask is given: without one every query sees all keys",
    lambda x, W_q, W_k, num_heads, mask=None: weights()(
        x, W_q, W_k, num_heads, causal(x.shape[1]) if mask is None else mask
    ),
)
ex.mistake(
    "result_transposed",
    "the tables are transposed: rows are queries, columns are keys",
    lambda *args, **more: weights()(*args, **more).transpose(-2, -1),
)
