"""`make lines` counts all code of a room once; machinery and tests, not content, may not grow."""

from collections import Counter
from pathlib import Path

from tools import lines


def test_a_file_belongs_to_the_nearest_room_around_it():
    places = {
        "course_utils/check.py": "course_utils, the rest",
        "course_utils/observe/crash/frames.py": "observe",
        "autograder/term/points.py": "term",
        "tests/answers/right/softmax.py": "sample programs",
    }
    assert {path: lines.room_of(Path(path)) for path in places} == places


def test_layout_and_comments_are_not_tokens():
    dense, airy = "x = f(1, 2)\n", "# a comment\n\nx = f(\n    1, 2\n)\n"
    assert lines.measures(dense) == {"lines": 1, "statements": 1, "tokens": 9}
    assert lines.measures(airy) == {"lines": 5, "statements": 1, "tokens": 9}


def test_a_room_that_is_too_large_is_named():
    counts = {room: Counter(lines=10**6 * (room in ("wild", "exercises"))) for room in lines.ROOMS}
    assert [text.split()[0] for text in lines.too_large(counts)] == ["wild"], "content is only counted"


def test_no_room_grows():
    assert lines.too_large(lines.counts_of(lines.ROOT)) == [], (
        "make it smaller, or say in the commit why it may grow"
    )
