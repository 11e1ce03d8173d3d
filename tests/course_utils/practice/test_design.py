"""The numbers in the answers to questions of design, worked out once more from published sizes."""

import re

import pytest

from autograder.exercises import load
from course_utils.practice.mock.plan import table

kv_cache_bytes = load("kv_cache_bytes").implementation
DESIGN = table("design")
WEIGHTS_8B, WEIGHTS_70B = 2 * 8_030_261_248, 2 * 70_553_706_496  # bytes: the published counts, in bfloat16
READ_8B, READ_70B = WEIGHTS_8B - 2 * 128256 * 4096, WEIGHTS_70B - 2 * 128256 * 8192  # without the embedding


def says(name, *parts):
    answer = " ".join(DESIGN[name]["answer"].split())
    missing = [part for part in " | ".join(parts).split(" | ") if part not in answer]
    assert missing == [], answer


@pytest.mark.parametrize(
    ("layers", "kv_heads", "kib"), [(80, 8, 320), (32, 8, 128), (32, 32, 512)], ids=["70B", "8B", "7B"]
)
def test_a_tokens_cache_is_that_of_the_lesson(layers, kv_heads, kib):
    assert kv_cache_bytes(1, layers, kv_heads, 1, 128, 2) == kib * 2**10


def test_users_of_a_70b():
    cache = 10 * 2**30  # 32768 tokens of 320 KiB
    fit = (0.9 * 8 * 80e9 - WEIGHTS_70B) // cache
    step = (READ_70B + 34 * cache) / (8 * 2.039e12)
    assert (fit, round(100 * cache / 1e9), round(1000 * step)) == (40, 1074, 31)
    scores = 80 * 4 * (32768**2 / 2) * 64 * 128
    prefill = 2 * (READ_70B / 2) * 32768 + scores
    assert round(prefill / 1e15, 1) == 6.0
    assert round(prefill / (8 * 312e12 / 2), 1) == 4.8
    says(
        "users_of_a_70b",
        "are 141 GB | 320 KiB | 10 GiB | 1,074 GB, 7.6 times the weights | 6.0 · 10¹⁵ | 4.8 s on 8 GPUs",
        "room for 40 users, so 3 replicas, 24 GPUs | With 34 users | at most 32 tokens per second",
        "at least 31 ms (8.5 ms of it for the weights)",
    )


def test_one_long_context():
    cache = 16 * 2**30
    item, two = ((READ_8B + n * cache) / 2.039e12 * 1000 for n in (1, 2))
    eight_bit_cache, eight_bit_weights = (READ_8B + cache) / 2.039e9, (READ_8B / 2 + 2 * cache) / 2.039e9
    assert item < 20 < two
    assert int((0.9 * 80e9 - WEIGHTS_8B) // cache) == 3
    says(
        "one_long_context",
        f"16 GiB or 17.2 GB | One user: at least {item:.1f} ms; two: {two:.1f} ms | memory has room for 3:",
        f"for two takes {eight_bit_cache:.1f} ms, which holds | alone it takes {eight_bit_weights:.1f} ms",
    )


def test_a_quarter_of_the_cache():
    assert 2 * 32 * 32 * 128 * 2 == 512 * 2**10
    assert 32 * (512 + 64) * 2 == 36 * 2**10
    says(
        "a_quarter_of_the_cache",
        "512 KiB per token | 8 kv heads: 128 KiB, a factor of 4 | 256 KiB, a factor of 2",
        "a factor of 8 at 32k | 36 KiB, a factor of 14",
    )


def test_where_time_goes():
    cache = 2**30  # 8192 tokens of 128 KiB
    prefill = (2 * (READ_8B / 2) * 8192 + 32 * 4 * (8192**2 / 2) * 4096) / 312e12
    step, many = ((READ_8B + n * cache) / 2.039e12 for n in (1, 32))
    share = 500 * step / (500 * step + prefill)
    says(
        "where_time_goes",
        f"{prefill:.2f} s at peak | a step takes {1000 * many:.0f} ms, 3 times as long",
        f"{1000 * step:.1f} ms, so 500 steps take {500 * step:.1f} s: {100 * share:.0f} % of the time",
        f"{32 / many:,.0f} tokens per second instead of {1 / step:.0f}",
        f"{100 * 32 * cache / (READ_8B + 32 * cache):.0f} % of what is read",
    )


def test_reserved_or_paged():
    token, free = 128 * 2**10, 0.9 * 80e9 - WEIGHTS_8B
    reserved, paged = free // (8192 * token), free // (63 * 16 * token)
    assert (reserved, paged) == (52, 423)
    says(
        "reserved_or_paged",
        "72 GB less 16 GB | leave 56 GB | 52 texts",
        "63 blocks, which is 1008 tokens or 132 MB: 423 texts, 8 times as many",
    )
    step = (READ_8B + 423 * 1000 * token) / 2.039e12
    assert f"at least {1000 * step:.0f} ms" in DESIGN["reserved_or_paged"]["follow"][0][1]


def test_no_answer_holds_a_float_with_more_digits_than_a_whiteboard_has():
    assert not [name for name, item in DESIGN.items() if re.search(r"\d\.\d{3,}", item["answer"])]
