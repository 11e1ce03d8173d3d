"""Causal attention as a function of X and four weight tables, for the exercises of part 3."""

import torch
from torch.nn import functional as F

from . import attention as pipeline
from .exercise import call, far_below_zero, layers, normal, token_of_zeros

WEIGHTS = ("W_Q", "W_K", "W_V", "W_O")
STAGES = {
    "Q": "B H T d_head", "K": "B H T d_head", "V": "B H T d_head", "scores": "B H T_q T_k", "masked_scores": "B H T_q T_k",
    "weights": "B H T_q T_k", "heads": "B H T d_head", "merged": "B T d_model", "output": "B T d_model",
}  # fmt: skip


def reference(X, W_Q, W_K, W_V, W_O, num_heads):
    """The whole story, head by head, through torch's own operator on the values and on the identity."""
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
    """X (T, d_model) or (B, T, d_model) by all but the last number of the shape, num_heads by the last."""
    *size, num_heads = shape
    d_model = size[-1]
    drawn = call(
        X=normal(g, *size),
        **{n: w.T for n, w in layers(g, WEIGHTS, d_model, d_model).items()},
        num_heads=num_heads,
    )
    return far_below_zero(drawn, "W_Q", "W_K", num_heads) if low else drawn


def batched_cases(ex):
    """The cases that the two batched exercises share."""
    core = {"three_heads": (2, 5, 12, 3), "two_heads": (3, 4, 10, 2), "four_heads": (2, 3, 8, 4)}
    edges = {
        "one_head": (2, 4, 5, 1),
        "as_many_heads_as_features": (2, 5, 4, 4),
        "one_token_one_example": (1, 1, 6, 3),
        "as_many_heads_as_examples": (3, 4, 6, 3),
    }
    for name, shape in core.items():
        ex.case(named(name, lambda g, shape=shape: case(g, *shape)))
    for name, shape in edges.items():
        ex.edge(named(name, lambda g, shape=shape: case(g, *shape)))
    ex.edge(named("long", lambda g: case(g, 1, 66, 2, 1).but(narrow=False, only=["output"])))
    ex.edge(named("not_contiguous", lambda g: case(g, 2, 5, 6, 3).but(strided=True)))
    ex.edge(named("a_token_of_zeros", lambda g: token_of_zeros(case(g, 2, 4, 6, 2))))
    ex.edge(named("allowed_far_below_zero", lambda g: case(g, 2, 4, 6, 3, low=True)))


def named(name, function):
    function.__name__ = name
    return function


def split_first(whole):
    """X is split before it is projected: each head sees its own features only, the blocks on the diagonal of W."""

    def implementation(X, W_Q, W_K, W_V, W_O, num_heads):
        head = torch.arange(X.shape[-1], device=X.device) // (X.shape[-1] // num_heads)
        own = (head == head[:, None]).to(X.dtype)  # (d_model, d_model)
        return whole(X, W_Q * own, W_K * own, W_V * own, W_O, num_heads)

    return implementation


SPLIT_FIRST = (
    "split_before_projecting",
    "X is split before it is projected, so each head sees its own features only: project with the whole W first, then split",
)


def causal_attention(**switches):
    """A story like the reference's, with these switches."""
    chosen = pipeline.changed(**switches)

    def implementation(X, W_Q, W_K, W_V, W_O, num_heads):
        W = {"Q": W_Q, "K": W_K, "V": W_V, "O": W_O}
        output, weights, stages = pipeline.self_attention(X, W, num_heads, chosen, is_causal=True)
        mask = pipeline.causal_mask(X.shape[1], X.shape[1], 0, chosen)
        return {
            **stages,
            "masked_scores": pipeline.masked(stages["scores"], mask, chosen),
            "weights": weights,
            "output": output,
        }

    return implementation
