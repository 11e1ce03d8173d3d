"""GroupedQueryAttentionWithCache: several query heads share one head of keys and values."""

import torch
from torch.nn import functional as F

from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import Exercise, build, far_below_zero, layers, normal, token_of_zeros
from autograder.authoring.modules import CACHED, Layered, bottom_right, cache_masks, cached_attention
from course_utils.model.case import Back

ex = Exercise(
    "GroupedQueryAttentionWithCache(d_model, num_heads, num_kv_heads)",
    {"output": "B T d_model", "new_cache_k": "B H_kv T_all d_head", "new_cache_v": "B H_kv T_all d_head"},
    kind="module",
    methods=["forward(x, cache_k=None, cache_v=None, is_causal=True)"],
    container="tuple",
    points=4,
    gradient_results=("output",),
    uses=["create_causal_mask_with_cache"],
    hints=[
        "With 6 query heads and 2 kv heads, which query heads read kv head 0?",
        "Heads 0, 1, 2 read kv head 0, heads 3, 4, 5 read kv head 1: h // 3. The cache keeps 2 heads; they are repeated only for the scores, after the join.",
        "repeat_interleave(3, dim=1) gives 0,0,0,1,1,1; repeat gives 0,1,0,1,0,1. k_proj and v_proj are (num_kv_heads * d_head) wide.",
    ],
)


@ex.reference
class Reference(Layered):
    """torch's own operator on one query head at a time."""

    names = CACHED

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
    wide, narrow = (
        layers(g, ("q_proj", "out_proj"), d_model, d_model),
        layers(g, ("k_proj", "v_proj"), d_kv, d_model),
    )
    return build({**wide, **narrow}, d_model=d_model, num_heads=num_heads, num_kv_heads=num_kv_heads)


def fed_back(call):
    return {"cache_k": Back(call, "new_cache_k"), "cache_v": Back(call, "new_cache_v")}


@ex.case
def six_heads_two_groups(g):
    return attention(g, 18, 6, 2).call(x=normal(g, 2, 5, 18))


@ex.case
def prefill_then_steps(g):
    case = attention(g, 12, 4, 2).call(x=normal(g, 3, 5, 12)).but(gradients=False)
    return case.call(x=normal(g, 3, 1, 12), **fed_back(0)).call(x=normal(g, 3, 1, 12), **fed_back(1))


@ex.case
def chunks(g):
    case = attention(g, 12, 6, 3).call(x=normal(g, 2, 4, 12)).but(gradients=False)
    case = case.call(x=normal(g, 2, 3, 12), **fed_back(0))
    return case.call(
        x=normal(g, 2, 7, 12)
    )  # as many tokens at once: a mask that was kept for their number has other rows


@ex.edge
def one_kv_head(g):
    case = attention(g, 6, 3, 1).call(x=normal(g, 2, 4, 6)).but(evaluating=True, gradients=False)
    return case.call(x=normal(g, 2, 2, 6), **fed_back(0)).call(x=normal(g, 2, 2, 6), **fed_back(1))


@ex.edge
def as_many_kv_heads_as_heads(g):
    return attention(g, 10, 2, 2).call(x=normal(g, 1, 3, 10))


@ex.edge
def not_causal(g):
    case = (
        attention(g, 8, 4, 2)
        .call(
            x=normal(g, 2, 3, 8),
            cache_k=normal(g, 2, 2, 4, 2),
            cache_v=normal(g, 2, 2, 4, 2),
            is_causal=False,
        )
        .but(gradients=False)
    )
    return case.call(x=normal(g, 1, 4, 8)).call(x=normal(g, 1, 4, 8), is_causal=False)


@ex.edge
def empty_cache(g):
    return (
        attention(g, 4, 2, 1)
        .call(x=normal(g, 1, 3, 4), cache_k=normal(g, 1, 1, 0, 2), cache_v=normal(g, 1, 1, 0, 2))
        .but(gradients=False)
    )


@ex.edge
def one_token(g):
    return (
        attention(g, 6, 2, 1)
        .call(x=normal(g, 1, 1, 6))
        .call(x=normal(g, 1, 1, 6), **fed_back(0))
        .but(gradients=False)
    )


@ex.edge
def long_not_contiguous(g):
    case = (
        attention(g, 4, 2, 1)
        .call(x=normal(g, 1, 66, 4))
        .but(strided=True, narrow=False, gradients=False, only=["output"])
    )
    return case.call(x=normal(g, 1, 2, 4), **fed_back(0))


@ex.edge
def a_token_of_zeros(g):
    return token_of_zeros(attention(g, 8, 4, 2).call(x=normal(g, 2, 3, 8)))


@ex.edge
def allowed_far_below_zero(g):
    return far_below_zero(attention(g, 6, 3, 1).call(x=normal(g, 2, 4, 6)), "q_proj", "k_proj")


class RepeatedInCache(cached_attention()):
    """Keeps the repeated heads in the cache."""

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        H, group = self.num_heads, self.num_heads // (self.k_proj.out_features // self.d_head)
        first = [None if c is None else c[:, ::group] if c.shape[1] == H else c for c in (cache_k, cache_v)]
        output, k, v = super().forward(x, *first, is_causal)
        return output, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)


class RepeatedAndJoined(cached_attention()):
    """Returns the repeated heads, and joins to them whatever comes back."""

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        output, k, v = super().forward(x, cache_k, cache_v, is_causal)
        group = self.num_heads // k.shape[1]
        return output, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)


class ScaledByKvHeads(cached_attention()):
    def matrices(self):
        W = super().matrices()
        return {**W, "Q": W["Q"] * (W["K"].shape[1] / W["Q"].shape[1]) ** 0.5}


class ScaledByWidthOfKeys(cached_attention()):
    def matrices(self):
        W = super().matrices()
        return {**W, "Q": W["Q"] * (self.d_head / W["K"].shape[1]) ** 0.5}


class ScaledByNumberOfKvHeads(cached_attention()):
    def matrices(self):
        W = super().matrices()
        return {**W, "Q": W["Q"] * self.d_head / W["K"].shape[1] ** 0.5}


GROUPS = [
    (
        "repeat_for_repeat_interleave",
        "the kv heads are repeated in the order 0, 1, 0, 1: query head h uses kv head h // group, so repeat each head in turn (repeat_interleave)",
        {"groups": "repeat"},
    ),
    (
        "v_repeated_otherwise",
        "keys and values are repeated in two different orders: both with repeat_interleave",
        {"groups": "v_repeat"},
    ),
    (
        "v_repeated_otherwise",
        "keys and values are repeated in two different orders: both with repeat_interleave",
        {"groups": "k_repeat"},
    ),
    (
        "kv_heads_not_repeated",
        "keys or values have not as many heads as the queries where they meet: repeat both along the heads, dim=1, each head num_heads // num_kv_heads times",
        {"groups": "none"},
    ),
    (
        "repeated_num_kv_heads_times",
        "each kv head is repeated num_kv_heads times: num_heads // num_kv_heads times are wanted",
        {"groups": "by_kv_heads"},
    ),
    (
        "tokens_repeated",
        "the tokens are repeated in the place of the heads: repeat along the head axis, dim=1",
        {"groups": "tokens"},
    ),
    (
        "first_kv_head_for_all",
        "all query heads use the first kv head: query head h uses kv head h // group",
        {"groups": "first"},
    ),
]
ROLES = [s for s in known.ROLES if s[0] in ("k_for_v", "v_for_k", "k_and_v_swapped")]
SPLIT = [s for s in known.SPLIT if s[0] != "split_and_merge_without_transpose"]
ex.switches(
    cached_attention,
    GROUPS,
    known.SCALE,
    known.SOFTMAX,
    known.UNSTABLE,
    known.MASK,
    known.CAUSAL,
    known.CACHE_MASK,
    known.CACHE,
    SPLIT,
    known.MERGE,
    ROLES,
    known.OUTPUT,
)
ex.mistake(
    "repeated_in_cache",
    "the cache holds the repeated heads: it keeps num_kv_heads heads, which is the whole saving. Repeat after the join, for the scores only",
    RepeatedInCache,
    RepeatedAndJoined,
)
ex.mistake(
    "scale_kv_heads",
    "the scores are divided by sqrt(d_model // num_kv_heads): d_head is d_model // num_heads, also for keys and values",
    ScaledByKvHeads,
)
ex.mistake(
    "scale_width_of_keys",
    "the scores are divided by sqrt(num_kv_heads * d_head), the width of k_proj: each dot product has d_head terms",
    ScaledByWidthOfKeys,
)
ex.mistake(
    "scale_number_of_kv_heads",
    "the scores are divided by sqrt(num_kv_heads): divide by sqrt(d_head). Is a size read from the wrong axis?",
    ScaledByNumberOfKvHeads,
)
cache_masks(ex)
