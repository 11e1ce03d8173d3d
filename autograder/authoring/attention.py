"""One attention with switches: every stage can be exchanged for a wrong one, so that most mistakes are one line.

No switch changed is the right answer (a test says so). Axes: B, T (T_q, T_k), H, d_model, d_head.
"""

import math
from dataclasses import dataclass, replace

import torch


@dataclass(frozen=True)
class Switches:
    """One word a stage; the defaults are right."""

    roles: str = "QKV"
    weights: str = ""
    split: str = "blocks"
    scale: str = "sqrt_d_head"
    causal: str = "future"
    padding: str = "keys"
    join_masks: str = "or"
    mask: str = "before"
    fill: str = "inf"
    softmax: str = "keys"
    merge: str = "blocks"
    output: str = "W_o"
    cache: str = "joined"
    align: str = "cache"
    groups: str = "interleave"


# ---- projections


def project(x, W, switches):
    """x (B, T, d_model), W {"Q": (d_model, d_model) used as x @ W, ...} -> Q, K, V (B, T, d_model)."""
    made = {"X": x}
    for letter in "QKV":
        weight = (
            W[letter].T
            if letter in switches.weights and W[letter].shape[0] == W[letter].shape[1]
            else W[letter]
        )
        made[letter] = x @ weight
    return [made[role] for role in switches.roles]


# ---- heads


def split_blocks(t, H):
    return t.unflatten(-1, (H, -1)).transpose(-3, -2)  # (B, H, T, d_head)


def split_plain_view(t, H):
    B, T, D = t.shape
    return t.reshape(B, H, T, D // H)


def split_interleaved(t, H):
    return t.unflatten(-1, (-1, H)).movedim(-1, -3)


SPLIT = {
    "blocks": split_blocks,
    "view": split_plain_view,
    "interleaved": split_interleaved,
    "reversed": lambda t, H: split_blocks(t, H).flip(1),
    "one_head": lambda t, H: t[:, None].expand(-1, H, -1, -1),
}
MERGE = {
    "blocks": lambda heads, H: heads.transpose(-3, -2).flatten(-2),  # (B, T, d_model)
    "view": lambda heads, H: heads.reshape(heads.shape[0], heads.shape[2], -1),
    "interleaved": lambda heads, H: heads.movedim(-3, -1).flatten(-2),
    "reversed": lambda heads, H: heads.flip(1).transpose(-3, -2).flatten(-2),
    "mean": lambda heads, H: heads.mean(-3).repeat(1, 1, H),
    "sum": lambda heads, H: heads.sum(-3).repeat(1, 1, H),
    "first": lambda heads, H: heads[:, 0].repeat(1, 1, H),
    "last": lambda heads, H: (
        torch.cat([torch.zeros_like(heads[:, :-1]), heads[:, -1:]], 1).transpose(1, 2).flatten(2)
    ),
}


# ---- scores


def scaled(Q, K, num_heads, scale):
    d_head, T_k = Q.shape[-1], K.shape[-2]
    raw = Q @ K.transpose(-2, -1)  # (B, H, T_q, T_k)
    divisor = {
        "sqrt_d_head": math.sqrt(d_head), "none": 1.0, "after_softmax": 1.0, "d_head": d_head, "times": 1 / math.sqrt(d_head),
        "sqrt_d_model": math.sqrt(d_head * num_heads), "sqrt_num_heads": math.sqrt(num_heads), "sqrt_T": math.sqrt(T_k), "T": T_k,
        "d_model": d_head * num_heads, "sqrt_B": math.sqrt(Q.shape[0]), "negative": -math.sqrt(d_head), "rounded": math.isqrt(d_head),
        "half_d_head": d_head / 2, "twice_d_head": 2 * d_head,
    }[scale]  # fmt: skip
    return raw / divisor


# ---- masks, True means masked


def causal_mask(T_q, T_k, cached, switches):
    i = torch.arange(T_q)[:, None] + (
        cached if switches.align in ("cache", "heads", "dropped_if_given") else 0
    )
    if switches.align == "late":
        i = i + cached + (1 if cached else 0)
    if switches.align == "new":
        i = i + T_q
    if switches.align == "early":
        i = i + max(cached - 1, 0)
    j = torch.arange(T_k)[None, :]
    rule = {
        "future": j > i,
        "diagonal": j >= i,
        "past": j < i,
        "late": j > i + 1,
        "none": (j < 0) & (i < 0),
        "inverted": j <= i,
    }
    mask = rule[switches.causal]
    if switches.align == "blocks_cached" and cached:
        mask = (j > i + cached) | (j < cached)
    return torch.zeros_like(mask) if switches.align == "dropped" and cached else mask


def padding_mask(lengths, T_q, T_k, switches):
    """(B, 1, 1, T_k), or on the query axis."""
    j, n = torch.arange(T_k)[None, :], lengths[:, None]
    rule = {
        "late": j > n,
        "early": j >= n - 1,
        "inverted": j < n,
        "left": j < T_k - n,
        "ignored": (j < 0) & (n < 0),
    }
    padded = rule.get(switches.padding, j >= n)
    if switches.padding == "first_example":
        padded = padded[:1].expand_as(padded)
    if switches.padding == "longest":
        padded = (j >= n.max()).expand_as(padded)
    if switches.padding in ("queries", "both") and T_q == T_k:
        rows = padded[:, None, :, None]
        return rows if switches.padding == "queries" else rows | padded[:, None, None, :]
    return padded[:, None] if switches.padding == "no_heads" else padded[:, None, None, :]


def joined(causal, padded, how):
    if causal is None or padded is None:
        return padded if causal is None else causal
    return {"or": causal | padded, "and": causal & padded, "causal_only": causal, "padding_only": padded}[how]


FILL = {"inf": -torch.inf, "finite": -1e9}
SMALL = {"fill_zero": 0.0, "fill_10": -10.0, "fill_100": -100.0, "fill_1000": -1000.0}


def masked(scores, mask, switches):
    """What enters the softmax, (B, H, T_q, T_k)."""
    how = switches.mask
    if mask is None or how in ("ignored", "after", "after_raw"):
        return scores
    if how == "product":
        return scores * ~mask
    if how == "added":
        return scores + mask
    if how == "zeros":
        kept = scores * ~mask
        return kept.masked_fill(kept == 0, FILL[switches.fill])
    return scores.masked_fill(~mask if how == "inverted" else mask, SMALL.get(how, FILL[switches.fill]))


def weights_of(scores, mask, switches):
    """Softmax of the masked scores, (B, H, T_q, T_k)."""
    how = switches.mask
    weights = SOFTMAX[switches.softmax](masked(scores, mask, switches))
    if mask is not None and how == "after":
        weights = weights.masked_fill(mask, 0)
    if mask is not None and how == "after_raw":
        weights = weights.masked_fill(mask, FILL[switches.fill])
    return weights


def shares(e, epsilon=0):
    """Each entry's share of its row."""
    return e / (e.sum(-1, keepdim=True) + epsilon)


WITHOUT_SHIFT = {
    "unstable": lambda s: shares(s.exp()),
    "unstable_mended": lambda s: torch.nan_to_num(shares(s.exp())),
    **{f"unstable_{eps}": lambda s, eps=eps: shares(s.exp(), eps) for eps in (1e-6, 1e-8, 1e-9, 1e-12)},
}
CLAMPED = {
    "clamped": lambda s: shares(s.clamp(-50, 50).exp()),
    "clamped_above": lambda s: shares(s.clamp(max=50).exp()),
    "clamped_then_masked": lambda s: shares(s.clamp(-50, 50).where(s > -1e8, s).exp()),
}
SOFTMAX = {
    "keys": lambda s: torch.softmax(s, -1),
    "queries": lambda s: torch.softmax(s, -2),
    "heads": lambda s: torch.softmax(s, -3),
    "batch": lambda s: torch.softmax(s, 0),
    "everything": lambda s: torch.softmax(s.flatten(-2), -1).reshape(s.shape),
    "none": lambda s: s,
    "sigmoid": torch.sigmoid,
    "no_exp": shares,
    "global_max": lambda s: shares((s - s.max()).exp()),
    **WITHOUT_SHIFT,
    **CLAMPED,
}


# ---- the whole


def attend(Q, K, V, mask, num_heads, switches):
    """Split heads in, (heads, weights, scores) out."""
    scores = scaled(Q, K, num_heads, switches.scale)
    weights = weights_of(scores, mask, switches)
    if switches.scale == "after_softmax":
        weights = weights / math.sqrt(Q.shape[-1])
    return weights @ V, weights, scores


def grouped(t, H, how):
    """(B, H_kv, T, d_head) -> (B, H, T, d_head): query head h uses kv head h // (H // H_kv)."""
    times = H // t.shape[1]
    return {
        "interleave": lambda: t.repeat_interleave(times, 1),
        "repeat": lambda: t.repeat(1, times, 1, 1),
        "first": lambda: t[:, :1].expand(-1, H, -1, -1),
        "none": lambda: t,
        "by_kv_heads": lambda: t.repeat_interleave(t.shape[1], 1),
        "tokens": lambda: t.repeat_interleave(times, 2),
    }[how]()


def changed(**switches):
    return replace(Switches(), **switches)


def output(merged, W_o, x, how):
    """The output projection; W_o is used as merged @ W_o."""
    if how == "none":
        return merged
    if how == "transposed":
        return merged @ W_o.T
    projected = merged @ W_o
    return projected + x if how == "residual" else projected


def self_attention(x, W, num_heads, switches, is_causal=False, lengths=None):
    """x (B, T, d_model), W {"Q", "K", "V", "O"} used as x @ W -> (output (B, T, d_model), weights (B, H, T, T), stages)."""
    T = x.shape[-2]
    Q, K, V = (SPLIT[switches.split](t, num_heads) for t in project(x, W, switches))
    causal = causal_mask(T, T, 0, switches) if is_causal else None
    padded = None if lengths is None else padding_mask(lengths, T, T, switches)
    mask = joined(causal, padded, switches.join_masks)
    heads, weights, scores = attend(Q, K, V, mask, num_heads, switches)
    merged = MERGE[switches.merge](heads, num_heads)  # (B, T, d_model)
    stages = {"Q": Q, "K": K, "V": V, "scores": scores, "heads": heads, "merged": merged}
    return output(merged, W["O"], x, switches.output), weights, stages


def cached_attention(x, W, num_heads, switches, cache_k=None, cache_v=None, is_causal=True):
    """As self_attention, with old keys and values (B, H_kv, T_cached, d_head) -> (output, all keys, all values)."""
    T, d_head = x.shape[1], W["Q"].shape[1] // num_heads
    Q, K, V = project(x, W, switches)
    Q, K, V = (SPLIT[switches.split](t, t.shape[-1] // d_head) for t in (Q, K, V))
    all_k, all_v = join_cache(K, V, cache_k, cache_v, switches.cache)
    cached = 0 if cache_k is None else cache_k.shape[1 if switches.align == "heads" else 2]
    dropped = switches.align == "dropped_if_given" and cache_k is not None
    how_k, how_v = {"k_repeat": ("repeat", "interleave"), "v_repeat": ("interleave", "repeat")}.get(
        switches.groups, (switches.groups,) * 2
    )
    many_k, many_v = grouped(all_k, num_heads, how_k), grouped(all_v, num_heads, how_v)
    mask = causal_mask(T, many_k.shape[2], cached, switches) if is_causal and not dropped else None
    heads, _, _ = attend(Q, many_k, many_v, mask, num_heads, switches)
    merged = MERGE[switches.merge](heads, num_heads)  # (B, T, d_model)
    returned = RETURNED.get(switches.cache, lambda k, v, all_k, all_v: (all_k, all_v))
    return (output(merged, W["O"], x, switches.output), *returned(K, V, all_k, all_v))


RETURNED = {
    "only_new_returned": lambda k, v, all_k, all_v: (k, v),
    "k_returned_as_v": lambda k, v, all_k, all_v: (all_k, all_k),
    "swapped_in_return": lambda k, v, all_k, all_v: (all_v, all_k),
    "last_returned": lambda k, v, all_k, all_v: (all_k[:, :, -1:], all_v[:, :, -1:]),
    "flattened": lambda k, v, all_k, all_v: (MERGE["blocks"](all_k, 0), MERGE["blocks"](all_v, 0)),
    "tokens_first": lambda k, v, all_k, all_v: (all_k.transpose(1, 2), all_v.transpose(1, 2)),
}


def join_cache(K, V, cache_k, cache_v, how):
    if cache_k is None or how == "ignored":
        return K, V
    if how == "k_in_both":
        cache_v = cache_k
    if how == "new_first":
        return torch.cat([K, cache_k], 2), torch.cat([V, cache_v], 2)
    if how == "v_new_first":
        return torch.cat([cache_k, K], 2), torch.cat([V, cache_v], 2)
    if how == "v_not_cached":
        return torch.cat([cache_k, K], 2), V
    axis = {"heads_axis": 1, "features_axis": 3, "batch_axis": 0}.get(how, 2)
    return torch.cat([cache_k, K], axis), torch.cat([cache_v, V], axis)
