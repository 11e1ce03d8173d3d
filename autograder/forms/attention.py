"""Grouped-query attention without a mask: gqa(Q, K, V), and the same with projections."""

import torch
from torch.nn import functional as F

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise

from .draws import eighths

ex = Exercise({"output": "B H T d_head"}, probes=False)
layer = Exercise({"output": "B T d_model"}, probes=False)
FORMS = {"gqa": ex, "gqa_layer": layer}


@ex.reference
def gqa(Q, K, V):
    """Uses torch's own operator on one query head at a time."""
    group = Q.shape[1] // K.shape[1]
    heads = [
        F.scaled_dot_product_attention(q, K[:, h // group], V[:, h // group])
        for h, q in enumerate(Q.unbind(1))
    ]
    return torch.stack(heads, 1)


def case(g, B, H, H_kv, T, d_head):
    Q, K, V = (eighths(g, B, heads, T, d_head) for heads in (H, H_kv, H_kv))
    return call(Q=Q, K=K, V=V)


@ex.edge
def large_scores(g):
    """The first feature adds 1600 / sqrt(d_head) to every score."""
    large = case(g, 1, 4, 2, 4, 3)
    for name in "QK":
        large.calls[0].args[name][..., 0] = 40
    return large


ex.case(
    four_heads_two_groups=lambda g: case(g, 2, 4, 2, 5, 3),
    six_heads_two_groups=lambda g: case(g, 1, 6, 2, 4, 3),
)
ex.edge(
    one_kv_head=lambda g: case(g, 2, 3, 1, 4, 2),
    as_many_kv_heads_as_heads=lambda g: case(g, 1, 2, 2, 3, 4),
    one_token=lambda g: case(g, 3, 4, 2, 1, 2),
)


def attention(
    group=lambda t, H: t.repeat_interleave(H // t.shape[1], 1),
    scale=lambda Q, K: Q.shape[-1] ** 0.5,
    weights=lambda scores: scores.softmax(-1),
    query=lambda Q, K: Q,
):
    def implementation(Q, K, V):
        keys, values = (group(t, Q.shape[1]) for t in (K, V))
        return weights(query(Q, K) @ keys.mT / scale(Q, K)) @ values

    return implementation


def mean_query(Q, K):
    each = Q.unflatten(1, (K.shape[1], -1))
    return each.mean(2, keepdim=True).expand(each.shape).flatten(1, 2)


def future_hidden(scores):
    return scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -torch.inf).softmax(-1)


MISTAKES = (
    "repeat_for_repeat_interleave: the kv heads are tiled in the order 0, 1, 0, 1: query head h uses kv head h // group, so the order is 0, 0, 1, 1 (repeat_interleave)",
    attention(lambda t, H: t.repeat(1, H // t.shape[1], 1, 1)),
    "first_kv_head_for_all: all query heads use the first kv head: query head h uses kv head h // group",
    attention(lambda t, H: t[:, :1].expand(-1, H, -1, -1)),
    "queries_averaged: the queries of a group are averaged: every query head attends with its own query. It is the keys and values that are repeated",
    attention(query=mean_query),
    "not_scaled: the scores are not scaled: divide Q K^T by sqrt(d_head)",
    attention(scale=lambda Q, K: 1),
    "scale_d_head_no_root: the scores are divided by d_head: divide by its square root",
    attention(scale=lambda Q, K: Q.shape[-1]),
    "scale_d_model: the scores are divided by the square root of the width of all heads together: each dot product has d_head terms",
    attention(scale=lambda Q, K: (Q.shape[1] * Q.shape[-1]) ** 0.5),
    "scale_width_of_keys: the scores are divided by sqrt(H_kv * d_head): each dot product has d_head terms",
    attention(scale=lambda Q, K: (K.shape[1] * Q.shape[-1]) ** 0.5),
    "softmax_over_queries: the softmax is taken over the queries: take it over the keys, the last axis of the scores",
    attention(weights=lambda scores: scores.softmax(-2)),
    "softmax_over_heads: the softmax is taken over the heads: take it over the keys, the last axis of the scores",
    attention(weights=lambda scores: scores.softmax(1)),
    "no_softmax: the softmax is missing: the scores themselves weight the values",
    attention(weights=lambda scores: scores),
    "unstable: `exp` without a shift overflows for large scores: subtract each row's maximum first",
    attention(weights=lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True)),
    "masked_without_need: later keys are masked: this form has no mask",
    attention(weights=future_hidden),
)
ex.wrong(*MISTAKES)


# ---- with projections


def split(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)  # (B, H, T, d_head)


def projected(core):
    """A layer around a core of queries, keys and values."""

    def implementation(x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, d_model):
        output = core(split(x @ W_q, n_heads), split(x @ W_k, n_kv_heads), split(x @ W_v, n_kv_heads))
        return output.transpose(1, 2).flatten(2) @ W_o

    return implementation


@layer.reference
def gqa_layer(x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, d_model):
    return projected(gqa)(x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, d_model)


def layer_case(g, B, T, d_model, n_heads, n_kv_heads):
    d_kv = d_model // n_heads * n_kv_heads
    widths = {"W_q": d_model, "W_k": d_kv, "W_v": d_kv, "W_o": d_model}
    matrices = {name: eighths(g, d_model, width) / 2 for name, width in widths.items()}
    return call(
        x=eighths(g, B, T, d_model),
        **matrices,
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        d_model=d_model,
    )


@layer.edge
def large_scores_in_a_layer(g):
    """The same: the first feature of x is 40, and reaches only the first feature of each query and key."""
    large = layer_case(g, 1, 4, 8, 4, 2)
    args = large.calls[0].args
    args["x"][..., 0], args["W_v"][0] = 40, 0
    for name in ("W_q", "W_k"):
        args[name][0], args[name][:, ::2] = 0, 0
        args[name][0, ::2] = 1
    return large


layer.case(
    four_heads_two_groups=lambda g: layer_case(g, 2, 5, 8, 4, 2),
    six_heads_two_groups=lambda g: layer_case(g, 1, 4, 6, 6, 2),
)
layer.edge(
    one_kv_head=lambda g: layer_case(g, 2, 4, 6, 3, 1),
    as_many_kv_heads_as_heads=lambda g: layer_case(g, 1, 3, 4, 2, 2),
    one_token=lambda g: layer_case(g, 3, 1, 4, 2, 1),
)
layer.wrong(*(projected(entry) if callable(entry) else entry for entry in MISTAKES))
layer.wrong(
    "no_output_projection: the output projection is missing: multiply the merged heads by W_o",
    lambda x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, d_model: projected(attention())(
        x, W_q, W_k, W_v, torch.eye(d_model, dtype=x.dtype), n_heads, n_kv_heads, d_model
    ),
    "merge_without_transpose: the heads are merged without the transpose: (B, H, T, d_head) becomes (B, T, H, d_head) first",
    lambda x, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, d_model: (
        attention()(split(x @ W_q, n_heads), split(x @ W_k, n_kv_heads), split(x @ W_v, n_kv_heads)).reshape(
            x.shape
        )
        @ W_o
    ),
)
