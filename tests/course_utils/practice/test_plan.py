"""What a mock interview asks: 45 minutes, nothing twice, all of it there, and the same for the same seed."""

import re
from pathlib import Path

import pytest
from course_utils.practice.interview.mock import others
from course_utils.practice.interview.mock.compose import compose, fresh_seed, names_of
from course_utils.practice.interview.mock.design import DESIGN
from course_utils.practice.interview.mock.kinds import TITLES, lesson_of, pool, title
from course_utils.practice.interview.mock.levels import LEVELS, find_level
from course_utils.practice.interview.mock.programs import PROGRAMS
from course_utils.practice.interview.mock.rubric import CRITERIA, OF_KIND, criteria
from course_utils.practice.interview.mock.spoken import SPOKEN

from course_utils.practice.interview.topics import TOPICS

EVERY = [(level, seed) for level in LEVELS.values() for seed in range(60)]
IDS = list(LEVELS)


def names(parts):
    return [name for part in parts for name in part.names]


def test_every_composition_has_45_minutes_and_asks_nothing_twice(kinds):
    for level, seed in EVERY:
        parts, left_out = compose(level, seed)
        assert left_out == []
        assert sum(part.minutes for part in parts) == 45
        assert len(names(parts)) == len(set(names(parts)))
        assert [part.kind for part in parts] == [kind for kind, _ in level.parts]


def test_all_that_is_asked_exists_and_fits_the_level(kinds):
    for level, seed in EVERY:
        for part in compose(level, seed)[0]:
            assert set(part.names) <= set(pool(part.kind, level))
            if part.kind == "program":
                assert part.names[0] in TOPICS
            elif part.kind in ("spoken", "design"):
                assert level.name in {**SPOKEN, **DESIGN}[part.names[0]].levels
            else:
                minutes = others.items(part.kind)
                assert sum(minutes[name] for name in part.names) <= part.minutes


@pytest.mark.parametrize("level", LEVELS.values(), ids=IDS)
def test_bugs_and_flashcards_are_those_of_the_level(kinds, level):
    hunts = {others.items("hunt")[name] for name in pool("hunt", level)}
    assert hunts <= {"intern": {4, 6}, "new_graduate": {4, 6, 9}, "senior": {6, 9}}[level.name]
    assert {lesson_of(name) for name in pool("cards", level)} == set(level.lessons)


@pytest.mark.parametrize("level", LEVELS.values(), ids=IDS)
def test_with_what_this_notebook_has_there_are_45_minutes_too(level):
    for seed in range(20):
        parts, _ = compose(level, seed)
        assert sum(part.minutes for part in parts) == 45
        assert all(title(part) for part in parts)


@pytest.mark.parametrize("level", LEVELS.values(), ids=IDS)
def test_what_is_not_there_is_left_out_with_one_sentence_each(nothing_else, level):
    parts, left_out = compose(level, 1)
    assert sum(part.minutes for part in parts) == 45
    assert not {"hunt", "cards"} & {part.kind for part in parts}
    assert len(left_out) == 2
    minutes = dict(level.parts)
    assert left_out[0] == (
        "The bug hunt is left out, as this notebook does not have it: its "
        f"{minutes['hunt']} minutes go to the program."
    )


def test_a_seed_asks_the_same_everywhere(kinds):
    senior = LEVELS["senior"]
    assert names(compose(senior, 4711)[0])[:3] == ["request_to_first_token", "how_to_test_it", "gqa"]
    assert names(compose(senior, 4711)[0])[-1] == "users_of_a_70b"
    assert len({tuple(names(compose(senior, seed)[0])) for seed in range(100)}) > 90


@pytest.mark.parametrize("level", LEVELS.values(), ids=IDS)
def test_without_a_seed_nothing_of_the_last_time_is_asked(kinds, level):
    last = set()
    for _ in range(10):
        asked = names_of(compose(level, fresh_seed(level, last))[0])
        assert asked & last == set()
        last = asked


def test_a_bug_that_others_add_does_not_change_what_a_seed_asks_of_other_kinds(kinds):
    before = compose(LEVELS["senior"], 5)[0]
    kinds.hunt.minutes.append(9)
    after = compose(LEVELS["senior"], 5)[0]
    assert [part for part in before if part.kind != "hunt"] == [part for part in after if part.kind != "hunt"]


# ---- the tables


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("intern", "intern"),
        ("Intern", "intern"),
        ("new graduate", "new_graduate"),
        ("new-graduate", "new_graduate"),
        ("senior", "senior"),
        ("Senior inference engineer", "senior"),
    ],
)
def test_a_level_may_be_typed_as_it_is_read(typed, name):
    assert find_level(typed) == (LEVELS[name], None)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("junior", 'There is no level called "junior". There are: intern, new_graduate, senior.'),
        ("senoir", "Did you mean senior?"),
        ("grad", "Did you mean new_graduate?"),
        ("interns", "Did you mean intern?"),
        ("", 'There is no level called "".'),
        (3, "There is no level called 3."),
        (["intern"], "There is no level called ['intern']."),
    ],
)
def test_a_level_that_is_none_gets_one_sentence(typed, sentence):
    level, problem = find_level(typed)
    assert level is None
    assert sentence in problem


def test_a_level_that_is_far_from_all_is_not_taken_for_another():
    assert "Did you mean" not in find_level("junior")[1]


def test_each_level_has_45_minutes_of_known_kinds_and_topics():
    for level in LEVELS.values():
        assert sum(minutes for _, minutes in level.parts) == 45
        assert {kind for kind, _ in level.parts} <= set(TITLES)
        assert set(level.programs) <= set(PROGRAMS) == set(TOPICS)


def test_every_question_says_all_that_an_interviewer_needs():
    for item in [*SPOKEN.values(), *DESIGN.values()]:
        assert len(item.listen) >= 4
        assert item.follow
        assert item.hints
        assert item.prompt.endswith("?") or "." in item.prompt
        assert set(item.levels) <= set(LEVELS)


def test_every_section_to_revise_exists():
    places = [item.revise for item in [*SPOKEN.values(), *DESIGN.values()]]
    places += [stage.revise for topic in TOPICS.values() for stage in topic.stages]
    sources = Path(__file__).parents[4].glob("solutions/*/*.py")
    known = {
        (py.stem[:2], n) for py in sources for n in re.findall(r"^# ## (\d+\.\d+)", py.read_text(), re.M)
    }
    for place in places:
        lesson, *numbers = re.findall(r"^\d\d|\d+\.\d+", place)
        assert numbers, place
        assert {(lesson, number) for number in numbers} <= known, place


def test_every_part_has_criteria_that_say_what_each_mark_looks_like():
    used = {name for some in OF_KIND.values() for name in some}
    used |= {name for notes in PROGRAMS.values() for name in notes.criteria}
    assert used == set(CRITERIA)
    assert all(len(set(one.looks)) == 3 for one in CRITERIA.values())


def test_every_part_can_be_rated(kinds):
    for level, seed in EVERY[::10]:
        assert all(criteria(part) for part in compose(level, seed)[0])


def test_the_interviewer_gets_every_bug_and_every_flashcard_that_is_there():
    """With the modules themselves, where this course has them: their files say what the sheet needs."""
    for name in others.items("hunt"):
        found = others.bug(name)
        assert found.title
        assert found.lines
        assert (found.fixed and found.why) or not found.bug
    for name in others.items("cards"):
        found = others.flashcard(name)
        assert found.question
        assert found.answer
        assert lesson_of(name) in range(8)
