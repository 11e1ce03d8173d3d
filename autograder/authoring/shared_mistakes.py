"""Known mistakes as switches of the pipeline: (name, the sentence the student reads, switches). Shared by all exercises."""

from .attention import CLAMPED, WITHOUT_SHIFT

SCALE = [
    ("not_scaled", "the scores are not scaled: divide Q K^T by sqrt(d_head)", {"scale": "none"}),
    (
        "scale_d_model",
        "the scores are divided by sqrt(d_model): each head's dot product has d_head terms, so divide by sqrt(d_head)",
        {"scale": "sqrt_d_model"},
    ),
    (
        "scale_d_head_no_root",
        "the scores are divided by d_head: divide by its square root",
        {"scale": "d_head"},
    ),
    (
        "scale_d_model_no_root",
        "the scores are divided by d_model: divide by sqrt(d_head)",
        {"scale": "d_model"},
    ),
    ("scale_multiplied", "the scores are multiplied by sqrt(d_head): divide by it", {"scale": "times"}),
    (
        "scale_num_heads",
        "the scores are divided by sqrt(num_heads): divide by sqrt(d_head), the number of terms in each dot product",
        {"scale": "sqrt_num_heads"},
    ),
    (
        "scale_seq_len",
        "the scores are divided by the square root of the number of tokens: divide by sqrt(d_head). Is a size read from the wrong axis?",
        {"scale": "sqrt_T"},
    ),
    (
        "scale_seq_len_no_root",
        "the scores are divided by the number of tokens: divide by sqrt(d_head)",
        {"scale": "T"},
    ),
    (
        "scale_power_first",
        "the scores are divided by d_head / 2: `d ** 1/2` is (d ** 1) / 2. Write d ** 0.5",
        {"scale": "half_d_head"},
    ),
    (
        "scale_power_first",
        "the scores are divided by 2 * d_head: `/ d ** 1/2` divides by d and then by 2. Write d ** 0.5",
        {"scale": "twice_d_head"},
    ),
    (
        "scaled_after_softmax",
        "the scale is applied after the softmax: divide the scores, before it",
        {"scale": "after_softmax"},
    ),
    ("scores_negated", "the scores have the wrong sign", {"scale": "negative"}),
]
ROUNDED = [
    (
        "scale_rounded",
        "sqrt(d_head) is rounded down to a whole number: keep its fraction, d_head ** 0.5",
        {"scale": "rounded"},
    )
]
SOFTMAX = [
    (
        "softmax_over_queries",
        "the softmax runs over the queries: each row (one query, all its keys) must sum to 1, so dim=-1",
        {"softmax": "queries"},
    ),
    (
        "softmax_over_heads",
        "the softmax runs over the heads: each head has its own weights, dim=-1",
        {"softmax": "heads"},
    ),
    (
        "softmax_over_everything",
        "the softmax runs over all queries and keys together: each row must sum to 1, dim=-1",
        {"softmax": "everything"},
    ),
    ("no_softmax", "there is no softmax: the scores themselves are used as weights", {"softmax": "none"}),
    (
        "sigmoid_for_softmax",
        "a sigmoid stands where the softmax belongs: each row must sum to 1",
        {"softmax": "sigmoid"},
    ),
    (
        "softmax_without_exp",
        "the scores are divided by their sum without exp: that is not a softmax",
        {"softmax": "no_exp"},
    ),
    (
        "global_max",
        "the maximum of the whole tensor is subtracted: a row far below it underflows to 0/0. Subtract each row's own maximum, or use torch.softmax",
        {"softmax": "global_max"},
    ),
]
BATCH_SOFTMAX = [
    (
        "softmax_over_batch",
        "the softmax runs over the first axis, the examples: dim=-1 is wanted",
        {"softmax": "batch"},
    )
]
UNSTABLE = [
    *[
        (
            "unstable",
            "`exp` without a shift overflows for large scores and is 0 for very low ones: subtract each row's maximum first",
            {"softmax": how},
        )
        for how in WITHOUT_SHIFT
    ],
    *[
        (
            "scores_clamped",
            "the scores are cut off at a limit before `exp`, so that all beyond it count the same: subtract each row's maximum, which changes no weight",
            {"softmax": how},
        )
        for how in CLAMPED
    ],
]
MASK = [
    (
        "mask_ignored",
        "the mask has no effect, as if there were none: is it handed on, and is the result of masked_fill kept? (It is a new tensor)",
        {"mask": "ignored"},
    ),
    (
        "mask_inverted",
        "the mask is the wrong way round: the allowed positions are filled. True means masked",
        {"mask": "inverted"},
    ),
    (
        "mask_after_softmax",
        "the mask is applied after the softmax, so the masked positions took their share: the rows no longer sum to 1. Mask the scores, before it",
        {"mask": "after"},
    ),
    (
        "mask_added_as_number",
        "the boolean mask is added to the scores, where True counts as 1: fill with -inf where it is True",
        {"mask": "added"},
    ),
    (
        "mask_fills_zero",
        "masked scores are filled with 0, and exp(0) = 1 is a full share: fill with -inf",
        {"mask": "fill_zero"},
    ),
    (
        "mask_small_fill",
        "masked scores are filled with a constant that is not low enough: fill with -inf",
        {"mask": "fill_10"},
    ),
    (
        "mask_small_fill",
        "masked scores are filled with a constant that is not low enough: fill with -inf",
        {"mask": "fill_100"},
    ),
    (
        "mask_small_fill",
        "masked scores are filled with a constant that is not low enough: fill with -inf",
        {"mask": "fill_1000"},
    ),
    (
        "zeros_masked",
        "every score that is 0 is masked, and an allowed score can be 0 as well: mask by position, masked_fill(mask, -inf), not by value",
        {"mask": "zeros"},
    ),
]
CAUSAL = [
    (
        "diagonal_masked",
        "each token is hidden from itself: the diagonal stays visible (j > i is masked, not j >= i); row 0 has no key left",
        {"causal": "diagonal"},
    ),
    (
        "past_masked",
        "the past is masked instead of the future: key j is masked for query i when j > i",
        {"causal": "past"},
    ),
    (
        "causal_off_by_one",
        "each token sees one token of its future: mask j > i, not j > i + 1",
        {"causal": "late"},
    ),
]
NOT_CAUSAL = [
    ("causal_missing", "the future is not masked: key j is masked for query i when j > i", {"causal": "none"})
]
PADDING = [
    (
        "padding_off_by_one",
        "the padding starts one too late: position `length` itself is padding already",
        {"padding": "late"},
    ),
    (
        "padding_early",
        "the padding starts one too early: the last real key is masked too",
        {"padding": "early"},
    ),
    (
        "padding_inverted",
        "the padding is the wrong way round: keys from the length on are masked",
        {"padding": "inverted"},
    ),
    (
        "padding_ignored",
        "key_padding_lengths has no effect: keys from the length on are masked",
        {"padding": "ignored"},
    ),
    (
        "padding_on_left",
        "the padding is taken to be on the left: the real tokens come first",
        {"padding": "left"},
    ),
    (
        "padding_on_queries",
        "padding masks query rows: it masks keys, the columns, (B, 1, 1, T_k)",
        {"padding": "queries"},
    ),
    (
        "padding_both_sides",
        "padding masks query rows too: it masks keys only, so that a padded row is not fully masked",
        {"padding": "both"},
    ),
    (
        "padding_without_head_axis",
        "the padding mask has no head axis, so that its examples line up with the heads: it is (B, 1, 1, T_k)",
        {"padding": "no_heads"},
    ),
    (
        "padding_longest",
        "every example gets the longest one's padding: compare with lengths[:, None]",
        {"padding": "longest"},
    ),
    ("padding_first_example", "every example gets the first one's padding", {"padding": "first_example"}),
    (
        "causal_dropped_when_padded",
        "the future is no longer masked when there is padding: a position is masked when it is future OR padding",
        {"join_masks": "padding_only"},
    ),
    (
        "padding_dropped_when_causal",
        "the padding is no longer masked when is_causal is set: a position is masked when it is future OR padding",
        {"join_masks": "causal_only"},
    ),
    (
        "masks_joined_with_and",
        "the two masks are joined with AND: a position is masked when it is future OR padding",
        {"join_masks": "and"},
    ),
]
SPLIT = [
    (
        "split_without_transpose",
        "the heads are split by a plain view: view as (B, T, H, d_head) first, then transpose. A plain (B, H, T, d_head) puts several tokens' features into one head",
        {"split": "view"},
    ),
    (
        "split_interleaved",
        "the features are dealt out to the heads in turn, (d_head, H): head h holds the block of features h*d_head to (h+1)*d_head",
        {"split": "interleaved"},
    ),
    (
        "split_and_merge_without_transpose",
        "split and merge are both plain views: they undo each other, but each head works on a mixture of tokens",
        {"split": "view", "merge": "view"},
    ),
]
MERGE = [
    (
        "merge_without_transpose",
        "the heads are merged without transposing back: (B, H, T, d_head) must become (B, T, H, d_head) before the reshape",
        {"merge": "view"},
    ),
    (
        "merge_interleaved",
        "the heads are merged feature by feature, (d_head, H): each head's d_head features stay together",
        {"merge": "interleaved"},
    ),
    ("merge_reversed", "the heads are merged in reverse order", {"merge": "reversed"}),
    ("heads_averaged", "the heads are averaged: concatenate them along the features", {"merge": "mean"}),
    ("heads_summed", "the heads are summed: concatenate them along the features", {"merge": "sum"}),
    ("only_first_head", "only the first head's result is used: concatenate all of them", {"merge": "first"}),
    (
        "only_last_head",
        "only the last head reaches the output, as if each head overwrote the one before: concatenate all of them, or add up their projections",
        {"merge": "last"},
    ),
]
ROLES = [
    (
        "q_and_k_swapped",
        "queries and keys are swapped (or K Q^T is taken): row i of the scores is query i against all keys, Q K^T",
        {"roles": "KQV"},
    ),
    (
        "k_for_q",
        "the keys are used as queries too: the scores are Q K^T, from two different tensors",
        {"roles": "KKV"},
    ),
    (
        "q_for_k",
        "the queries are used as keys too: the scores are Q K^T, from two different tensors",
        {"roles": "QQV"},
    ),
    ("k_for_v", "the keys are used as values: the weights mix the rows of V", {"roles": "QKK"}),
    ("q_for_v", "the queries are used as values: the weights mix the rows of V", {"roles": "QKQ"}),
    ("v_for_k", "the values are used as keys: the scores are Q K^T", {"roles": "QVV"}),
    ("v_for_q", "the values are used as queries: the scores are Q K^T", {"roles": "VKV"}),
    (
        "k_and_v_swapped",
        "keys and values are swapped: the scores are Q K^T, and the weights mix the rows of V",
        {"roles": "QVK"},
    ),
]
UNPROJECTED = [
    ("v_not_projected", "V is x itself: the values have a projection of their own", {"roles": "QKX"}),
    ("q_not_projected", "Q is x itself: the queries have a projection of their own", {"roles": "XKV"}),
    ("k_not_projected", "K is x itself: the keys have a projection of their own", {"roles": "QXV"}),
    (
        "nothing_projected",
        "x is split before (or instead of) projecting: project with the query, key and value weights first",
        {"roles": "XXX"},
    ),
]
TRANSPOSED = [
    (
        "weights_transposed",
        "the weights are used transposed (x @ W.T for x @ W, or the other way round): nn.Linear keeps (out, in) and computes x @ weight.T",
        {"weights": "QKV", "output": "transposed"},
    ),
    ("qkv_transposed", "the query, key and value weights are used transposed", {"weights": "QKV"}),
    ("v_weight_transposed", "the value weight is used transposed", {"weights": "V"}),
]
OUTPUT = [
    (
        "no_output_projection",
        "the output projection is missing: the merged heads go through it last",
        {"output": "none"},
    ),
    ("output_transposed", "the output projection is used transposed", {"output": "transposed"}),
    (
        "input_added",
        "the input is added to the result: the residual connection belongs to the block around the attention",
        {"output": "residual"},
    ),
]
CACHE_MASK = [
    (
        "mask_ignores_cache",
        "the mask ignores the cache: query i of the chunk stands at position cache_len + i, so a top-left mask hides cached keys",
        {"align": "top_left"},
    ),
    (
        "cache_mask_late",
        "with a cache each new token sees one token of its future: the offset of the queries is one too large",
        {"align": "late"},
    ),
    (
        "cache_mask_early",
        "with a cache each new token is hidden from itself: the offset of the queries is one too small",
        {"align": "early"},
    ),
    (
        "cached_keys_masked",
        "cached keys get no weight (masked, or joined only after the attention): they lie in the past and stay visible",
        {"align": "blocks_cached"},
    ),
    (
        "offset_by_new",
        "the queries are placed behind as many tokens as are new: query i of the chunk stands at position cache_len + i",
        {"align": "new"},
    ),
    (
        "chunk_not_masked",
        "with a cache nothing is masked: in a chunk of several new tokens, earlier ones must not see later ones",
        {"align": "dropped"},
    ),
    (
        "chunk_not_masked",
        "with a cache nothing is masked: in a chunk of several new tokens, earlier ones must not see later ones",
        {"align": "dropped_if_given"},
    ),
    (
        "cached_from_heads",
        "the number of cached tokens is read from the heads, axis 1: it is cache_k.shape[2]",
        {"align": "heads"},
    ),
]
CACHE = [
    (
        "cache_new_before_old",
        "the new keys and values are put before the old ones: cached tokens come first",
        {"cache": "new_first"},
    ),
    (
        "cache_v_new_before_old",
        "the values are joined in the order new, old: they must stand in the order of the keys",
        {"cache": "v_new_first"},
    ),
    (
        "only_new_returned",
        "only the new keys and values are returned: the next call needs all of them, old and new",
        {"cache": "only_new_returned"},
    ),
    ("k_returned_as_v", "the keys are returned in the place of the values", {"cache": "k_returned_as_v"}),
    (
        "k_and_v_swapped_in_return",
        "keys and values are returned in the wrong order: (output, new_cache_k, new_cache_v)",
        {"cache": "swapped_in_return"},
    ),
    ("cached_k_as_v", "the cached keys are used as old values: join V with cache_v", {"cache": "k_in_both"}),
    (
        "cache_ignored",
        "the cache has no effect: its keys and values must be joined to the new ones",
        {"cache": "ignored"},
    ),
    (
        "only_last_returned",
        "only the last token's keys and values are returned: the next call needs all of them",
        {"cache": "last_returned"},
    ),
    (
        "cache_merged",
        "the cache is returned with its heads merged: it is (B, H, T, d_head), after the split",
        {"cache": "flattened"},
    ),
    (
        "cache_tokens_first",
        "the cache has the axes (B, T, H, d_head): expected (B, H, T, d_head)",
        {"cache": "tokens_first"},
    ),
    (
        "cache_joined_on_heads",
        "old and new are joined along the heads (dim=1): join along the tokens, dim=2",
        {"cache": "heads_axis"},
    ),
    (
        "cache_joined_on_features",
        "old and new are joined along the features (dim=-1): join along the tokens, dim=2",
        {"cache": "features_axis"},
    ),
    (
        "v_not_cached",
        "the old values are not joined: K and V both need their cached part",
        {"cache": "v_not_cached"},
    ),
]
