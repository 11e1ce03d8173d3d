"""When an item is due again, which depends only on its facts and the time."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from course_utils.practice.log import Fact
from course_utils.practice.schedule import state_of

START = datetime(2026, 3, 1, 20, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
ROW = [(0, True), (1, True), (4, True), (11, True), (32, True), (92, True)]


def due_again(facts, now):
    return state_of(facts, now)[0]


def facts(*days_and_right):
    return [Fact("a", START + day * DAY, right) for day, right in days_and_right]


@pytest.mark.parametrize(
    ("answers", "due"),
    [
        *((ROW[: n + 1], ROW[n][0] + wait) for n, wait in enumerate((1, 3, 7, 21, 60, 60))),
        ([(0, False)], 1),
        ([*ROW[:5], (92, False)], 92 + 1),
        ([*ROW[:2], (4, False), (5, True)], 5 + 1),
        ([*ROW[:2], (4, False), (5, True), (6, True)], 6 + 3),
        ([*ROW[:3], (5, False)], 5 + 1),  # a miss counts at any time
        ([(0, True), (30, True)], 30 + 3),
        ([(0, True), (0.01, True), (0.5, True), (0.8, True)], 1),  # too early to lengthen the interval
        ([(0, False), (0.01, True)], 1),
    ],
)
def test_consecutive_right_answers_wait_longer_and_a_miss_starts_over(answers, due):
    when = START + due * DAY - 4 * HOUR
    assert due_again(facts(*answers), START + 200 * DAY) == when
    other_zone = [Fact("a", f.when.astimezone(timezone(9 * HOUR)), f.right) for f in facts(*answers)]
    assert due_again(other_zone, (START + 200 * DAY).astimezone(timezone(-10 * HOUR))) == when


def test_an_answer_dated_in_the_future_does_not_delay_an_item():
    now = START - 400 * DAY
    assert due_again(facts((0, True)), now) == now
    expected = [Fact("a", now - 10 * DAY, right=True), *facts((0, True))]
    assert due_again(expected, now) == now - 9 * DAY - 4 * HOUR
    assert due_again(facts((0, True)), START - 5 * HOUR) == START + 20 * HOUR
