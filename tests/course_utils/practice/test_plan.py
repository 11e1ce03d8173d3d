"""A mock interview takes 45 minutes and asks nothing twice; its tables are complete."""

import re
from random import Random

import pytest

from course_utils.practice import bugs
from course_utils.practice.interview import texts, topics
from course_utils.practice.mock.plan import compose, levels, pool, table
from tests.course_utils.practice.test_cards import SECTIONS

SPOKEN = {**table("spoken"), **table("design")}
TABLES = list(topics.tables())


@pytest.mark.parametrize("level", levels())
def test_every_mock_interview_takes_45_minutes_and_asks_nothing_twice(level):
    about = levels()[level]
    assert set(about["programs"]) <= set(texts.notes()) == set(TABLES)
    compositions = [compose(level, random=Random(seed)) for seed in range(60)]
    assert len(set(map(tuple, compositions))) > 50
    for parts in compositions:
        names = [name for part in parts for name in part.names]
        assert sum(part.minutes for part in parts) == 45
        assert len(names) == len(set(names))
        assert [part.kind for part in parts] == [kind for kind, _ in about["parts"]]
        for part in parts:
            assert set(part.names) <= set(pool(part.kind, level))
            assert part.criteria
            if part.kind == "hunt":
                assert sum(bugs.KIND.minutes()[name] for name in part.names) <= part.minutes


def test_names_to_avoid_are_asked_only_if_no_others_are_left():
    assert "mha" in levels()["intern"]["programs"]
    hunts = set(pool("hunt", "intern"))
    for avoid, names in ((hunts - {"band_of_keys"}, {"band_of_keys"}), (hunts, hunts)):
        part = next(part for part in compose("intern", avoid) if part.kind == "hunt")
        assert part.names
        assert set(part.names) <= names


@pytest.mark.parametrize("name", SPOKEN)
def test_a_spoken_question_has_an_answer_points_to_listen_for_and_follow_ups(name):
    item = SPOKEN[name]
    assert len(item["listen"]) >= 4
    assert all(len(pair) == 2 for pair in item["follow"])
    assert item["prompt"].endswith(("?", "."))
    assert item["answer"].strip()
    assert set(item["levels"]) <= set(levels())


def test_every_section_to_revise_exists():
    places = [item["revise"] for item in SPOKEN.values()]
    places += [part.revise for name in TABLES for part in topics.topic(name).parts]
    for place in places:
        lesson, *numbers = re.findall(r"^\d\d|\d+\.\d+", place)
        assert numbers, place
        assert set(numbers) <= set(SECTIONS), place
        assert {int(number.partition(".")[0]) for number in numbers} == {int(lesson)}, place


def test_every_criterion_describes_each_of_its_three_marks():
    assert all(len(set(item["looks"])) == 3 for item in table("rubric").values())
