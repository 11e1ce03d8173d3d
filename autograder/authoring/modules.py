"""Modules for exercises: a base with named bias-free layers, and classes made from the pipeline's switches."""

import torch
from torch import nn

from . import attention as pipeline
from .shared_mistakes import CACHE_MASK

SELF = {"Q": "W_q", "K": "W_k", "V": "W_v", "O": "W_o"}
CACHED = {"Q": "q_proj", "K": "k_proj", "V": "v_proj", "O": "out_proj"}


class Layered(nn.Module):
    """names: {"Q": attribute, ...}; keys and values may have fewer heads."""

    names = SELF

    def __init__(self, d_model, num_heads, num_kv_heads=None):
        super().__init__()
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        d_kv = (num_kv_heads or num_heads) * self.d_head
        for letter, name in self.names.items():
            setattr(self, name, nn.Linear(d_model, d_kv if letter in "KV" else d_model, bias=False))

    def matrices(self):
        """Weights to be used as x @ W."""
        return {letter: getattr(self, name).weight.T for letter, name in self.names.items()}

    def split(self, x, letter):
        """Project x (B, T, d_model) and split it: (B, H or H_kv, T, d_head)."""
        return pipeline.split_blocks(
            getattr(self, self.names[letter])(x),
            getattr(self, self.names[letter]).out_features // self.d_head,
        )


def self_attention(**switches):
    """A class like MultiHeadSelfAttention with these switches."""
    chosen = pipeline.changed(**switches)

    class Variant(Layered):
        def forward(self, x, is_causal=False, key_padding_lengths=None):
            return pipeline.self_attention(
                x, self.matrices(), self.num_heads, chosen, is_causal, key_padding_lengths
            )[0]

    return Variant


def cached_attention(**switches):
    """A class like MultiHeadAttentionWithCache (or its grouped form) with these switches."""
    chosen = pipeline.changed(**switches)

    class Variant(Layered):
        names = CACHED

        def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
            return pipeline.cached_attention(
                x, self.matrices(), self.num_heads, chosen, cache_k, cache_v, is_causal
            )

    return Variant


def unmasked_with_cache(base):
    """`base`, but nothing is masked as soon as a cache is given, an empty one included."""

    class Variant(base):
        def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
            return super().forward(x, cache_k, cache_v, is_causal and cache_k is None)

    return Variant


def square_masked(base, meet):
    """`base`, but a mask for the new tokens alone, (T, T), meets scores (1, 1, T, T_cached + T), which raises."""

    class Variant(base):
        def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
            T, T_cached = x.shape[1], 0 if cache_k is None else cache_k.shape[2]
            if is_causal:
                meet(torch.zeros(1, 1, T, T_cached + T), torch.ones(T, T, dtype=torch.bool))
            return super().forward(x, cache_k, cache_v, is_causal)

    return Variant


def cache_masks(exercise):
    """Two ways to forget what the cache does to the mask."""
    base = cached_attention()
    dropped = next(sentence for name, sentence, _ in CACHE_MASK if name == "chunk_not_masked")
    exercise.mistake("chunk_not_masked", dropped, unmasked_with_cache(base))
    square = (
        "the mask is (T, T), as if nothing were cached: it needs a column for every key, (T, T_cached + T)"
    )
    exercise.mistake(
        "mask_is_square",
        square,
        square_masked(base, lambda s, m: s.masked_fill(m, 0)),
        square_masked(base, lambda s, m: s + m),
    )


def of_layers(number, case, names):
    """What Exercise.recoverable wants of a case that builds a module."""
    matrices = {letter: case.weights[name].T for letter, name in names.items()}
    return number, case.calls[0].args["x"], matrices, case.build["num_heads"]


def bottom_right(T_q, T_k, device=None):
    """True = may attend (the convention of scaled_dot_product_attention), for queries at the end of the keys."""
    return torch.ones(T_q, T_k, dtype=torch.bool, device=device).tril(T_k - T_q)
