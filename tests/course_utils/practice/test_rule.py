"""When an item is due again: worked out from its facts and the time alone."""

from datetime import UTC, datetime, timedelta, timezone
from random import Random

import pytest

from course_utils.practice.due import due_again
from course_utils.practice.log import Fact, in_order

START = datetime(2026, 3, 1, 20, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def facts(*days_and_right):
    return [Fact("a", START + day * DAY, right) for day, right in days_and_right]


@pytest.mark.parametrize(
    ("answers", "due"),
    [
        ([(0, True)], 1),
        ([(0, False)], 1),
        ([(0, True), (1, True)], 1 + 3),
        ([(0, True), (1, True), (4, True)], 4 + 7),
        ([(0, True), (1, True), (4, True), (11, True)], 11 + 21),
        ([(0, True), (1, True), (4, True), (11, True), (32, True)], 32 + 60),
        ([(0, True), (1, True), (4, True), (11, True), (32, True), (92, True)], 92 + 60),
        ([(0, True), (1, True), (4, True), (11, True), (32, True), (92, False)], 92 + 1),
        ([(0, True), (1, True), (4, False), (5, True)], 5 + 1),
        ([(0, True), (1, True), (4, False), (5, True), (6, True)], 6 + 3),
        ([(0, True), (30, True)], 30 + 3),
    ],
)
def test_right_answers_in_a_row_wait_longer_and_a_miss_begins_anew(answers, due):
    assert due_again(facts(*answers), START + 200 * DAY) == START + due * DAY - 4 * HOUR


def test_answering_again_before_it_is_due_moves_nothing_up():
    often = [(0, True), (0.01, True), (0.5, True), (0.8, True)]
    assert due_again(facts(*often), START + DAY) == due_again(facts((0, True)), START + DAY)


def test_a_miss_counts_at_any_time():
    expected = [(0, True), (1, True), (4, True), (5, False)]
    assert due_again(facts(*expected), START + 6 * DAY) == START + 6 * DAY - 4 * HOUR
    same_day = [(0, False), (0.01, True)]
    assert due_again(facts(*same_day), START + DAY) == START + DAY - 4 * HOUR


def test_an_answer_from_the_future_holds_nothing_back():
    now = START - 400 * DAY
    assert due_again(facts((0, True)), now) == now
    expected = [Fact("a", now - 10 * DAY, right=True), *facts((0, True))]
    assert due_again(expected, now) == now - 9 * DAY - 4 * HOUR
    assert due_again(facts((0, True)), START - 5 * HOUR) == START + 20 * HOUR


def test_the_time_zone_of_a_fact_and_of_now_makes_no_difference():
    tokyo, honolulu = timezone(9 * HOUR), timezone(-10 * HOUR)
    here = facts((0, True), (1, True), (3.9, False))
    there = [Fact("a", fact.when.astimezone(tokyo), fact.right) for fact in here]
    now = START + 5 * DAY
    assert due_again(there, now.astimezone(honolulu)) == due_again(here, now)


def test_a_little_earlier_than_yesterday_is_a_day_later():
    assert due_again(facts((0, True)), START) <= START + 21 * HOUR
    assert due_again(facts((0, True)), START) >= START + 20 * HOUR


def test_nothing_is_ever_further_away_than_the_longest_wait():
    random = Random(8)
    for _ in range(2000):
        days = sorted(random.uniform(-500, 500) for _ in range(random.randint(1, 9)))
        assert due_again(facts(*((day, random.random() < 0.7) for day in days)), START) <= START + 61 * DAY


def test_facts_of_two_machines_give_the_same_in_any_order():
    random = Random(3)
    expected = facts(*((random.randint(0, 9) / 2, random.random() < 0.5) for _ in range(12)))
    wanted = in_order(expected)
    for _ in range(50):
        random.shuffle(expected)
        assert in_order([*expected, *expected[:4]]) == wanted
