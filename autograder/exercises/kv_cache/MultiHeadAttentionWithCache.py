"""MultiHeadAttentionWithCache: attention over cached and new tokens, which returns all keys and values."""

import torch
from torch import nn
from torch.nn import functional as F

from autograder.authoring import shared_mistakes as shared
from autograder.authoring.attention import split_blocks
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
    {"output": "B T d_model", "new_cache_k": "B H T_all d_head", "new_cache_v": "B H T_all d_head"},
    container="tuple",
    points=4,
    gradient_results=("output",),
    uses=["create_causal_mask_with_cache", "split_heads", "merge_heads"],
    hints="""
    Which of Q, K and V do later tokens need again? And at which positions are the new queries?

    Split first, then join along the token axis: old keys before new ones, (B, H, T_cached + T, d_head). The
    mask has T rows and T_cached + T columns.

    torch.cat([cache_k, k], dim=2) joins. For the mask, give the keys the positions 0 to T_cached + T - 1 and the
    queries T_cached to T_cached + T - 1, both on x.device, and compare, as in 4.3.

        k = torch.cat([cache_k, k], dim=2)  # (B, H, T_cached + T, d_head)
    """,
)


@ex.reference
class MultiHeadAttentionWithCache(Layered):
    """Uses torch's own operator with a causal mask that is aligned to the last key."""

    names = CACHED_LAYERS
    out_proj: nn.Linear

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        Q, K, V = (self.split(x, letter) for letter in "QKV")
        K = K if cache_k is None else torch.cat([cache_k, K], 2)  # (B, H, T_all, d_head)
        V = V if cache_v is None else torch.cat([cache_v, V], 2)
        allowed = bottom_right(Q.shape[2], K.shape[2], x.device) if is_causal else None
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
        return self.out_proj(heads.transpose(1, 2).flatten(2)), K, V


def attention(g, d_model, num_heads):
    return build(layers(g, CACHED_LAYERS.values(), d_model, d_model), d_model=d_model, num_heads=num_heads)


def case(g, B, T, *sizes):
    return attention(g, *sizes).call(x=normal(g, B, T, sizes[0]))


ex.case(no_cache=lambda g: case(g, 2, 5, 12, 3))


@ex.case
def prefill_then_steps(g):
    prefill = case(g, 3, 5, 8, 2).but(gradients=False)
    return prefill.call(x=normal(g, 3, 1, 8), **cache_of(0)).call(x=normal(g, 3, 1, 8), **cache_of(1))


@ex.case
def chunks(g):
    """The last call has as many tokens as the call before has keys: a mask that the answer stored by the
    number of keys has the wrong number of rows."""
    chunked = case(g, 2, 5, 12, 3).but(gradients=False)
    chunked = chunked.call(x=normal(g, 2, 6, 12), **cache_of(0)).call(x=normal(g, 2, 6, 12), **cache_of(1))
    return chunked.call(x=normal(g, 2, 17, 12))


@ex.case
def given_cache(g):
    first = attention(g, 10, 2).but(gradients=False)
    return first.call(x=normal(g, 1, 3, 10), **draw_cache(g, 1, 2, 4, 5))


@ex.edge
def not_causal(g):
    first = attention(g, 6, 2).but(gradients=False)
    first = first.call(x=normal(g, 3, 4, 6), **draw_cache(g, 3, 2, 2, 3), is_causal=False)
    return first.call(x=normal(g, 2, 4, 6)).call(x=normal(g, 2, 4, 6), is_causal=False)


@ex.edge
def empty_cache(g):
    first = attention(g, 4, 2).but(gradients=False)
    return first.call(x=normal(g, 1, 3, 4), **draw_cache(g, 1, 2, 0, 2), is_causal=True)


@ex.edge
def one_head_one_token(g):
    return case(g, 2, 1, 3, 1).call(x=normal(g, 2, 1, 3), **cache_of(0)).but(gradients=False)


@ex.edge
def as_many_heads_as_features(g):
    first = case(g, 4, 2, 4, 4).but(evaluating=True, gradients=False)
    return first.call(x=normal(g, 4, 3, 4), **cache_of(0))


@ex.edge
def long_not_contiguous(g):
    first = case(g, 1, 66, 2, 1).but(strided=True, narrow=False, gradients=False)
    return first.call(x=normal(g, 1, 2, 2), **cache_of(0))


ex.edge(
    a_token_of_zeros=lambda g: token_of_zeros(case(g, 2, 4, 6, 2)),
    allowed_far_below_zero=lambda g: far_below_zero(case(g, 2, 4, 6, 3), "q_proj", "k_proj"),
)
ex.shared(cached_attention, *shared.LAYER, *shared.CAUSAL, *shared.CACHE_MASK, *shared.CACHE)
cache_masks(ex)


@ex.mistake
class KeptBeforeSplit(Layered):
    """keys and values are cached before they are split, (B, T, d_model): split into heads first, then cache (B, H, T, d_head)"""

    names = CACHED_LAYERS
    out_proj: nn.Linear

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        Q, K, V = (getattr(self, self.names[letter])(x) for letter in "QKV")
        K = K if cache_k is None else torch.cat([cache_k, K], 1)  # (B, T_all, d_model)
        V = V if cache_v is None else torch.cat([cache_v, V], 1)
        allowed = bottom_right(Q.shape[1], K.shape[1], x.device) if is_causal else None
        split = (split_blocks(t, self.num_heads) for t in (Q, K, V))
        heads = F.scaled_dot_product_attention(*split, attn_mask=allowed)
        return self.out_proj(heads.transpose(1, 2).flatten(2)), K, V


@ex.mistake
class IsCausalIgnored(cached_attention()):
    """the future is masked even though is_causal=False"""

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        return super().forward(x, cache_k, cache_v, True)
