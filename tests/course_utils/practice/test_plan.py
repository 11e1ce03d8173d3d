"""What a mock interview asks: 45 minutes, nothing twice, all of it there, and the same for the same seed."""

import re

import pytest

from course_utils.practice import bugs
from course_utils.practice.interview import models, topics
from course_utils.practice.mock.plan import compose, levels, paragraphs, pool, table
from tests.conftest import ROOT

SPOKEN = {**table("spoken"), **table("design")}
TABLES = list(topics.tables())


@pytest.mark.parametrize("level", levels())
def test_every_composition_has_45_minutes_and_asks_nothing_twice(level):
    for seed in range(60):
        parts = compose(level, seed)
        names = [name for part in parts for name in part.names]
        assert sum(part.minutes for part in parts) == 45
        assert len(names) == len(set(names))
        assert [part.kind for part in parts] == [kind for kind, _ in levels()[level]["parts"]]
        for part in parts:
            assert set(part.names) <= set(pool(part.kind, level))
            assert part.notes["title"]
            assert part.criteria
            if part.kind == "hunt":
                assert sum(bugs.items()[name] for name in part.names) <= part.minutes


def test_a_seed_asks_the_same_and_seeds_differ():
    assert compose("senior", 4711) == compose("senior", 4711)
    assert len({tuple(compose("senior", seed)) for seed in range(100)}) > 90


def test_what_is_to_be_avoided_is_asked_only_where_nothing_else_is_left():
    hunts = set(pool("hunt", "intern"))
    for avoid, names in ((hunts - {"band_of_keys"}, {"band_of_keys"}), (hunts, hunts)):
        part = next(part for part in compose("intern", 7, avoid) if part.kind == "hunt")
        assert set(part.names) <= names


def test_each_level_has_known_kinds_and_topics_and_an_intern_may_get_mha():
    for about in levels().values():
        assert sum(minutes for _, minutes in about["parts"]) == 45
        assert {kind for kind, _ in about["parts"]} <= set(table("kinds"))
        assert set(about["programs"]) <= set(models.notes()) == set(TABLES)
    assert "mha" in levels()["intern"]["programs"]


@pytest.mark.parametrize("name", SPOKEN)
def test_a_question_says_all_that_an_interviewer_needs(name):
    item = SPOKEN[name]
    assert len(item["listen"]) >= 4
    assert all(len(pair) == 2 for pair in (*item["follow"], *item["hints"]))
    assert item["prompt"].endswith(("?", "."))
    assert set(item["levels"]) <= set(levels())
    assert all(paragraphs(item["answer"]))
    assert not any("\n" in text for text in paragraphs(item["answer"]))


def test_every_section_to_revise_exists():
    places = [item["revise"] for item in SPOKEN.values()]
    places += [part.revise for name in TABLES for part in topics.topic(name).parts]
    texts = {py.stem[:2]: py.read_text() for py in ROOT.glob("solutions/*/*.py")}
    result = {lesson: re.findall(r"^# ## (\d+\.\d+)", text, re.M) for lesson, text in texts.items()}
    expected = {(lesson, number) for lesson, numbers in result.items() for number in numbers}
    for place in places:
        lesson, *numbers = re.findall(r"^\d\d|\d+\.\d+", place)
        assert numbers, place
        assert {(lesson, number) for number in numbers} <= expected, place


def test_every_criterion_says_what_each_mark_looks_like():
    used = {name for part in compose("senior", 1) for name in part.criteria}
    used |= {name for notes in models.notes().values() for name in notes["criteria"]}
    assert used <= set(table("rubric"))
    assert all(len(set(item["looks"])) == 3 for item in table("rubric").values())


def test_what_candidates_miss_is_there():
    answer = paragraphs(SPOKEN["what_attention_computes"]["answer"])[0]
    assert "√d" in answer
    everything = str(SPOKEN) + str(models.notes())
    for word in ("YaRN", "QK-norm", "RMSNorm", "pre-norm", "peculative", "prefix", "top-p", "cross-entropy"):
        assert word.lower() in everything.lower()
