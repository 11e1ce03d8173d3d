"""Attempts that were once named wrongly, or not at all: each gets the sentence that is true of it."""

import pytest
import torch

from autograder.grading.grade_object import grade
from course_utils.diagnose.visible import assess_visible
from tests.answers import named

SEED = 5
ALLOWED = "True where attention is *allowed*"
ATTENTION, CORE = "scaled_dot_product_attention", "multi_head_causal_attention"
ATTEMPTS = [
    ("split_heads", named.before_the_cut, "transposed_before_view", "Cut first"),
    ("merge_heads", named.merged_before_the_view, "view_and_wrong", "would not be enough"),
    (ATTENTION, named.all_for_torch, "mask_inverted_for_torch", "pass it ~mask"),
    (ATTENTION, named.causal_besides, "causal_beside_mask", "only the mask decides"),
    ("multi_head_attention_core", named.whole_values, "values_not_split", "V is not split"),
    ("MultiHeadSelfAttention", named.QueryRows, "padding_on_queries", "it masks keys"),
    ("GroupedQueryAttentionWithCache", named.OneQueryForAGroup, "queries_averaged", "with its own query"),
    ("masked_softmax", named.number_added, "number_added", "as if nothing were masked"),
    ("create_attention_mask", named.all_squeezed, "all_ones_squeezed", "the head axis, and the batch axis"),
    (ATTENTION, named.whole_root, "scale_rounded", "`int(d ** 0.5)`"),
    ("multi_head_attention", named.half, "scale_rounded", "`d // 2`"),
    (ATTENTION, named.twice, "softmax_twice", "applied twice"),
    (ATTENTION, named.reshaped, "k_reshaped", "K is reshaped"),
    ("multi_head_attention", named.last_head, "one_head_returned", "is a `return` inside the loop"),
    ("multi_head_attention", named.one_head, "one_wide_head", "as wide as the model"),
    (CORE, named.for_torch, "mask_inverted_for_torch", ALLOWED),
    ("CausalMultiHeadSelfAttention", named.Four, "mask_inverted_for_torch", ALLOWED),
    (CORE, named.both_interleaved, "split_and_merge_interleaved", "in turn, (d_head, H)"),
    (CORE, named.fresh, "fresh_layers", "creates `Linear` in every call"),
    ("CausalMultiHeadSelfAttention", named.Fused, "missing_name", "c_attn holds several projections"),
    ("split_heads", lambda x, num_heads: list(x.chunk(num_heads, -1)), "number_of_results", "torch.stack"),
    ("multi_head_attention", lambda Q, K, V, n: [Q, K], "number_of_results", "Make it one array: np."),
]


@pytest.mark.parametrize(("name", "answer", "mistake", "words"), ATTEMPTS)
def test_an_attempt_gets_the_sentence_that_is_true_of_it(name, answer, mistake, words):
    result = grade(name, answer, SEED)
    assert (result.passed, result.mistake) == (False, mistake), result.message
    assert words in result.message


@pytest.mark.parametrize(
    ("name", "answer", "text"),
    [
        ("kv_cache_bytes", named.bytes_of, "`bytes_per_value=4`, but should be `bytes_per_value=2`"),
        ("create_attention_mask", named.mask_of, "`is_causal=False`, but should be `is_causal=True`"),
    ],
)
def test_a_wrong_default_is_called_a_default(name, answer, text):
    result = assess_visible(name, answer)
    assert result.mistake == "wrong_default", result.message
    assert text in result.message


def test_a_mistake_about_a_default_says_more():
    assert assess_visible("softmax", lambda x, dim=0: torch.softmax(x, dim)).mistake == "default_not_last"
