"""An axis name on a crash card is never a coincidence."""

import pytest

from course_utils.diagnose.axes import NAMELESS, independent_sizes, sure_axes
from course_utils.model.sheet import load_sheet, published_names

SAME_AXIS = ("T", "max_len", "length")  # sizes of tokens, which may be equal
COINCIDE = {  # core cases in which two sizes are equal all the same; no new one comes in here
    "CausalMultiHeadSelfAttention": ["split_and_merge"],
    "DecoderBlock": ["prefill_then_steps"],
    "GroupedQueryAttentionWithCache": ["six_heads_two_groups", "prefill_then_steps", "chunks"],
    "LatentAttentionWithCache": ["prefill_then_steps"],
    "MultiHeadAttentionWithCache": ["no_cache", "prefill_then_steps", "chunks"],
    "MultiHeadSelfAttention": ["plain", "padded"],
    "RingKVCache": ["wraps_around", "token_by_token", "sinks_and_chunks"],
    "StaticKVCache": ["three_updates", "filled_to_the_end"],
    "attend_in_chunks": ["three_chunks"],
    "causal_attention_with_weights": ["four_heads"],
    "from_fused": ["equal_widths"],
    "multi_head_attention": ["identity"],
    "multi_head_attention_core": ["mask_for_each_example", "mask_for_each_head"],
    "next_token_probabilities": ["as_many_rows_as_tokens"],
    "trace_causal_attention": ["four_heads"],
}


def coincidences(case, wanted, contract):
    """{size: the names that have it}, where these are of different axes."""
    names = {}
    for name, size in independent_sizes(case, wanted, contract):
        names.setdefault(size, set()).add(name)
    several = {size: result for size, result in names.items() if size > 1 and len(result) > 1}
    return {s: result for s, result in several.items() if not all(n.startswith(SAME_AXIS) for n in result)}


def cases_of(name):
    sheet = load_sheet(name)
    rows = zip(sheet.cases, sheet.wanted, strict=True)
    return [(case, wanted, sheet.contract) for case, wanted in rows if not case.device]


@pytest.mark.parametrize("name", published_names())
def test_independent_sizes_of_a_core_case_differ(name):
    equal = [row[0].name for row in cases_of(name) if not row[0].edge and coincidences(*row)]
    assert set(equal) <= set(COINCIDE.get(name, ()))


@pytest.mark.parametrize("name", published_names())
def test_a_size_that_two_axes_have_gets_no_name(name):
    for row in cases_of(name):
        names = sure_axes(*row)
        assert not {size for size in coincidences(*row) if size in names}
        assert NAMELESS not in names.values()


def test_a_size_that_two_axes_have_together_gets_no_name():
    """Examples and heads folded into one: B * H is 2 * 3, and d_model is no name for 6 there."""
    (case, wanted, contract), *_ = cases_of("split_heads")
    names = sure_axes(case, wanted, contract)
    assert (names[2], names[3], names[12]) == ("B", "H", "d_model")  # d_model is H * d_head, not by chance
    assert 6 not in names
