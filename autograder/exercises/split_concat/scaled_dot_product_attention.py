"""scaled_dot_product_attention: softmax(Q K^T / sqrt(d_head)) V, with a mask."""

import torch
from torch.nn import functional as F

from autograder.authoring import attention as pipeline
from autograder.authoring import shared_mistakes as shared
from autograder.authoring.draws import (
    allow_large_scores,
    call,
    draw_lengths,
    draw_untied,
    make_scores_large,
    normal,
    token_of_zeros,
)
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"output": "B H T_q d_head", "weights": "B H T_q T_k"},
    container="tuple",
    points=3,
    uses=["masked_softmax", "softmax"],
    hints="""
    How many terms does one dot product of a query with a key have? That number decides the scale.

    scores = Q K^T / sqrt(d_head), (..., T_q, T_k); masked scores become -inf before the softmax over the
    keys; the output is weights @ V.

    K.transpose(-2, -1) swaps the last two axes, whatever comes before them; Q.shape[-1] is d_head; masked_fill
    returns a new tensor.

        scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5  # (..., T_q, T_k)
    """,
)


@ex.reference
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Uses torch's own operator twice: on V for the output, and on the identity for the weights."""
    allowed = None if mask is None else ~mask
    eye = torch.eye(K.shape[-2], dtype=K.dtype, device=K.device).expand(*K.shape[:-1], K.shape[-2])
    output, weights = (F.scaled_dot_product_attention(Q, K, t, attn_mask=allowed) for t in (V, eye))
    return output, weights


def three(g, *shape, T_k=None, scale=1, **more):
    *lead, T_q, d_head = shape
    keys = (*lead, T_k or T_q, d_head)

    def draw():
        Q, K = normal(g, *shape, scale=scale), normal(g, *keys, scale=scale)
        return call(Q=Q, K=K, V=normal(g, *keys), **more)

    return draw_untied(draw)


def causal(T_q, T_k):
    return torch.ones(T_q, T_k, dtype=torch.bool).triu(1)


def drawn(g, *shape):
    """A random mask, except that key 0 is always visible and the last query never sees the last key."""
    mask = torch.from_numpy(g.random(shape) < 0.5)
    mask[..., 0], mask[..., -1, -1] = False, True
    return mask


def padding(T_k, lengths):
    return (torch.arange(T_k) >= lengths[:, None])[:, None, None]  # (B, 1, 1, T_k)


ex.case(
    # no size is a product of two others, so messages can name each axis
    no_mask=lambda g: three(g, 2, 3, 5, 4, T_k=7),
    causal_mask=lambda g: three(g, 2, 5, 4, 3, T_k=7, mask=causal(4, 7)),
    more_keys=lambda g: three(g, 3, 2, 4, 5, T_k=7),
    padded=lambda g: three(g, 2, 3, 4, 5, T_k=7, mask=padding(7, draw_lengths(g, 2, 7))),
)
ex.edge(
    no_leading_axes=lambda g: three(g, 5, 3),
    three_axes=lambda g: three(g, 4, 2, 5, T_k=3, mask=drawn(g, 2, 3)),
)


@ex.edge
def one_token(g):
    padded = three(g, 2, 1, 1, 3, T_k=4, mask=padding(4, torch.tensor([3, 2])))
    return three(g, 2, 1, 1, 3).call(**padded.calls[0].args)


ex.edge(
    one_feature=lambda g: three(g, 1, 2, 3, 1),
    as_many_heads_as_tokens=lambda g: three(g, 2, 3, 3, 5, mask=causal(3, 3)),
    not_contiguous=lambda g: three(g, 2, 3, 5, 4, mask=drawn(g, 2, 3, 5, 5)).but(strided=True),
    large_scores=lambda g: draw_untied(lambda: make_scores_large(three(g, 2, 1, 4, 6, scale=15))),
    a_token_of_zeros=lambda g: token_of_zeros(three(g, 2, 3, 4, 5, mask=causal(4, 4))),
)


@ex.edge
def allowed_far_below_zero(g):
    case = three(g, 1, 2, 5, 4, mask=causal(5, 5))
    args = case.calls[0].args
    args["Q"][..., 0], args["K"][..., 0] = 54.0, -54.0
    return allow_large_scores(case)


def attention(**switches):
    """An implementation with these switches of authoring/attention.py."""
    steps = pipeline.with_switches(**switches)

    def implementation(Q, K, V, mask=None):
        arrays = {"Q": Q, "K": K, "V": V}
        q, k, v = (arrays[role] for role in steps.roles)
        return pipeline.attend(q, k, v, mask, Q.shape[-3] if Q.dim() > 2 else 2, steps)[:2]

    return implementation


right = attention()


def from_scores(scores_of, dim: int | None = -1):
    """An implementation with the scores scores_of(Q, K) and a softmax along dim; None: along the axis that
    F.softmax takes without `dim`."""

    def implementation(Q, K, V, mask=None):
        scores = scores_of(Q, K)
        axis = int(scores.dim() != 3) if dim is None else dim
        weights = torch.softmax(scores if mask is None else scores.masked_fill(mask, -torch.inf), axis)
        return weights @ V, weights

    return implementation


def with_weights(change):
    """An implementation that returns the right output, and change(weights, scores, mask) as the weights."""

    def implementation(Q, K, V, mask=None):
        output, weights, scores = pipeline.attend(Q, K, V, mask, 1)
        return output, change(weights, scores, mask)

    return implementation


def with_mask(change):
    """An implementation that uses change(mask, causal mask) as its mask."""
    return lambda Q, K, V, mask=None: right(Q, K, V, change(mask, causal(Q.shape[-2], K.shape[-2])))


def output_only(wrong):
    """An implementation with the output of `wrong` and the right weights, like an answer that uses torch's
    operator for the output only."""
    return lambda Q, K, V, mask=None: (wrong(Q, K, V, mask)[0], right(Q, K, V, mask)[1])


def mask_inverted_for_torch(Q, K, V, mask=None):
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask), right(Q, K, V, mask)[1]


causal_for_mask = with_mask(lambda mask, future: None if mask is None else future)
causal_beside = with_mask(lambda mask, future: None if mask is None else mask | future)
ex.shared(attention, *shared.SCALE, without=["scale_d_model"])
ex.shared(attention, *shared.SOFTMAX, without=["softmax_over_heads"])
ex.shared(attention, *shared.MASK, "k_for_q", "q_for_k", "k_for_v", "v_for_k", "k_and_v_swapped")
ex.shared(attention, "k_reshaped", "mask_inverted_for_torch")
ex.wrong(
    "q_and_k_swapped: queries and keys are swapped, K Q^T: row i of the scores is query i against all keys, Q K^T",
    from_scores(lambda Q, K: pipeline.scaled_scores(K, Q)),
    "all_axes_of_k_turned: the transpose also moves axes of K other than the last two (K.T reverses *all* axes): write K.transpose(-2, -1)",
    from_scores(lambda Q, K: Q @ K.permute(*reversed(range(K.dim()))) / Q.shape[-1] ** 0.5),
    "d_head_from_another_axis: the number under the square root is read from axis 1: d_head is the last axis, Q.shape[-1], whatever comes before it",
    from_scores(lambda Q, K: Q @ K.transpose(-2, -1) / Q.shape[1] ** 0.5),
    "softmax_over_heads: the softmax runs over axis 1, here the heads: use dim=-1 (dim=1 is the last axis only if there are two, and without `dim`, F.softmax guesses an axis)",
    from_scores(pipeline.scaled_scores, dim=1),
    from_scores(pipeline.scaled_scores, dim=None),
    "softmax_over_first_axis: the softmax runs over the first axis, the examples of a batch: each row (one query, all its keys) must sum to 1, so dim=-1",
    from_scores(pipeline.scaled_scores, dim=0),
    "normalised_over_everything: the exponentials are divided by the sum of the whole tensor: each row must sum to 1, so sum over the keys, dim=-1",
    attention(softmax=lambda s: (e := (s - s.amax(-1, keepdim=True)).exp()) / e.sum()),
    attention(softmax=lambda s: (e := (s - s.max()).exp()) / e.sum()),
    "summed_apart: the weights and the values are summed over the keys each by itself, and only the sums are multiplied: one index must stand for the keys of both, as in weights @ V",
    lambda Q, K, V, mask=None: (
        (weights := right(Q, K, V, mask)[1]).sum(-1, keepdim=True) * V.sum(-2, keepdim=True),
        weights,
    ),
    "scores_returned: the scores are returned instead of the weights: return the softmax's result",
    with_weights(lambda weights, scores, mask: scores),
    "weights_before_mask: the returned weights are computed without the mask (the output is right)",
    with_weights(lambda weights, scores, mask: torch.softmax(scores, -1)),
    "weights_transposed: the weights are transposed: rows are queries, columns are keys",
    with_weights(lambda weights, scores, mask: weights.transpose(-2, -1)),
    "causal_without_mask: the future is masked although no mask is passed in: without one, every query sees all keys",
    with_mask(lambda mask, future: future if mask is None else mask),
    "causal_beside_mask: the future is masked in addition to what the mask says (is_causal=True?): only the mask decides, and not all masks are causal",
    with_mask(lambda mask, future: future if mask is None else mask | future),
    causal_beside,
    output_only(causal_beside),
    "causal_for_mask: a causal mask replaces the one that is passed in: not all masks are causal",
    causal_for_mask,
    "mask_inverted_for_torch: torch's scaled_dot_product_attention expects True where attention is *allowed*: pass it ~mask (the weights are right)",
    mask_inverted_for_torch,
)
