"""What was answered is remembered as facts; what is asked again is worked out from them."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from course_utils.practice import log
from course_utils.practice.log import Fact, add_lines, in_order, recall, remember

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SKIPPED = (
    "Skipped, as damaged or of a newer version of the course: {} of .progress/predictions.jsonl. "
    "All others count."
)


def fact(name="a", after=0 * HOUR, right=False):
    return Fact(name, START + after, right)


def file_of(folder):
    return folder / ".progress" / "predictions.jsonl"


# ---- what is kept


def test_a_fact_is_one_plain_line(place):
    assert remember(fact()) is None
    assert json.loads(file_of(place).read_text()) == {
        "v": 1,
        "name": "a",
        "when": "2026-03-01T12:00:00.000Z",
        "right": False,
    }


def test_facts_come_back_in_the_order_of_time(place):
    facts = [fact("b", HOUR), fact("a"), fact("a", 2 * HOUR, right=True)]
    for item in facts:
        remember(item)
    assert recall() == ([facts[1], facts[0], facts[2]], [])


def test_what_other_lessons_kept_counts_here(place):
    other = place.parent / "01_second"
    other.mkdir()
    add_lines(file_of(other), [fact().to_line()])
    assert recall() == ([fact()], [])


def test_files_of_two_machines_are_put_together_in_any_order(place):
    ours, theirs = [fact("a"), fact("b", 3 * HOUR)], [fact("a"), fact("a", HOUR, right=True)]
    texts = ["".join(item.to_line() + "\n" for item in facts) for facts in (ours, theirs)]
    for text in (texts[0] + texts[1], texts[1] + texts[0]):
        file_of(place).parent.mkdir(exist_ok=True)
        file_of(place).write_text(text)
        assert recall() == ([fact("a"), fact("a", HOUR, right=True), fact("b", 3 * HOUR)], [])


def test_the_same_time_in_another_time_zone_is_the_same_fact():
    line = fact().to_line().replace("T12:00:00.000Z", "T14:00:00.000+02:00")
    assert in_order([log.Fact.from_line(line), fact()]) == [fact()]


# ---- what cannot be read or written


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        '{"v": 1}',
        fact().to_line()[:40],
        fact().to_line().replace('"a"', "3"),
        fact().to_line().replace("false", '"no"'),
        fact().to_line().replace(".000Z", ""),
        "[" * 100_000,
        "\x00\x00",
        "é" * 9,
    ],
)
def test_a_broken_line_costs_nothing_but_itself(place, line):
    add_lines(file_of(place), [fact("a").to_line(), line, fact("b", HOUR).to_line()])
    before = file_of(place).read_bytes()
    facts, message = recall()
    assert facts == [fact("a"), fact("b", HOUR)]
    assert message == [SKIPPED.format("1 line")]
    assert file_of(place).read_bytes() == before


def test_a_line_that_was_cut_off_does_not_take_the_next_one_along(place):
    add_lines(file_of(place), [fact("a").to_line()])
    with file_of(place).open("a") as file:
        file.write(fact("b").to_line()[:30])
    remember(fact("c", HOUR))
    assert recall()[0] == [fact("a"), fact("c", HOUR)]


def test_what_a_newer_version_wrote_is_kept_and_said(place):
    newer = fact("b").to_line().replace('"v": 1', '"v": 2')
    add_lines(file_of(place), [fact("a").to_line(), newer])
    remember(fact("c", HOUR))
    facts, message = recall()
    assert facts == [fact("a"), fact("c", HOUR)]
    assert message == [SKIPPED.format("1 line")]
    assert newer in file_of(place).read_text()


def test_where_nothing_can_be_written_it_is_remembered_until_the_kernel_stops(place):
    (place / ".progress").write_text("a file where the folder should be")
    assert remember(fact()) == (
        ".progress/predictions.jsonl cannot be written to: this counts until the kernel stops, "
        "but is not saved."
    )
    assert recall() == ([fact()], [])


def test_bytes_that_are_no_text_cost_nothing_else(place):
    add_lines(file_of(place), [fact("a").to_line()])
    with file_of(place).open("ab") as file:
        file.write(b"\xff\xfe\n" * 2)
    facts, message = recall()
    assert facts == [fact("a")]
    assert message == [SKIPPED.format("2 lines")]
