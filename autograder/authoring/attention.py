"""Attention in stages, each of which can be replaced by a wrong one. Most known mistakes are built this way.

With no switch changed, the attention is correct (a test checks this). Axes: B, T (T_q, T_k), H, d_model,
d_head.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch


def split_blocks(t, H):
    return t.unflatten(-1, (H, -1)).transpose(-3, -2)  # (B, H, T, d_head)


def merge_blocks(heads, H):
    return heads.transpose(-3, -2).flatten(-2)  # (B, T, d_model)


def sqrt_d_head(B, H, T_k, d_head):
    return math.sqrt(d_head)


def is_future(i, j, cached, T):
    """Is key j in the future of query i of the T new tokens, which come after the `cached` ones?"""
    return j > i + cached


def is_padding(j, lengths):
    """Which keys are padding, (B, T); positions j (1, T), lengths (B, 1)."""
    return j >= lengths


def on_keys(padded):
    return padded[:, None, None, :]  # (B, 1, 1, T_k)


def transpose_keys(K):
    return K.transpose(-2, -1)  # (B, H, d_head, T_k)


def fill_masked(scores, mask, fill):
    return scores.masked_fill(mask, fill)


def softmax_over_keys(scores):
    return torch.softmax(scores, -1)


def project_output(merged, W_o, x):
    return merged @ W_o


def repeat_kv_heads(t, H):
    """(B, H_kv, T, d_head) -> (B, H, T, d_head): query head h uses kv head h // (H // H_kv)."""
    return t.repeat_interleave(H // t.shape[1], 1)


def append_to_cache(K, V, cache_k, cache_v):
    """Concatenate the cached keys and values with the new ones along the token axis, cached ones first."""
    return torch.cat([cache_k, K], 2), torch.cat([cache_v, V], 2)


def whole_cache(K, V, all_k, all_v):
    return all_k, all_v


@dataclass(frozen=True)
class Switches:
    """The stages of attention, most of them functions; the defaults are correct.

    roles: which projections serve as Q, K and V ("X" is x itself). transposed: the projections whose weights
    are used transposed. matrices: a change of {"Q", "K", "V", "O"}. on_weights: a last change of the weights,
    after the softmax. cache_axis: the axis of the cache from which the number of cached tokens is read.
    """

    roles: str = "QKV"
    transposed: str = ""
    split: Callable = split_blocks
    turn: Callable = transpose_keys
    divisor: Callable = sqrt_d_head
    causal: Callable = is_future
    padding: Callable = is_padding
    padding_place: Callable = on_keys
    join_masks: Callable = torch.logical_or
    mask: Callable = fill_masked
    fill: float = -torch.inf
    softmax: Callable = softmax_over_keys
    on_weights: Callable | None = None
    matrices: Callable = dict
    merge: Callable = merge_blocks
    output: Callable = project_output
    repeat_k: Callable = repeat_kv_heads
    repeat_v: Callable = repeat_kv_heads
    join_cache: Callable = append_to_cache
    returned: Callable = whole_cache
    cache_axis: int = 2
    mask_with_cache: bool = True


RIGHT = Switches()


def with_switches(**switches):
    return replace(RIGHT, **switches)


def project(x, W, switches=RIGHT):
    """x (B, T, d_model), W {"Q": (d_model, d_model) used as x @ W, ...} -> Q, K, V (B, T, d_model)."""
    arrays = {"X": x}
    for letter in "QKV":
        square = W[letter].shape[0] == W[letter].shape[1]
        arrays[letter] = x @ (W[letter].T if letter in switches.transposed and square else W[letter])
    return [arrays[role] for role in switches.roles]


def scaled_scores(Q, K, num_heads=1, divisor=sqrt_d_head, turn=transpose_keys):
    raw = Q @ turn(K)  # (B, H, T_q, T_k)
    return raw / divisor(Q.shape[0], num_heads, K.shape[-2], Q.shape[-1])


def causal_mask(T_q, T_k, cached=0, switches=RIGHT):
    """(T_q, T_k), True means masked."""
    return switches.causal(torch.arange(T_q)[:, None], torch.arange(T_k)[None, :], cached, T_q)


def padding_mask(lengths, T, switches=RIGHT):
    """(B, 1, 1, T), True means masked."""
    return switches.padding_place(switches.padding(torch.arange(T)[None, :], lengths[:, None]))


def combined_mask(T, is_causal, lengths, switches=RIGHT):
    """The mask of a self-attention; None where nothing is masked."""
    causal = causal_mask(T, T, 0, switches) if is_causal else None
    if lengths is None:
        return causal
    padded = padding_mask(lengths, T, switches)
    return padded if causal is None else switches.join_masks(causal, padded)


def mask_scores(scores, mask, switches=RIGHT):
    """The masked scores, which are the input of the softmax: (B, H, T_q, T_k)."""
    return scores if mask is None else switches.mask(scores, mask, switches.fill)


def attend(Q, K, V, mask, num_heads, switches=RIGHT):
    """Attention of queries, keys and values already split into heads: return (heads, weights, scores)."""
    scores = scaled_scores(Q, K, num_heads, switches.divisor, switches.turn)
    weights = switches.softmax(mask_scores(scores, mask, switches))
    if switches.on_weights:
        weights = switches.on_weights(weights, mask, Q)
    return weights @ V, weights, scores


def self_attention(x, W, num_heads, switches=RIGHT, is_causal=False, lengths=None):
    """x (B, T, d_model), W {"Q", "K", "V", "O"} used as x @ W -> (output like x, weights (B, H, T, T),
    stages)."""
    W = switches.matrices(W)
    Q, K, V = (switches.split(t, num_heads) for t in project(x, W, switches))
    mask = combined_mask(x.shape[-2], is_causal, lengths, switches)
    heads, weights, scores = attend(Q, K, V, mask, num_heads, switches)
    merged = switches.merge(heads, num_heads)  # (B, T, d_model)
    stages = {"Q": Q, "K": K, "V": V, "scores": scores, "heads": heads, "merged": merged}
    return switches.output(merged, W["O"], x), weights, stages


def cached_attention(x, W, num_heads, switches=RIGHT, cache_k=None, cache_v=None, is_causal=True):
    """Like self_attention, with cached keys and values (B, H_kv, T_cached, d_head) -> (output, all keys, all
    values)."""
    W, T, d_head = switches.matrices(W), x.shape[1], W["Q"].shape[1] // num_heads
    Q, K, V = (switches.split(t, t.shape[-1] // d_head) for t in project(x, W, switches))
    all_k, all_v = (K, V) if cache_k is None else switches.join_cache(K, V, cache_k, cache_v)
    keys, values = switches.repeat_k(all_k, num_heads), switches.repeat_v(all_v, num_heads)
    cached = 0 if cache_k is None else cache_k.shape[switches.cache_axis]
    is_causal = is_causal and (cache_k is None or switches.mask_with_cache)
    mask = causal_mask(T, keys.shape[2], cached, switches) if is_causal else None
    heads, _, _ = attend(Q, keys, values, mask, num_heads, switches)
    merged = switches.merge(heads, num_heads)  # (B, T, d_model)
    return (switches.output(merged, W["O"], x), *switches.returned(K, V, all_k, all_v))
