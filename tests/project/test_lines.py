"""`make lines` counts every code file once; the machinery and the tests may not grow."""

from collections import Counter

from tools import lines


def test_a_folder_with_too_many_lines_is_reported_but_content_is_not():
    counts = {room: Counter(lines=10**6 * (room in ("wild", "exercises"))) for room in lines.ROOMS}
    assert [text.split()[0] for text in lines.too_large(counts)] == ["wild"], "content is only counted"


def test_no_folder_exceeds_its_line_limit():
    assert lines.too_large(lines.counts_of(lines.ROOT)) == [], (
        "make it smaller, or raise `most` in tools/budgets.toml and say why in the commit"
    )
