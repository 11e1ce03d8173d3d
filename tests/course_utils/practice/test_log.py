"""Answers are recorded as facts, in files to which lines are only added."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from course_utils import bug_hunt, check, flashcards, interview, predict
from course_utils.practice import log
from course_utils.practice.log import Fact, add_lines, now, recall, remember

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def fact(name="a", after=0 * HOUR, right=False):
    return Fact(name, START + after, right)


LINE = fact().to_line()


@pytest.fixture
def file(place):
    return place / ".progress" / "predictions.jsonl"


def test_facts_are_json_lines_and_recalled_once_from_all_lessons_in_order_of_time(file, place):
    facts = [fact("b", HOUR), fact("a"), fact("a", 2 * HOUR, right=True), Fact("c", now(), True)]
    for item in facts:
        remember(item)
    plain = {"v": 1, "name": "b", "when": "2026-03-01T13:00:00.000Z", "right": False}
    assert json.loads(file.read_text().splitlines()[0]) == plain
    (place.parent / "01_second").mkdir()
    elsewhere = LINE.replace("T12:00:00.000Z", "T14:00:00.000+02:00")
    at_once = [fact(name, 4 * HOUR, right) for name in "defg" for right in (False, True)]
    other_lines = [elsewhere, *(item.to_line() for item in reversed(at_once))]
    add_lines(place.parent / "01_second" / ".progress" / "predictions.jsonl", other_lines)
    assert recall() == [facts[1], facts[0], facts[2], *at_once, facts[3]]
    assert log.take_notes() == []


@pytest.mark.parametrize(
    "line",
    [
        "{", "[]", "null", '{"v": 1}', LINE[:40], LINE.replace('"a"', "3"), LINE.replace("false", '"no"'),
        LINE.replace(".000Z", ""), "[" * 100_000, "\x00\x00", "é" * 9, LINE.replace('"v": 1', '"v": 2'),
        b"\xff\xfe",
    ],
)  # fmt: skip
def test_a_broken_or_newer_line_is_skipped_reported_and_kept_in_the_file(file, line):
    line = line if isinstance(line, bytes) else line.encode()
    file.parent.mkdir()
    file.write_bytes(b"\n".join([fact("a").to_line().encode(), line, b""]))
    remember(fact("b", HOUR))
    skipped = log.NOT_READ.format("1 line of .progress/predictions.jsonl")
    assert recall() == [fact("a"), fact("b", HOUR)]
    assert log.take_notes() == [skipped]
    assert line in file.read_bytes()


def test_a_truncated_file_loses_at_most_its_last_line(file):
    facts = [fact("a"), fact("b", HOUR), fact("c", 2 * HOUR)]
    add_lines(file, [item.to_line() for item in facts])
    whole, added = file.read_bytes(), fact("d", 3 * HOUR)
    for cut in range(1, len(LINE) + 2):
        file.write_bytes(whole[:-cut])
        remember(added)
        assert recall() == [*(facts if cut == 1 else facts[:-1]), added]


def attention_weights_from_memory(weights):
    return weights.softmax(-1)


@pytest.mark.parametrize(
    "calls",
    [
        [lambda: predict("masked_cells_of_five", 4)],
        [lambda: check("attention_weights", attention_weights_from_memory)],
        [lambda: flashcards("fill_with_zero"), lambda: flashcards.answer(1)],
        [lambda: bug_hunt("future_hidden"), lambda: bug_hunt.found(7, scores=(3, 3))],
        [lambda: interview("attention_weights"), lambda: interview.check(lambda x: x.softmax(-1))],
    ],
)
def test_without_write_access_calls_warn_and_answers_count_until_the_kernel_stops(place, capsys, calls):
    (place / ".progress").write_text("a file where the folder should be")
    for call in calls:
        call()
    why = "cannot be written to: this counts until the kernel stops, but is not saved."
    assert f".jsonl {why}" in capsys.readouterr().out
    assert len(recall()) == 1
