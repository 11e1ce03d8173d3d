"""Learners who practise ten minutes on 90 days: nothing comes twice a day, nothing is forgotten."""

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest

from course_utils.practice.due import DAYS
from course_utils.practice.memory import Fact, in_order
from course_utils.practice.schedule.session import answered, due_now, make_session, minutes_of

START = datetime(2026, 3, 1, 19, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


pytestmark = pytest.mark.usefixtures("two_kinds")


class Learner:
    """knows: how often an answer is right. away: days without practice. hours(day): how far from 19:00 the
    sessions of a day begin. wrong_by(day): how far the computer's clock is ahead."""

    def __init__(self, knows=1.0, away=(), hours=lambda _: [0], wrong_by=lambda _: 0 * HOUR):
        self.random = Random(5)
        self.facts, self.times, self.spent = [], defaultdict(list), Counter()
        self.most_waiting = 0
        for day in range(90):
            for hour in [] if day in away else hours(day):
                self.practise(day, START + day * DAY + hour * HOUR, wrong_by(day), knows)
        self.end = START + 90 * DAY

    def practise(self, day, time, wrong_by, knows):
        shown = time + wrong_by
        facts = in_order(self.facts)
        self.most_waiting = max(self.most_waiting, len(due_now(facts, shown)))
        session = make_session(facts, shown, 10)
        for item in session.items:
            right = self.random.random() < knows
            self.facts.append(Fact(item.fact, shown, right))
            self.times[item.fact].append(time)
        self.spent[day] += minutes_of(session.items)

    def gaps(self):
        return {name: [later - earlier for earlier, later in pairwise(t)] for name, t in self.times.items()}

    def shortest(self):
        return min(gap for gaps in self.gaps().values() for gap in gaps)

    def overdue(self):
        """How long the item that waits longest has been due, at the end."""
        waiting = due_now(in_order(self.facts), self.end)
        return max((self.end - item.due for item in waiting), default=0 * DAY)

    def forgotten(self):
        """Items that were answered, and come again later than the longest wait."""
        known = answered(in_order(self.facts), self.end)
        late = [item.fact for item in known if item.due > self.end + (DAYS[-1] + 1) * DAY]
        return late + sorted(set(self.times) - {item.fact for item in known})


def test_one_who_knows_it_all_sees_each_item_after_1_3_7_21_and_60_days():
    learner = Learner()
    assert learner.shortest() >= 20 * HOUR
    assert len(learner.times) == 48
    assert learner.forgotten() == []
    for gaps in learner.gaps().values():
        for gap, wait in zip(gaps, DAYS, strict=False):
            assert wait <= gap / DAY <= wait + 6
    assert max(learner.spent.values()) <= 10
    assert learner.overdue() <= 2 * DAY


def test_one_who_forgets_half_gets_no_more_than_ten_minutes_and_nothing_is_lost():
    learner = Learner(knows=0.5)
    assert learner.shortest() >= 20 * HOUR
    assert max(learner.spent.values()) <= 10
    assert learner.forgotten() == []
    assert learner.overdue() <= 7 * DAY


def test_one_who_stops_for_a_month_works_off_what_waits():
    learner = Learner(knows=0.9, away=range(30, 60))
    assert learner.shortest() >= 20 * HOUR
    assert learner.most_waiting > 10
    assert max(learner.spent.values()) <= 10
    assert learner.forgotten() == []
    assert learner.overdue() <= 3 * DAY


def test_several_sessions_a_day_bring_nothing_twice():
    learner = Learner(knows=0.7, hours=lambda _: [-11, 0, 4])
    assert learner.shortest() >= 20 * HOUR
    assert learner.forgotten() == []


def test_whoever_travels_through_time_zones_sees_nothing_twice_in_20_hours():
    random = Random(1)
    learner = Learner(knows=0.8, hours=lambda _: [random.uniform(-12, 12)])
    assert learner.shortest() >= 20 * HOUR
    assert learner.forgotten() == []
    assert learner.overdue() <= 4 * DAY


def test_a_clock_that_is_a_few_hours_off_brings_nothing_twice_in_that_many_hours_less():
    random = Random(2)
    learner = Learner(knows=0.8, wrong_by=lambda _: random.choice([-3, 0, 3]) * HOUR)
    assert learner.shortest() >= 14 * HOUR
    assert learner.forgotten() == []
    assert learner.overdue() <= 4 * DAY


def test_a_clock_that_jumps_by_years_for_a_day_loses_nothing():
    jumps = {10: 700, 11: -700, 40: -9000, 60: 30, 61: 2}
    learner = Learner(knows=0.9, hours=lambda _: [0, 2], wrong_by=lambda day: jumps.get(day, 0) * DAY)
    assert learner.forgotten() == []
    assert learner.overdue() <= 4 * DAY
    assert learner.shortest() >= 20 * HOUR
