"""`make lines` counts every code file once; the machinery may not grow without end."""

from collections import Counter

from tools import lines


def test_a_sum_of_lines_that_is_too_large_is_reported():
    counts = {room: Counter(lines=1) for room in lines.ROOMS}
    assert lines.too_large(counts) == []
    counts["wild"]["lines"] = counts["exercises"]["lines"] = 10**6
    assert [text.split()[0] for text in lines.too_large(counts)] == ["machinery"], "content is only counted"


def test_the_machinery_does_not_exceed_its_limit():
    assert lines.too_large(lines.counts_of(lines.ROOT)) == [], (
        "make it smaller, or raise the limit in tools/budgets.toml and say why in the commit"
    )
