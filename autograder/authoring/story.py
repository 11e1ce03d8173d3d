"""Causal attention as a function of X and four weight matrices, for the exercises of part 3."""

import torch
from torch.nn import functional as F

from . import attention as pipeline
from . import shared_mistakes as shared
from .draws import call, far_below_zero, layers, normal, token_of_zeros

WEIGHTS = ("W_Q", "W_K", "W_V", "W_O")
STAGES = {
    "Q": "B H T d_head",
    "K": "B H T d_head",
    "V": "B H T d_head",
    "scores": "B H T_q T_k",
    "masked_scores": "B H T_q T_k",
    "weights": "B H T_q T_k",
    "heads": "B H T d_head",
    "merged": "B T d_model",
    "output": "B T d_model",
}


def reference(X, W_Q, W_K, W_V, W_O, num_heads):
    """Every stage of causal attention. torch's own operator gives the heads (from the values) and the weights
    (from the identity)."""
    T = X.shape[1]
    Q, K, V = (torch.stack((X @ W).chunk(num_heads, -1), 1) for W in (W_Q, W_K, W_V))  # (B, H, T, d_head)
    eye = torch.eye(T, dtype=X.dtype, device=X.device).expand(*Q.shape[:2], T, T)
    heads, weights = (F.scaled_dot_product_attention(Q, K, t, is_causal=True) for t in (V, eye))
    scores = torch.einsum("bhqd,bhkd->bhqk", Q, K) * Q.shape[-1] ** -0.5
    masked = torch.where(torch.ones(T, T, device=X.device).tril() > 0, scores, -torch.inf)
    merged = torch.cat(heads.unbind(1), -1)
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "scores": scores,
        "masked_scores": masked,
        "weights": weights,
        "heads": heads,
        "merged": merged,
        "output": merged @ W_O,
    }


def case(g, *shape, low=False):
    """A case with X (T, d_model) or (B, T, d_model); the last number in `shape` is num_heads. low: scores as
    in far_below_zero."""
    *size, num_heads = shape
    X, weights = normal(g, *size), layers(g, WEIGHTS, size[-1], size[-1])
    case = call(X=X, **{name: w.T for name, w in weights.items()}, num_heads=num_heads)
    return far_below_zero(case, "W_Q", "W_K", num_heads) if low else case


def batched_cases(ex):
    """Declare the cases that the two batched exercises share."""
    ex.case(
        three_heads=lambda g: case(g, 2, 5, 12, 3),
        two_heads=lambda g: case(g, 3, 4, 10, 2),
        four_heads=lambda g: case(g, 3, 5, 8, 4),
    )
    ex.edge(
        one_head=lambda g: case(g, 2, 4, 5, 1),
        as_many_heads_as_features=lambda g: case(g, 2, 5, 4, 4),
        one_token_one_example=lambda g: case(g, 1, 1, 6, 3),
        as_many_heads_as_examples=lambda g: case(g, 3, 4, 6, 3),
        long=lambda g: case(g, 1, 66, 2, 1).but(narrow=False, only=["output"]),
        not_contiguous=lambda g: case(g, 2, 5, 6, 3).but(strided=True),
        a_token_of_zeros=lambda g: token_of_zeros(case(g, 2, 4, 6, 2)),
        allowed_far_below_zero=lambda g: case(g, 2, 4, 6, 3, low=True),
    )


def causal_attention(**switches):
    """An implementation with these switches that returns every stage, as the reference does."""
    steps = pipeline.with_switches(**switches)

    def implementation(X, W_Q, W_K, W_V, W_O, num_heads):
        W = {"Q": W_Q, "K": W_K, "V": W_V, "O": W_O}
        output, weights, stages = pipeline.self_attention(X, W, num_heads, steps, is_causal=True)
        mask = pipeline.causal_mask(X.shape[1], X.shape[1], 0, steps)
        masked_scores = pipeline.mask_scores(stages["scores"], mask, steps)
        return {**stages, "masked_scores": masked_scores, "weights": weights, "output": output}

    return implementation


def shared_mistakes(ex, attention):
    """Declare the shared mistakes of an attention with projections; attention(**switches) makes an
    implementation."""
    ex.shared(attention, *shared.LAYER, *shared.CAUSAL, "one_wide_head", "heads_summed")
    whole = attention()

    @ex.mistake
    def split_before_projecting(X, W_Q, W_K, W_V, W_O, num_heads):
        """X is split before it is projected, so each head sees only its own features: project with the whole
        W first, then split"""
        head = torch.arange(X.shape[-1], device=X.device) // (X.shape[-1] // num_heads)
        own = (head == head[:, None]).to(X.dtype)  # (d_model, d_model): the blocks on the diagonal
        return whole(X, W_Q * own, W_K * own, W_V * own, W_O, num_heads)
