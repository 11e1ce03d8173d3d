"""scaled_dot_product_attention: softmax(Q K^T / sqrt(d_head)) V, with a mask."""

import torch
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import (
    Exercise,
    call,
    drawn_lengths,
    in_thousands,
    normal,
    surely_large,
    token_of_zeros,
    untied,
)

ex = Exercise(
    "scaled_dot_product_attention(Q, K, V, mask=None)",
    {"output": "B H T_q d_head", "weights": "B H T_q T_k"},
    container="tuple",
    points=3,
    uses=["masked_softmax", "softmax"],
    hints=[
        "How many terms does one dot product of a query with a key have? That number decides the scale.",
        "scores = Q K^T / sqrt(d_head), (..., T_q, T_k); masked scores become -inf before the softmax over the keys; the output is weights @ V.",
        "K.transpose(-2, -1) swaps the last two axes whatever comes before them; Q.shape[-1] is d_head; masked_fill returns a new tensor.",
    ],
)


@ex.reference
def scaled_dot_product_attention(Q, K, V, mask=None):
    """torch's own operator twice: once on V, once on the identity, which gives the weights."""
    allowed = None if mask is None else ~mask
    eye = torch.eye(K.shape[-2], dtype=K.dtype, device=K.device).expand(*K.shape[:-1], K.shape[-2])
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed), F.scaled_dot_product_attention(
        Q, K, eye, attn_mask=allowed
    )


def three(g, *shape, T_k=None, scale=1, **more):
    *lead, T_q, d_head = shape
    keys = (*lead, T_k or T_q, d_head)
    return untied(
        lambda: call(
            Q=normal(g, *shape, scale=scale), K=normal(g, *keys, scale=scale), V=normal(g, *keys), **more
        )
    )


def causal(T_q, T_k):
    return torch.ones(T_q, T_k, dtype=torch.bool).triu(1)


def drawn(g, *shape):
    """A mask with no pattern; key 0 stays visible, the last query's last key does not."""
    mask = torch.from_numpy(g.random(shape) < 0.5)
    mask[..., 0], mask[..., -1, -1] = False, True
    return mask


@ex.case
def no_mask(g):
    return three(g, 2, 3, 5, 4)


@ex.case
def causal_mask(g):
    return three(g, 2, 5, 4, 3, mask=causal(4, 4))


@ex.case
def more_keys(g):
    return three(g, 3, 2, 4, 6, T_k=7)


@ex.case
def padded(g):
    mask = (torch.arange(6) >= drawn_lengths(g, 2, 6)[:, None])[:, None, None]  # (B, 1, 1, T_k)
    return three(g, 2, 3, 4, 5, T_k=6, mask=mask)


@ex.edge
def no_leading_axes(g):
    return three(g, 5, 3)


@ex.edge
def three_axes(g):
    return three(g, 4, 2, 5, T_k=3, mask=drawn(g, 2, 3))


@ex.edge
def one_token(g):
    padded = three(
        g, 2, 1, 1, 3, T_k=4, mask=(torch.arange(4) >= torch.tensor([3, 2])[:, None])[:, None, None]
    )
    return three(g, 2, 1, 1, 3).call(**padded.calls[0].args)


@ex.edge
def one_feature(g):
    return three(g, 1, 2, 3, 1)


@ex.edge
def as_many_heads_as_tokens(g):
    return three(g, 2, 3, 3, 5, mask=causal(3, 3))


@ex.edge
def not_contiguous(g):
    return three(g, 2, 3, 5, 4, mask=drawn(g, 2, 3, 5, 5)).but(strided=True)


@ex.edge
def large_scores(g):
    return untied(lambda: surely_large(three(g, 2, 1, 4, 6, scale=15)))


@ex.edge
def a_token_of_zeros(g):
    return token_of_zeros(three(g, 2, 3, 4, 5, mask=causal(4, 4)))


@ex.edge
def allowed_far_below_zero(g):
    case = three(g, 1, 2, 5, 4, mask=causal(5, 5))
    args = case.calls[0].args
    args["Q"][..., 0], args["K"][..., 0] = 54.0, -54.0
    return in_thousands(case)


def attention(**switches):
    """The pipeline on heads that are there already."""
    chosen = pipeline.changed(**switches)

    def implementation(Q, K, V, mask=None):
        made = {"Q": Q, "K": K, "V": V}
        q, k, v = (made[role] for role in chosen.roles)
        heads, weights, scores = pipeline.attend(q, k, v, mask, Q.shape[-3] if Q.dim() > 2 else 2, chosen)
        return heads, weights

    return implementation


def instead(index, what):
    """The right results with one of them exchanged."""

    def implementation(Q, K, V, mask=None):
        heads, weights, scores = pipeline.attend(Q, K, V, mask, 1, pipeline.Switches())
        results = [heads, weights]
        results[index] = what(heads, weights, scores, mask)
        return tuple(results)

    return implementation


SCALE = [s for s in known.SCALE if "d_model" not in s[0]]
ROLES = [
    s for s in known.ROLES if s[0] not in ("q_and_k_swapped", "q_for_k", "q_for_v", "v_for_q", "k_for_q")
]
ex.switches(attention, SCALE, known.SOFTMAX[:1], known.SOFTMAX[2:], known.UNSTABLE, known.MASK, ROLES)
ex.mistake(
    "q_and_k_swapped",
    "queries and keys are swapped, K Q^T: row i of the scores is query i against all keys, Q K^T",
    lambda Q, K, V, mask=None: finished(K @ Q.transpose(-2, -1) / Q.shape[-1] ** 0.5, V, mask),
)
ex.mistake(
    "all_axes_of_k_turned",
    "axes of K that are not the last two change places (K.T turns *all* of them around): write K.transpose(-2, -1)",
    lambda Q, K, V, mask=None: finished(
        Q @ K.permute(*reversed(range(K.dim()))) / Q.shape[-1] ** 0.5, V, mask
    ),
)
ex.mistake(
    "d_head_from_another_axis",
    "the number under the root is read from axis 1: d_head is the last axis, Q.shape[-1], whatever comes before it",
    lambda Q, K, V, mask=None: finished(Q @ K.transpose(-2, -1) / Q.shape[1] ** 0.5, V, mask),
)
ex.mistake(
    "softmax_over_heads",
    "the softmax runs over the heads: dim=-1 is wanted (dim=1 is another axis whenever more axes stand in front)",
    lambda Q, K, V, mask=None: (lambda w: (w @ V, w))(torch.softmax(raw(Q, K, mask), 1)),
    lambda Q, K, V, mask=None: (lambda w: (w @ V, w))(torch.softmax(raw(Q, K, mask, -1e9), 1)),
)
ex.mistake(
    "scores_returned",
    "the scores are returned in the place of the weights: the softmax's result is wanted",
    instead(1, lambda o, w, s, m: s),
    instead(1, lambda o, w, s, m: s if m is None else s.masked_fill(m, -torch.inf)),
    instead(1, lambda o, w, s, m: s if m is None else s.masked_fill(m, -1e9)),
)
ex.mistake(
    "weights_before_mask",
    "the returned weights are those before the mask (the output is right)",
    instead(1, lambda o, w, s, m: torch.softmax(s, -1)),
)
ex.mistake(
    "causal_without_mask",
    "the future is masked although no mask is given: without one every query sees all keys",
    lambda Q, K, V, mask=None: attention()(
        Q, K, V, torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool).triu(1) if mask is None else mask
    ),
)
ex.mistake(
    "mask_inverted_for_torch",
    "torch's scaled_dot_product_attention wants True where attention is *allowed*: hand it ~mask (the weights are right)",
    lambda Q, K, V, mask=None: (
        F.scaled_dot_product_attention(Q, K, V, attn_mask=mask),
        attention()(Q, K, V, mask)[1],
    ),
)
ex.mistake(
    "order_of_results",
    "the two results are in the wrong order: (output, weights)",
    lambda Q, K, V, mask=None: attention()(Q, K, V, mask)[::-1],
)
ex.mistake(
    "heads_averaged_weights",
    "the weights are averaged over the heads: each head's own are wanted",
    instead(1, lambda o, w, s, m: w.mean(-3) if w.dim() > 3 else w),
)
ex.mistake(
    "weights_transposed",
    "the weights are transposed: rows are queries, columns are keys",
    instead(1, lambda o, w, s, m: w.transpose(-2, -1)),
)


def finished(scores, V, mask):
    weights = torch.softmax(scores if mask is None else scores.masked_fill(mask, -torch.inf), -1)
    return weights @ V, weights


def raw(Q, K, mask, fill=-torch.inf):
    scores = pipeline.scaled(Q, K, 1, "sqrt_d_head")
    return scores if mask is None else scores.masked_fill(mask, fill)
