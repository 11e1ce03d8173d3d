"""GroupedQueryAttentionWithCache: cached attention in which several query heads share a kv head."""

import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring import shared_mistakes as shared
from autograder.authoring.attention import repeat_kv_heads
from autograder.authoring.draws import (
    build,
    cache_of,
    draw_cache,
    far_below_zero,
    layers,
    normal,
    token_of_zeros,
)
from autograder.authoring.exercise import Exercise
from autograder.authoring.modules import CACHED_LAYERS, Layered, bottom_right, cache_masks, cached_attention

ex = Exercise(
    {"output": "B T d_model", "new_cache_k": "B H_kv T_all d_head", "new_cache_v": "B H_kv T_all d_head"},
    container="tuple",
    points=4,
    gradient_results=("output",),
    uses=["create_causal_mask_with_cache"],
    hints="""
    With 6 query heads and 2 kv heads, which query heads read kv head 0?

    Heads 0, 1, 2 read kv head 0, heads 3, 4, 5 read kv head 1: h // 3. The cache keeps 2 heads; they are
    repeated only to compute attention, after the join.

    repeat_interleave(3, dim=1) gives 0,0,0,1,1,1; repeat gives 0,1,0,1,0,1. k_proj and v_proj are
    (num_kv_heads * d_head) wide.

        keys = k.repeat_interleave(num_heads // num_kv_heads, dim=1)  # (B, H, T_all, d_head)
    """,
)


@ex.reference
class GroupedQueryAttentionWithCache(Layered):
    """Uses torch's own operator on one query head at a time."""

    names = CACHED_LAYERS
    out_proj: nn.Linear

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__(d_model, num_heads, num_kv_heads)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        Q, K, V = (self.split(x, letter) for letter in "QKV")
        K = K if cache_k is None else torch.cat([cache_k, K], 2)  # (B, H_kv, T_all, d_head)
        V = V if cache_v is None else torch.cat([cache_v, V], 2)
        allowed = bottom_right(Q.shape[2], K.shape[2], x.device) if is_causal else None
        group = Q.shape[1] // K.shape[1]
        heads = [
            F.scaled_dot_product_attention(q, K[:, h // group], V[:, h // group], attn_mask=allowed)
            for h, q in enumerate(Q.unbind(1))
        ]
        return self.out_proj(torch.cat(heads, -1)), K, V


def attention(g, d_model, num_heads, num_kv_heads):
    d_kv = d_model // num_heads * num_kv_heads
    wide = layers(g, ("q_proj", "out_proj"), d_model, d_model)
    weights = {**wide, **layers(g, ("k_proj", "v_proj"), d_kv, d_model)}
    return build(weights, d_model=d_model, num_heads=num_heads, num_kv_heads=num_kv_heads)


def case(g, B, T, *sizes):
    return attention(g, *sizes).call(x=normal(g, B, T, sizes[0]))


ex.case(six_heads_two_groups=lambda g: case(g, 5, 7, 24, 6, 2))


@ex.case
def prefill_then_steps(g):
    prefill = case(g, 5, 7, 24, 6, 3).but(gradients=False)
    return prefill.call(x=normal(g, 5, 1, 24), **cache_of(0)).call(x=normal(g, 5, 1, 24), **cache_of(1))


@ex.case
def chunks(g):
    """The last call has as many tokens as the call before has keys: a mask that the answer stored by the
    number of keys has the wrong number of rows."""
    first = case(g, 1, 4, 12, 6, 3).but(gradients=False)
    return first.call(x=normal(g, 1, 5, 12), **cache_of(0)).call(x=normal(g, 1, 9, 12))


@ex.edge
def one_kv_head(g):
    first = case(g, 2, 4, 6, 3, 1).but(evaluating=True, gradients=False)
    return first.call(x=normal(g, 2, 2, 6), **cache_of(0)).call(x=normal(g, 2, 2, 6), **cache_of(1))


ex.edge(as_many_kv_heads_as_heads=lambda g: case(g, 1, 3, 10, 2, 2))


@ex.edge
def not_causal(g):
    first = attention(g, 8, 4, 2).but(gradients=False)
    first = first.call(x=normal(g, 2, 3, 8), **draw_cache(g, 2, 2, 4, 2), is_causal=False)
    return first.call(x=normal(g, 1, 4, 8)).call(x=normal(g, 1, 4, 8), is_causal=False)


@ex.edge
def empty_cache(g):
    first = attention(g, 4, 2, 1).but(gradients=False)
    return first.call(x=normal(g, 1, 3, 4), **draw_cache(g, 1, 1, 0, 2))


@ex.edge
def one_token(g):
    return case(g, 1, 1, 6, 2, 1).call(x=normal(g, 1, 1, 6), **cache_of(0)).but(gradients=False)


@ex.edge
def long_not_contiguous(g):
    first = case(g, 1, 66, 4, 2, 1).but(strided=True, narrow=False, gradients=False, only=["output"])
    return first.call(x=normal(g, 1, 2, 4), **cache_of(0))


ex.edge(
    a_token_of_zeros=lambda g: token_of_zeros(case(g, 2, 3, 8, 4, 2)),
    allowed_far_below_zero=lambda g: far_below_zero(case(g, 2, 4, 6, 3, 1), "q_proj", "k_proj"),
)


def grouped_attention(wrong):
    """A class that repeats both keys and values with this wrong function."""
    return cached_attention(repeat_k=wrong, repeat_v=wrong)


def kv_heads_repeated(t, H):
    return t.repeat(1, H // t.shape[1], 1, 1)


class Grouped(cached_attention()):
    """A cached attention that knows its groups: num_kv_heads groups of `group` query heads."""

    k_proj: nn.Linear

    def heads_of_groups(self):
        num_kv_heads = self.k_proj.out_features // self.d_head
        return num_kv_heads, self.num_heads // num_kv_heads


def reduce_queries(reduce):
    """A class in which all query heads of a group use the same weights, reduce(the group's query weights)."""

    class Variant(Grouped):
        def matrices(self):
            W = super().matrices()
            each = W["Q"].unflatten(1, (*self.heads_of_groups(), self.d_head))
            return {**W, "Q": reduce(each).expand(each.shape).flatten(1)}

    return Variant


def rescale_scores(factor):
    """A class whose scores are multiplied by factor(d_kv, d_model, d_head)."""

    class Variant(Grouped):
        def matrices(self):
            W = super().matrices()
            return {**W, "Q": W["Q"] * factor(W["K"].shape[1], W["Q"].shape[1], self.d_head)}

    return Variant


class RepeatedAndJoined(cached_attention()):
    """Returns the repeated heads as its cache, which the kv heads of the next call do not fit."""

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        output, k, v = super().forward(x, cache_k, cache_v, is_causal)
        return output, repeat_kv_heads(k, self.num_heads), repeat_kv_heads(v, self.num_heads)


class RepeatedInCache(RepeatedAndJoined):
    """Returns the repeated heads too, but uses one head of each group from its cache, so that its outputs are
    right."""

    k_proj: nn.Linear

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        H, group = self.num_heads, self.num_heads // (self.k_proj.out_features // self.d_head)
        k, v = (None if c is None else c[:, ::group] if c.shape[1] == H else c for c in (cache_k, cache_v))
        return super().forward(x, k, v, is_causal)


ex.wrong(
    "repeat_for_repeat_interleave: the kv heads are tiled in the order 0, 1, 0, 1: query head h uses kv head h // group, so the order is 0, 0, 1, 1 (repeat_interleave)",
    grouped_attention(kv_heads_repeated),
    "v_repeated_otherwise: keys and values are repeated in different orders: use repeat_interleave for both",
    cached_attention(repeat_v=kv_heads_repeated),
    cached_attention(repeat_k=kv_heads_repeated),
    "kv_heads_not_repeated: the keys or values still have fewer heads than the queries when they are multiplied: repeat both along the head axis, dim=1, each head num_heads // num_kv_heads times",
    grouped_attention(lambda t, H: t),
    "tokens_repeated: the tokens are repeated instead of the heads: repeat along the head axis, dim=1",
    grouped_attention(lambda t, H: t.repeat_interleave(H // t.shape[1], 2)),
    "first_kv_head_for_all: all query heads use the first kv head: query head h uses kv head h // group",
    grouped_attention(lambda t, H: t[:, :1].expand(-1, H, -1, -1)),
    "repeated_in_cache: the repeated heads are cached: cache only num_kv_heads heads, which is where the memory is saved, and repeat them after the join, only to compute attention",
    RepeatedInCache,
    RepeatedAndJoined,
    "queries_averaged: the queries of a group are averaged or summed, or one of them is used for all: every query head attends with its own query. It is the keys and values that are repeated, num_heads // num_kv_heads times each",
    reduce_queries(lambda each: each.mean(2, keepdim=True)),
    reduce_queries(lambda each: each.sum(2, keepdim=True)),
    reduce_queries(lambda each: each[:, :, :1]),
    "scale_kv_heads: the scores are divided by sqrt(d_model // num_kv_heads): d_head is d_model // num_heads, for keys and values too",
    rescale_scores(lambda d_kv, d_model, d_head: (d_kv / d_model) ** 0.5),
    "scale_width_of_keys: the scores are divided by sqrt(num_kv_heads * d_head), the width of k_proj: each dot product has d_head terms",
    rescale_scores(lambda d_kv, d_model, d_head: (d_head / d_kv) ** 0.5),
)
ex.shared(
    cached_attention,
    "not_scaled",
    "scale_d_model",
    "scale_d_head_no_root",
    "softmax_over_queries",
    "global_max",
    *shared.MASK,
)
ex.shared(cached_attention, *shared.CAUSAL, *shared.CACHE_MASK, *shared.CACHE, *shared.OUTPUT)
ex.shared(
    cached_attention, "split_without_transpose", "merge_without_transpose", "k_for_v", "k_and_v_swapped"
)
ex.shared(cached_attention, "mask_inverted_for_torch", "unstable")
cache_masks(ex)


@ex.mistake
class GroupsMergedFirst(Grouped):
    """the heads are merged in the order (group, H_kv): query head h belongs to kv head h // group, so the kv
    heads come first, (H_kv, group)"""

    def matrices(self):
        W = super().matrices()
        num_kv_heads, group = self.heads_of_groups()
        rows = W["O"].unflatten(0, (group, num_kv_heads, self.d_head))
        return {**W, "O": rows.transpose(0, 1).flatten(0, 2)}
