"""Known mistakes of attention that exercises share, as tables: "name: the sentence", then switches.

The switches are the fields of attention.Switches. A name may occur twice: two versions of a mistake with
different sentences.
"""

import math

import torch

from .attention import merge_blocks


def by_heading(lines):
    """Group a table: ("a: ...", x, y, "b: ...", z) -> ("a: ...", (x, y)), ("b: ...", (z,))."""
    starts = [place for place, line in enumerate(lines) if isinstance(line, str)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start], lines[start + 1 : end]


def table(*lines):
    """("name: sentence", switches, ...) -> {name: [(sentence, (switches, ...)), ...]}."""
    entries = {}
    for heading, ways in by_heading(lines):
        name, _, sentence = heading.partition(": ")
        entries.setdefault(name, []).append((sentence, ways))
    return entries


def in_two_fills(**switches):
    """The switches with two mask fills, as a fully masked row is NaN with -inf and uniform with -1e9."""
    return switches, switches | {"fill": -1e9}


def divided_by(divisor):
    """The switch that divides the scores by divisor(H, T_k, d_head)."""
    return {"divisor": lambda B, H, T, d: divisor(H, T, d)}


SCALE = table(
    "not_scaled: the scores are not scaled: divide Q K^T by sqrt(d_head)",
    divided_by(lambda H, T, d: 1),
    "scale_d_model: the scores are divided by sqrt(d_model): each head's dot product has d_head terms, so divide by sqrt(d_head)",
    divided_by(lambda H, T, d: math.sqrt(H * d)),
    "scale_d_head_no_root: the scores are divided by d_head: divide by its square root",
    divided_by(lambda H, T, d: d),
    "scale_multiplied: the scores are multiplied by sqrt(d_head): divide by it",
    divided_by(lambda H, T, d: 1 / math.sqrt(d)),
    "scale_num_heads: the scores are divided by sqrt(num_heads): divide by sqrt(d_head), the number of terms in each dot product",
    divided_by(lambda H, T, d: math.sqrt(H)),
    "scale_seq_len: the scores are divided by the square root of the number of tokens: divide by sqrt(d_head). Is a size read from the wrong axis?",
    divided_by(lambda H, T, d: math.sqrt(T)),
    "scale_power_first: the scores are divided by d_head / 2: `d ** 1/2` is (d ** 1) / 2. Write d ** 0.5",
    divided_by(lambda H, T, d: d / 2),
    "scale_power_first: the scores are divided by 2 * d_head: `/ d ** 1/2` divides by d and then by 2. Write d ** 0.5",
    divided_by(lambda H, T, d: 2 * d),
    "scale_rounded: the scores are divided by a whole number instead of sqrt(d_head), such as `int(d ** 0.5)` or `d // 2`: keep the root's fractional part, d_head ** 0.5",
    divided_by(lambda H, T, d: math.isqrt(d)),
    "scaled_after_softmax: the scale is applied after the softmax: divide the scores, before the softmax",
    {**divided_by(lambda H, T, d: 1), "on_weights": lambda w, mask, Q: w / math.sqrt(Q.shape[-1])},
)


def shares(e, epsilon=0.0):
    """Each entry's share of its row."""
    return e / (e.sum(-1, keepdim=True) + epsilon)


SOFTMAX = table(
    "softmax_over_queries: the softmax runs over the queries: each row (one query, all its keys) must sum to 1, so dim=-1",
    {"softmax": lambda s: torch.softmax(s, -2)},
    "softmax_over_heads: the softmax runs over the heads: each head has its own weights, dim=-1",
    {"softmax": lambda s: torch.softmax(s, -3)},
    "no_softmax: there is no softmax: the scores themselves are used as weights",
    {"softmax": lambda s: s},
    "softmax_twice: the softmax is applied twice: the first one already gives the weights",
    {"softmax": lambda s: torch.softmax(torch.softmax(s, -1), -1)},
    "global_max: the maximum of the whole tensor is subtracted, so a row far below it underflows to 0/0: subtract each row's own maximum, or use torch.softmax",
    {"softmax": lambda s: shares((s - s.max()).exp())},
    "unstable: `exp` without a shift overflows for large scores and is 0 for very low ones: subtract each row's maximum first",
    {"softmax": lambda s: shares(s.exp())},
    {"softmax": lambda s: torch.nan_to_num(shares(s.exp()))},
    {"softmax": lambda s: shares(s.exp(), 1e-9)},
)


def zeros_filled(scores, mask, fill):
    filled = scores * ~mask
    return filled.masked_fill(filled == 0, fill)


MASK = table(
    "mask_ignored: nothing is masked: is the mask passed on, and is the result of masked_fill (a new tensor) kept?",
    {"mask": lambda s, mask, fill: s},
    "mask_inverted: the mask is the wrong way round: the allowed positions are filled. True means masked",
    *in_two_fills(mask=lambda s, mask, fill: s.masked_fill(~mask, fill)),
    "mask_after_softmax: the mask is applied after the softmax, so the masked positions have already received weight and the rows no longer sum to 1: mask the scores, before the softmax",
    {
        "mask": lambda s, mask, fill: s,
        "on_weights": lambda w, mask, Q: w if mask is None else w.masked_fill(mask, 0),
    },
    "mask_added_as_number: the boolean mask is added to the scores, where True counts as 1: fill with -inf where it is True",
    {"mask": lambda s, mask, fill: s + mask},
    "mask_fills_zero: masked scores are filled with 0, and exp(0) = 1 still gets weight: fill with -inf",
    {"mask": lambda s, mask, fill: s.masked_fill(mask, 0.0)},
    "mask_small_fill: masked scores are filled with a constant that is not low enough: fill with -inf",
    {"mask": lambda s, mask, fill: s.masked_fill(mask, -10.0)},
    {"mask": lambda s, mask, fill: s.masked_fill(mask, -100.0)},
    {"mask": lambda s, mask, fill: s.masked_fill(mask, -1000.0)},
    "zeros_masked: every score that is 0 is masked, but an allowed score can be 0 as well: mask by position, masked_fill(mask, -inf), not by value",
    {"mask": zeros_filled},
)


def zeros_for_nan(weights, mask, Q):
    """Zero weights for a query whose keys are all disallowed, as torch's operator does. Here True in `mask`
    means allowed."""
    allowed = True if mask is None else mask.expand(weights.shape).any(-1, keepdim=True)
    return weights if allowed is True else torch.where(allowed, weights, 0)


K_RESHAPED = table(
    "k_reshaped: K is reshaped to (..., d_head, T_k), which keeps the order in memory and mixes tokens: transpose its last two axes, K.transpose(-2, -1)",
    {"turn": lambda K: K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])},
)
FOR_TORCH = table(
    "mask_inverted_for_torch: the mask is the wrong way round for the function that gets it: torch's scaled_dot_product_attention expects True where attention is *allowed* (pass it ~mask), your masked_softmax expects True where it is masked",
    *in_two_fills(mask=lambda s, mask, fill: s.masked_fill(~mask, fill), on_weights=zeros_for_nan),
)
CAUSAL = table(
    "diagonal_masked: each token is hidden from itself, and row 0 has no key left: the diagonal must stay visible (mask j > i, not j >= i)",
    *in_two_fills(causal=lambda i, j, cached, T: j >= i + cached),
    "past_masked: the past is masked instead of the future: key j is masked for query i when j > i",
    {"causal": lambda i, j, cached, T: j < i + cached},
    "causal_off_by_one: each token sees one token ahead: mask j > i, not j > i + 1",
    {"causal": lambda i, j, cached, T: j > i + cached + 1},
)


def zeros_for_masked_rows(weights, mask, Q):
    """Zero weights for a query whose keys are all masked, as masked_softmax does."""
    return weights if mask is None else weights.masked_fill(mask.all(-1, keepdim=True), 0)


def query_rows(padded):
    return padded[:, None, :, None]  # (B, 1, T_q, 1)


PADDING = table(
    "causal_missing: the future is not masked: key j is masked for query i when j > i",
    {"causal": lambda i, j, cached, T: (j < 0) & (i < 0)},
    "padding_off_by_one: the padding starts one position too late: position `length` is already padding",
    {"padding": lambda j, n: j > n},
    "padding_inverted: the padding is the wrong way round: mask the keys from position `length` on",
    *in_two_fills(padding=lambda j, n: j < n),
    "padding_ignored: key_padding_lengths has no effect: mask the keys from position `length` on",
    {"padding": lambda j, n: (j < 0) & (n < 0)},
    "padding_on_left: the padding is assumed to be on the left: the real tokens come first",
    *in_two_fills(padding=lambda j, n: j < j.shape[1] - n),
    "padding_on_queries: the padding masks query rows: it must mask keys, the columns, (B, 1, 1, T_k)",
    *in_two_fills(padding_place=query_rows),
    {"padding_place": query_rows, "on_weights": zeros_for_masked_rows},
    "padding_without_head_axis: the padding mask has no head axis, so its batch axis lines up with the heads: make it (B, 1, 1, T_k)",
    {"padding_place": lambda padded: padded[:, None]},
    "padding_without_axes: the padding is combined with another tensor without the axes it needs: compare the positions (T,) with lengths[:, None], which gives (B, T), and turn that into (B, 1, 1, T_k), so that it fits (B, H, T_q, T_k)",
    {"padding_place": lambda padded: padded},
    {
        "padding_place": lambda padded: (
            padded | torch.zeros(padded.shape[1], padded.shape[1], dtype=torch.bool)
        )
    },
    "causal_dropped_when_padded: the future is no longer masked when there is padding: a position is masked when it is in the future OR padding",
    {"join_masks": lambda causal, padded: padded},
    "padding_dropped_when_causal: the padding is no longer masked when is_causal is set: a position is masked when it is in the future OR padding",
    {"join_masks": lambda causal, padded: causal},
    "masks_joined_with_and: the two masks are combined with AND: a position is masked when it is in the future OR padding",
    {"join_masks": torch.logical_and},
)


def split_plain_view(t, H):
    B, T, d_model = t.shape
    return t.reshape(B, H, T, d_model // H)


def split_interleaved(t, H):
    return t.unflatten(-1, (-1, H)).movedim(-1, -3)


def merge_plain_view(heads, H):
    return heads.reshape(heads.shape[0], heads.shape[2], -1)


def merge_interleaved(heads, H):
    return heads.movedim(-3, -1).flatten(-2)


def merge_last(heads, H):
    """Keep the last head in its place, with zeros for the other heads."""
    return merge_blocks(torch.cat([torch.zeros_like(heads[:, :-1]), heads[:, -1:]], 1), H)


SPLIT = table(
    "split_without_transpose: the heads are split by a plain view: view as (B, T, H, d_head) first, then transpose. Viewing directly as (B, H, T, d_head) mixes tokens",
    {"split": split_plain_view},
    "split_interleaved: the features are dealt out to the heads in turn, (d_head, H): head h must hold the block of features h*d_head to (h+1)*d_head",
    {"split": split_interleaved},
    "split_and_merge_without_transpose: split and merge are both plain views: they undo each other, but each head works on a mixture of tokens",
    {"split": split_plain_view, "merge": merge_plain_view},
)
WIDE = table(
    "one_wide_head: there is only one head, as wide as the model: split before attending",
    {"split": lambda t, H: t[:, None], "merge": lambda heads, H: heads[:, 0]},
)
MERGE = table(
    "merge_without_transpose: the heads are merged without transposing back: (B, H, T, d_head) must become (B, T, H, d_head) before the reshape",
    {"merge": merge_plain_view},
    "merge_interleaved: the heads are merged feature by feature, (d_head, H): each head's d_head features must stay together",
    {"merge": merge_interleaved},
    "split_and_merge_interleaved: split and merge both deal out the features in turn, (d_head, H): head h must hold the block of features h*d_head to (h+1)*d_head",
    {"split": split_interleaved, "merge": merge_interleaved},
    "merge_reversed: the heads are merged in reverse order",
    {"merge": lambda heads, H: merge_blocks(heads.flip(1), H)},
    "heads_averaged: the heads are averaged: concatenate them along the features",
    {"merge": lambda heads, H: heads.mean(-3).repeat(1, 1, H)},
    "heads_summed: the heads are summed: concatenate them along the features",
    {"merge": lambda heads, H: heads.sum(-3).repeat(1, 1, H)},
    "only_first_head: only the first head's result is used: concatenate all of them",
    {"merge": lambda heads, H: heads[:, 0].repeat(1, 1, H)},
    "only_last_head: only the last head reaches the output, as if each head overwrote the one before: concatenate all of them, or add up their projections",
    {"merge": merge_last},
)
ROLES = table(
    "q_and_k_swapped: queries and keys are swapped (or K Q^T is computed): row i of the scores is query i against all keys, Q K^T",
    {"roles": "KQV"},
    "k_for_q: the keys are used as queries too: the scores are Q K^T, from two different tensors",
    {"roles": "KKV"},
    "q_for_k: the queries are used as keys too: the scores are Q K^T, from two different tensors",
    {"roles": "QQV"},
    "k_for_v: the keys are used as values: the weights must mix the rows of V",
    {"roles": "QKK"},
    "v_for_k: the values are used as keys: the scores are Q K^T",
    {"roles": "QVV"},
    "k_and_v_swapped: keys and values are swapped: the scores are Q K^T, and the weights must mix the rows of V",
    {"roles": "QVK"},
)


def output_transposed(merged, W_o, x):
    return merged @ W_o.T


OUTPUT = table(
    "no_output_projection: the output projection is missing: the merged heads go through it last",
    {"output": lambda merged, W_o, x: merged},
    "output_transposed: the output projection is applied transposed",
    {"output": output_transposed},
    "input_added: the input is added to the result: the residual connection belongs to the block around the attention",
    {"output": lambda merged, W_o, x: merged @ W_o + x},
)
PROJECTED = OUTPUT | table(
    "v_for_o: the value projection is used again as the output projection: the merged heads have one of their own",
    {"matrices": lambda W: {**W, "O": W["V"]}},
    "diagonal_of_weights: only the diagonal of each weight is used, as with a repeated index in einsum: name the two axes of a weight differently, and sum over the one that x shares",
    {"matrices": lambda W: {letter: torch.diag(w.diagonal()) for letter, w in W.items()}},
    "v_not_projected: V is x itself: the values have their own projection",
    {"roles": "QKX"},
    "nothing_projected: x is split without being projected: project it with the query, key and value weights first",
    {"roles": "XXX"},
    "weights_transposed: the weights are applied transposed (x @ W.T instead of x @ W, or the other way round): nn.Linear stores (out, in) and computes x @ weight.T",
    {"transposed": "QKV", "output": output_transposed},
    "qkv_transposed: the query, key and value weights are applied transposed",
    {"transposed": "QKV"},
)
CACHE_MASK = table(
    "mask_ignores_cache: the mask ignores the cache: query i of the chunk is at position cache_len + i, so a top-left mask hides cached keys",
    {"causal": lambda i, j, cached, T: j > i},
    "cache_mask_late: with a cache, each new token sees one token ahead: the offset of the queries is one too large",
    {"causal": lambda i, j, cached, T: j > i + cached + (cached > 0)},
    "cached_keys_masked: cached keys get no weight (masked, or joined only after the attention): they lie in the past and must stay visible",
    {"causal": lambda i, j, cached, T: (j > i + cached) | (j < cached)},
    "offset_by_new: the queries are offset by the number of new tokens: query i of the chunk is at position cache_len + i",
    {"causal": lambda i, j, cached, T: j > i + T},
    "chunk_not_masked: with a cache, nothing is masked: in a chunk of several new tokens, earlier ones must not see later ones",
    {"causal": lambda i, j, cached, T: (j > i) & (cached == 0)},
    {"mask_with_cache": False},
    "cached_from_heads: the number of cached tokens is read from axis 1, the heads: it is cache_k.shape[2]",
    {"cache_axis": 1},
)


def join(k_parts, v_parts, axis=2):
    """The switch that joins these parts, in order, to keys and to values: K, V are new, k, v cached."""

    def join_cache(K, V, cache_k, cache_v):
        parts = {"K": K, "V": V, "k": cache_k, "v": cache_v}
        return tuple(torch.cat([parts[name] for name in names], axis) for names in (k_parts, v_parts))

    return {"join_cache": join_cache}


CACHE = table(
    "cache_new_before_old: the new keys and values are put before the cached ones: cached tokens come first",
    join("Kk", "Vv"),
    "only_new_returned: only the new keys and values are returned: the next call needs all of them, old and new",
    {"returned": lambda K, V, all_k, all_v: (K, V)},
    "k_returned_as_v: the keys are returned instead of the values",
    {"returned": lambda K, V, all_k, all_v: (all_k, all_k)},
    "k_and_v_swapped_in_return: keys and values are returned in the wrong order: return (output, new_cache_k, new_cache_v)",
    {"returned": lambda K, V, all_k, all_v: (all_v, all_k)},
    "cached_k_as_v: the cached keys are used as the cached values: join V with cache_v",
    join("kK", "kV"),
    "cache_ignored: the cache has no effect: its keys and values must be joined to the new ones",
    join("K", "V"),
    "v_not_cached: the cached values are not joined: K and V both need their cached part",
    join("kK", "V"),
    "cache_tokens_first: the cache has the axes (B, T, H, d_head): expected (B, H, T, d_head)",
    {"returned": lambda K, V, all_k, all_v: (all_k.transpose(1, 2), all_v.transpose(1, 2))},
    "cache_joined_on_heads: old and new are joined along the heads (dim=1): join along the tokens, dim=2",
    join("kK", "vV", axis=1),
)
LAYER = (
    *("no_softmax", "softmax_twice", "heads_averaged"),
    *(
        "not_scaled",
        "scale_d_model",
        "scale_d_head_no_root",
        "scale_num_heads",
        "scale_seq_len",
        "scale_rounded",
    ),
    *(
        "softmax_over_queries",
        "softmax_over_heads",
        "global_max",
        "unstable",
        *MASK,
        "mask_inverted_for_torch",
    ),
    *(
        *SPLIT,
        "merge_without_transpose",
        "merge_interleaved",
        "split_and_merge_interleaved",
        "only_last_head",
    ),
    *("q_and_k_swapped", "k_for_q", "q_for_k", "k_for_v", "k_and_v_swapped", "k_reshaped", *PROJECTED),
)
ALL = SCALE | SOFTMAX | MASK | K_RESHAPED | FOR_TORCH | CAUSAL | PADDING | SPLIT | WIDE | MERGE | ROLES
ALL |= PROJECTED | CACHE_MASK | CACHE
