"""nn.Module classes for exercises: a base with named bias-free layers, and attention classes whose stages can
be replaced (switches)."""

import torch
from torch import nn

from . import attention as pipeline

LAYERS = {"Q": "W_q", "K": "W_k", "V": "W_v", "O": "W_o"}
CACHED_LAYERS = {"Q": "q_proj", "K": "k_proj", "V": "v_proj", "O": "out_proj"}


class Layered(nn.Module):
    """The four projections of attention as layers; names: {"Q": attribute, ...}. num_kv_heads is
    for grouped-query attention."""

    names = LAYERS

    def __init__(self, d_model, num_heads, num_kv_heads=None):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        d_kv = (num_kv_heads or num_heads) * self.d_head
        for letter, name in self.names.items():
            setattr(self, name, nn.Linear(d_model, d_kv if letter in "KV" else d_model, bias=False))

    def matrices(self):
        """The weights of the layers, transposed so that x @ W applies them."""
        return {letter: getattr(self, name).weight.T for letter, name in self.names.items()}

    def split(self, x, letter):
        """Project x (B, T, d_model) and split it: (B, H or H_kv, T, d_head)."""
        layer = getattr(self, self.names[letter])
        return pipeline.split_blocks(layer(x), layer.out_features // self.d_head)


def self_attention(**switches):
    """A MultiHeadSelfAttention class with these switches."""
    steps = pipeline.with_switches(**switches)

    class Variant(Layered):
        def forward(self, x, is_causal=False, key_padding_lengths=None):
            W = self.matrices()
            return pipeline.self_attention(x, W, self.num_heads, steps, is_causal, key_padding_lengths)[0]

    return Variant


def cached_attention(**switches):
    """A MultiHeadAttentionWithCache class (grouped if num_kv_heads is given) with these switches."""
    steps = pipeline.with_switches(**switches)

    class Variant(Layered):
        names = CACHED_LAYERS

        def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
            W = self.matrices()
            return pipeline.cached_attention(x, W, self.num_heads, steps, cache_k, cache_v, is_causal)

    return Variant


def with_square_mask(combine):
    """A cached attention that also calls combine(scores, mask) with a mask of the new tokens only, (T, T),
    and scores (1, 1, T, T_cached + T): the shapes clash once there is a cache."""

    class Variant(cached_attention()):
        def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
            T, T_cached = x.shape[1], 0 if cache_k is None else cache_k.shape[2]
            if is_causal:
                combine(torch.zeros(1, 1, T, T_cached + T), torch.ones(T, T, dtype=torch.bool))
            return super().forward(x, cache_k, cache_v, is_causal)

    return Variant


def cache_masks(ex):
    """Declare the mistake of a mask that has no columns for the cached keys."""
    ex.wrong(
        "mask_is_square: the mask is (T, T), as if nothing were cached: it needs (T, T_cached + T)",
        with_square_mask(lambda scores, mask: scores.masked_fill(mask, 0)),
        with_square_mask(lambda scores, mask: scores + mask),
    )


def bottom_right(T_q, T_k, device=None):
    """A causal mask for scaled_dot_product_attention (True = may attend), with the queries at the last keys'
    positions."""
    return torch.ones(T_q, T_k, dtype=torch.bool, device=device).tril(T_k - T_q)


def rotated(x):
    """x (B, H, T, d_head) with a rotary embedding (half-split), where d_head is even."""
    T, d_head = x.shape[-2:]
    speeds = 10000.0 ** -(torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
    angles = torch.arange(T)[:, None] * speeds  # (T, d_head / 2)
    first, second = x.chunk(2, -1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], -1)
