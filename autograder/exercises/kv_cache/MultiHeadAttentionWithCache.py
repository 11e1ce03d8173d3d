"""MultiHeadAttentionWithCache: keys and values of earlier tokens come in, and all of them go out."""

import torch
from torch.nn import functional as F

from autograder.authoring import shared_mistakes as known
from autograder.authoring.exercise import Exercise, build, far_below_zero, layers, normal, token_of_zeros
from autograder.authoring.modules import CACHED, Layered, bottom_right, cache_masks, cached_attention
from course_utils.model.case import Back

ex = Exercise(
    "MultiHeadAttentionWithCache(d_model, num_heads)",
    {"output": "B T d_model", "new_cache_k": "B H T_all d_head", "new_cache_v": "B H T_all d_head"},
    kind="module",
    methods=["forward(x, cache_k=None, cache_v=None, is_causal=True)"],
    container="tuple",
    points=4,
    gradient_results=("output",),
    uses=["create_causal_mask_with_cache", "split_heads", "merge_heads"],
    hints=[
        "Which of Q, K and V do later tokens need again? And where in the text do the new queries stand?",
        "Split first, then join along the token axis: old keys before new ones, (B, H, T_cached + T, d_head). The mask has T rows and T_cached + T columns.",
        "torch.cat([cache_k, k], dim=2) joins; create_causal_mask_with_cache(T, T_cached + T, T_cached, device=x.device) is the mask.",
    ],
)


@ex.reference
class Reference(Layered):
    """torch's own operator with a mask that is aligned to the last key."""

    names = CACHED

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        Q, K, V = (self.split(x, letter) for letter in "QKV")
        K = K if cache_k is None else torch.cat([cache_k, K], 2)  # (B, H, T_all, d_head)
        V = V if cache_v is None else torch.cat([cache_v, V], 2)
        allowed = bottom_right(Q.shape[2], K.shape[2], x.device) if is_causal else None
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
        return self.out_proj(heads.transpose(1, 2).flatten(2)), K, V


def attention(g, d_model, num_heads):
    return build(layers(g, CACHED.values(), d_model, d_model), d_model=d_model, num_heads=num_heads)


def fed_back(call):
    return {"cache_k": Back(call, "new_cache_k"), "cache_v": Back(call, "new_cache_v")}


@ex.case
def no_cache(g):
    return attention(g, 12, 3).call(x=normal(g, 2, 4, 12))


@ex.case
def prefill_then_steps(g):
    case = attention(g, 8, 2).call(x=normal(g, 3, 4, 8)).but(gradients=False)
    return case.call(x=normal(g, 3, 1, 8), **fed_back(0)).call(x=normal(g, 3, 1, 8), **fed_back(1))


@ex.case
def chunks(g):
    case = attention(g, 6, 3).call(x=normal(g, 2, 2, 6)).but(gradients=False)
    case = case.call(x=normal(g, 2, 5, 6), **fed_back(0)).call(x=normal(g, 2, 5, 6), **fed_back(1))
    return case.call(
        x=normal(g, 2, 12, 6)
    )  # as many tokens at once: a mask that was kept for their number has other rows


@ex.case
def given_cache(g):
    return (
        attention(g, 10, 2)
        .call(x=normal(g, 1, 3, 10), cache_k=normal(g, 1, 2, 4, 5), cache_v=normal(g, 1, 2, 4, 5))
        .but(gradients=False)
    )


@ex.edge
def not_causal(g):
    case = (
        attention(g, 6, 2)
        .call(
            x=normal(g, 3, 4, 6),
            cache_k=normal(g, 3, 2, 2, 3),
            cache_v=normal(g, 3, 2, 2, 3),
            is_causal=False,
        )
        .but(gradients=False)
    )
    return case.call(x=normal(g, 2, 4, 6)).call(x=normal(g, 2, 4, 6), is_causal=False)


@ex.edge
def empty_cache(g):
    return (
        attention(g, 4, 2)
        .call(
            x=normal(g, 1, 3, 4), cache_k=normal(g, 1, 2, 0, 2), cache_v=normal(g, 1, 2, 0, 2), is_causal=True
        )
        .but(gradients=False)
    )


@ex.edge
def one_head_one_token(g):
    return (
        attention(g, 3, 1)
        .call(x=normal(g, 2, 1, 3))
        .call(x=normal(g, 2, 1, 3), **fed_back(0))
        .but(gradients=False)
    )


@ex.edge
def as_many_heads_as_features(g):
    return (
        attention(g, 4, 4)
        .call(x=normal(g, 4, 2, 4))
        .call(x=normal(g, 4, 3, 4), **fed_back(0))
        .but(evaluating=True, gradients=False)
    )


@ex.edge
def long_not_contiguous(g):
    case = attention(g, 2, 1).call(x=normal(g, 1, 66, 2)).but(strided=True, narrow=False, gradients=False)
    return case.call(x=normal(g, 1, 2, 2), **fed_back(0))


@ex.edge
def a_token_of_zeros(g):
    return token_of_zeros(attention(g, 6, 2).call(x=normal(g, 2, 4, 6)))


@ex.edge
def allowed_far_below_zero(g):
    return far_below_zero(attention(g, 6, 3).call(x=normal(g, 2, 4, 6)), "q_proj", "k_proj")


ex.switches(
    cached_attention,
    known.SCALE,
    known.SOFTMAX,
    known.UNSTABLE,
    known.MASK,
    known.CAUSAL,
    known.CACHE_MASK,
    known.CACHE,
    known.SPLIT,
    known.MERGE,
    known.ROLES,
    known.UNPROJECTED,
    known.TRANSPOSED,
    known.OUTPUT,
)
cache_masks(ex)


class AlwaysCausal(cached_attention()):
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        return super().forward(x, cache_k, cache_v, True)


class TruthOfTensor(cached_attention()):
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        return super().forward(x, *((cache_k, cache_v) if cache_k else (None, None)), is_causal)


class KeptBeforeSplit(Layered):
    """Keeps whole tokens (B, T_all, d_model), and splits them into heads at every call."""

    names = CACHED

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        Q, K, V = (getattr(self, self.names[letter])(x) for letter in "QKV")
        K = K if cache_k is None else torch.cat([cache_k, K], 1)
        V = V if cache_v is None else torch.cat([cache_v, V], 1)
        allowed = bottom_right(Q.shape[1], K.shape[1], x.device) if is_causal else None
        heads = F.scaled_dot_product_attention(
            *(t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for t in (Q, K, V)), attn_mask=allowed
        )
        return self.out_proj(heads.transpose(1, 2).flatten(2)), K, V


ex.mistake(
    "kept_before_split",
    "whole tokens are kept, (B, T, d_model): split into heads first, then keep (B, H, T, d_head)",
    KeptBeforeSplit,
)
ex.mistake("is_causal_ignored", "the future is masked although is_causal=False", AlwaysCausal)
ex.mistake(
    "truth_of_a_tensor",
    "`if cache_k:` asks for the truth of a whole tensor, which has none: write `if cache_k is not None`",
    TruthOfTensor,
)
