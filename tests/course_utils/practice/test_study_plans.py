"""The study plans: every section and name exists, and every sum is that of what stands above it."""

import re

import pytest

from course_utils.practice import bugs, flashcards
from course_utils.practice.mock.plan import levels
from tests.tools import plans

PAGES = plans.plans()
IDS = [page.stem for page in PAGES]


@pytest.fixture(params=PAGES, ids=IDS)
def text(request):
    return request.param.read_text(encoding="utf-8")


def test_there_are_three_plans():
    assert IDS == ["four_weeks", "one_week", "three_evenings"]


def test_minutes_are_those_of_the_lessons_today(text):
    """`python -m tests.tools.plans` brings them up to date."""
    assert text == plans.with_minutes(text)


def test_the_printed_numbers_add_up(text):
    together, printed = [], 0
    for row in re.findall(r"^\| (.+) \| \**(\d+)\** \|$", text, re.M):
        if row[0] == "together":
            together.append(int(row[1]))
            assert printed == together[-1]
            printed = 0
        else:
            printed += int(row[1])
    assert len(together) >= 3
    assert f"**In all: {sum(together)} minutes" in text


def test_no_section_is_done_twice(text):
    found = re.findall(r"^\| Lesson (\d): ([\d., to]+?|all)(?: \(.*)? \|", text, re.M)
    sections = [one for lesson, some in found for one in plans.numbers_in(some, int(lesson))]
    assert len(sections) == len(set(sections)) >= 12


def test_sections_outside_of_tables_exist_too(text):
    known = {number for _, number in plans.sections_of()}
    assert set(re.findall(r"\b\d\.\d+\b", text)) <= known


def test_a_plan_says_whose_minutes_they_are_and_what_it_leaves_out(text):
    assert "The minutes of lessons are those of a beginner" in text
    assert "estimate" in text
    assert re.search(r"^\*\*What .*(not|out)", text, re.M)


def test_a_day_is_no_longer_than_it_says():
    most = {"three_evenings": 130, "one_week": 130, "four_weeks": 90}
    for page in PAGES:
        days = re.findall(r"together \| \*\*(\d+)\*\*", page.read_text(encoding="utf-8"))
        assert max(map(int, days)) <= most[page.stem]


def test_the_page_that_leads_to_them_has_their_minutes():
    text = plans.PAGE.read_text(encoding="utf-8")
    assert plans.with_totals(text) == text
    assert all(f"(plans/{page.name})" in text for page in PAGES)


def test_every_link_leads_somewhere(text):
    for link in re.findall(r"\]\(([^)#]+)", text):
        assert (plans.PLANS / link).is_file()


@pytest.mark.parametrize(
    "row",
    ['`interview("nothing")`', '`mock_interview("junior")`', "Lesson 1: 1.99", "Lesson 9: 9.1", "a walk"],
)
def test_a_row_that_names_nothing_is_refused(row):
    with pytest.raises((ValueError, KeyError)):
        plans.minutes_of(row)


def test_estimates_are_those_of_the_kinds_themselves():
    """6 minutes is the middle of all bugs, and a flashcard takes one."""
    minutes = sorted(bugs.items().values())
    assert minutes[len(minutes) // 2] == plans.BUG
    assert set(flashcards.items().values()) == {plans.FLASHCARD}
    assert set(levels()) == {"intern", "new_graduate", "senior"}
