"""The cache picture counts as the lesson's exercise and torch's own counter do."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from autograder.exercises import load
from course_utils.touch import cache
from course_utils.touch.cache import BYTES, RUNS, WORDS, cache_theatre, count

LARGE = {"layers": 80, "heads": 64, "head_dim": 128}


def flops(layer, *inputs):
    """(multiply-adds of a call, its result); torch counts two operations for each multiply-add."""
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        result = layer(*inputs)
    return counter.get_total_flops() // 2, result


@pytest.mark.parametrize("kv_heads", [1, 2, 3, 6])
def test_multiply_adds_equal_torchs_flop_counter(kv_heads):
    layer = load("GroupedQueryAttentionWithCache").implementation(12, 6, kv_heads)
    x = torch.randn(1, 5, 12)
    k = v = None
    cached = 0
    for chunk in x.split([3, 1, 1], dim=1):
        multiply_adds, (_, k, v) = flops(layer, chunk, k, v)
        cached += multiply_adds
    without = sum(flops(layer, x[:, :T])[0] for T in (3, 4, 5))
    assert count([3, 1, 1], 1, 6, 2, kv_heads) == (cached, without)
    assert count([3, 1, 1], 3, 6, 2, kv_heads) == (3 * cached, 3 * without)


# ---- in the browser


def moment(page, number):
    page.page.get_by_role("slider", name="moment").fill(str(number))
    page.frame()


@pytest.mark.parametrize("chunks", RUNS)
def test_the_page_counts_every_step_as_python_does(open_page, chunks):
    page = open_page(cache_theatre(WORDS, [chunks]))
    before = [0, 0]
    for step, new in enumerate(chunks):
        T = sum(chunks[: step + 1])
        counts = [cache.projections(T_q, 8, 32, 8) for T_q in (new, T)]
        whole = [
            part + cache.attention_ops(T_q, T, 8, 32) for part, T_q in zip(counts, (new, T), strict=True)
        ]
        for phase, now, token_count in ((1, counts, T - new), (2, whole, T - new), (3, whole, T)):
            moment(page, 3 * step + phase)
            assert page.numbers("now") == now
            assert page.numbers("all") == [a + b for a, b in zip(before, now, strict=True)]
            assert page.data("kept") == str(token_count)
            assert page.data("bytes") == str(cache.cache_bytes(token_count, 1, 32, 8))
        before = [a + b for a, b in zip(before, whole, strict=True)]
    assert tuple(before) == count(chunks, 1, 8, 32, 8)
    assert f"{before[0]:,}" in page.page.locator("table").inner_text()


KEYS_AND_VALUES = {"k0", "k1", "k2", "k3", "v0", "v1", "v2", "v3"}
VISIBLE = """() => [...document.querySelectorAll('.live svg text')].filter(text => text.style.opacity === '1'
    && /^[qkv]\\d$/.test(text.textContent)).map(text => text.textContent).join(' ')"""


def test_keys_and_values_stay_visible_and_queries_do_not(open_page):
    page = open_page(cache_theatre())
    lines = page.page.locator(".live svg line")

    def visible_labels():
        return set(page.page.evaluate(VISIBLE).split())

    moment(page, 5)
    assert visible_labels() == {"q3", *KEYS_AND_VALUES}
    assert lines.count() == 4
    moment(page, 6)
    assert visible_labels() == KEYS_AND_VALUES
    assert lines.count() == 0
    page.button("keep K and V").click()
    assert visible_labels() == set()
    moment(page, 5)
    assert visible_labels() == {"q0", "q1", "q2", "q3", *KEYS_AND_VALUES}
    assert "q, k and v of all" not in page.sentence()
    moment(page, 4)
    assert "q, k and v of all 4 tokens are computed" in page.sentence()


def test_a_chunk_of_two_tokens_is_one_step(open_page):
    page = open_page(cache_theatre())
    page.page.get_by_role("combobox", name="steps of").select_option("2 + 1 + 2")
    moment(page, 8)
    assert "Step 2, a chunk: each new query reads the keys" in page.sentence()
    assert page.page.locator(".live svg line").count() == 4 + 5


def test_bytes_follow_the_number_of_kv_heads(open_page):
    page = open_page(cache_theatre(**LARGE, kv_heads=64))
    moment(page, 9)
    slider = page.page.get_by_role("slider", name="kv heads")
    slider.focus()
    kv_cache_bytes = load("kv_cache_bytes").implementation
    for kv_heads in (64, 32, 16, 8, 4, 2, 1):
        assert slider.get_attribute("aria-valuetext") == str(kv_heads)
        assert page.numbers("bytes") == [kv_cache_bytes(1, 80, kv_heads, 5, 128)]
        assert page.numbers("long") == [kv_cache_bytes(1, 80, kv_heads, 8192, 128)]
        assert tuple(page.numbers("all")) == count([3, 1, 1], 80, 64, 128, kv_heads)
        page.press("ArrowRight")
    assert "320 MiB" in page.page.locator("table").inner_text()  # of 8192 tokens with one kv head


def test_a_full_static_cache_refuses_more_tokens(open_page):
    page = open_page(cache_theatre(max_len=4))
    moment(page, 6)
    assert (page.data("kept"), page.data("refused")) == ("4", "false")
    moment(page, 7)
    assert (page.data("kept"), page.data("refused")) == ("4", "true")
    assert page.sentence() == "ValueError: 1 token after 4 does not fit into 4. Nothing has changed."
    page.page.get_by_role("slider", name="max_len").fill("6")
    moment(page, 9)
    assert (page.data("kept"), page.data("refused")) == ("5", "false")
    written_by_cat = 2 * (3 + 4 + 5) * 256 * BYTES  # K and V are copied in each of three steps
    assert page.numbers("all") == [2 * 5 * 256 * BYTES, written_by_cat]
    assert "room for 6, 5 used" in page.page.locator("svg").text_content()
    page.page.get_by_role("slider", name="max_len").fill("1")
    assert (page.data("kept"), page.data("refused")) == ("0", "true")


@pytest.mark.parametrize(("count", "run", "last"), [(1, [1], 3), (10, [4, 6], 6)])
def test_one_and_ten_words_are_drawn_and_steps_must_add_up(open_page, count, run, last):
    page = open_page(cache_theatre("word " * count, [run], max_len=10))
    moment(page, last)
    assert page.data("kept") == str(count)
    with pytest.raises(ValueError, match=rf"the number of words, {count} \(at most 10\); got"):
        cache_theatre("word " * count, [[*run, 1]])
    with pytest.raises(ValueError, match=r"a divisor of heads \(8\); got 3"):
        cache_theatre(kv_heads=3)
