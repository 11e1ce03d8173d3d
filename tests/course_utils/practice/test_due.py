"""due(minutes) and progress(): which items are chosen, in which order, and what a learner reads."""

import os
import re
import subprocess
import sys
from datetime import timedelta

import nbformat
import pytest

from autograder.releases.course_copy import unpack
from course_utils import NOT_HERE, due, predict, progress
from course_utils.practice.log import NOT_READ, Fact, add_lines, in_order, now, remember
from course_utils.practice.schedule import make_session, new_items
from tests.conftest import ROOT

DAY = timedelta(days=1)
HOW = "`due(10)`, after `from course_utils import due`, makes a session of ten minutes."


@pytest.fixture(autouse=True)
def new_kernel(monkeypatch):
    monkeypatch.setattr(sys.modules["course_utils.due"], "_session", [])


def ago(name, days, right=True):
    return Fact(name, now() - days * DAY, right)


def names(session):
    return [item.fact for item in session[0]]


# ---- choosing items


@pytest.mark.usefixtures("two_kinds")
def test_what_has_been_due_longest_comes_first_kinds_take_turns_and_new_items_fill_the_time():
    facts = in_order([ago(f"question_{n}", 9 - n) for n in range(4)] + [ago("other:other_0", 5.5)])
    long = ["question_0", "other:other_0", "question_1", "question_2", "question_3"]
    assert names(make_session(facts, now(), 8)) == long
    assert names(make_session(facts, now(), 3)) == ["question_0", "question_1", "question_2"]
    session = make_session(in_order([ago("question_0", 0.5), ago("question_1", 3)]), now(), 7)
    assert names(session) == ["question_1", "question_2", "other:other_0", "question_3"]
    assert [item.due is None for item in session[0]] == [False, True, True, True]


@pytest.mark.usefixtures("two_kinds")
def test_what_is_longer_than_the_session_is_named_and_not_forgotten(printed_by):
    remember(ago("other:other_3", 3))
    assert "Also due, and longer than 3 minutes: Item other_3 (4 minutes)." in printed_by(due, 3)
    assert "Item other_3, 4 minutes, due for 2 days" in printed_by(due, 4)


@pytest.mark.usefixtures("lessons")
def test_new_questions_are_those_that_were_passed_over():
    facts = []
    assert new_items(facts) == []
    for answered, new in (("open_cells", []), ("shape_of_both", []), ("steps", ["empty_row"])):
        facts.append(ago(answered, 0.1))
        assert [item.fact for item in new_items(facts)] == ["axis_of_sums", *new]


# ---- parts of the course that a single notebook lacks

ALONE = """
import course_utils
from course_utils import bug_hunt, due, flashcards, interview, mock_interview, progress
from course_utils.practice.kinds import kinds_of
from course_utils.practice.log import recall

print(course_utils.__file__)
print([kind.PREFIX for kind in kinds_of(recall()[0])])
due(3)
progress()
for absent in (bug_hunt, flashcards, interview, mock_interview):
    absent()
"""


def test_a_notebook_that_works_alone_asks_what_it_has(place, tmp_path):
    """As in Colab, with a progress file that mentions everything."""
    notebook = nbformat.read(ROOT / "notebooks" / "01_masks" / "01_masks.ipynb", 4)
    for path, data in unpack(notebook).items():
        (tmp_path / "alone" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "alone" / path).write_bytes(data)
    for name in ("card:a", "hunt:b", "interview:mha", "memory:softmax", "softmax_of_nothing", "other_lesson"):
        remember(ago(name, 3))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "alone")}
    done = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=place, env=environment, capture_output=True, text=True
    )
    assert done.stderr == ""
    where, prefixes, *lines = done.stdout.splitlines()
    assert where == str(tmp_path / "alone" / "course_utils" / "__init__.py")
    assert prefixes == "['', 'memory:']"
    assert "  Question: softmax of nothing (01_masks), 1 minute, due for 2 days" in lines
    assert "Also due, and longer than 3 minutes: From memory: softmax (6 minutes)." in lines
    assert f"Due now: 2 items, about 7 minutes. {HOW}" in lines
    absent = ("bug_hunt", "flashcards", "interview", "mock_interview")
    assert lines[-4:] == [NOT_HERE.format(name) for name in absent]


# ---- what a learner reads


@pytest.mark.usefixtures("two_kinds")
def test_due_lists_a_session_and_asks_its_first_items(printed_by):
    for n in range(5):
        remember(ago(f"question_{n}", 9 - n))
    assert printed_by(due, 5) == (
        "Session: 5 items, about 5 minutes.\n"
        + "".join(f"  Item question_{n}, 1 minute, due for {8 - n} days\n" for n in range(5))
        + "What about question_0?\nWhat about question_1?\nWhat about question_2?\n"
        "2 more: `due()` goes on with this session.\n"
    )


def test_what_is_typed_after_a_session_goes_to_the_card_and_the_bug_that_are_open(printed_by):
    for name in ("card:fill_with_zero", "hunt:one_pass", "hunt:band_of_keys"):
        remember(ago(name, 9, right=False))
    out = printed_by(due, 11)
    assert out.count("flashcards.answer(") == out.count("bug_hunt.found(LINE") == 1
    remember(ago("card:mask_before_softmax", 9, right=False))
    out = printed_by(due, 12)
    assert "1 of 2 · masks" in out
    assert out.count("flashcards.answer(") == 1
    remember(ago("interview:mha", 9))
    assert "Interview: Multi-head self-attention, 20 minutes, due for 8 days" in printed_by(due, 32)


@pytest.mark.usefixtures("two_kinds")
def test_due_without_minutes_goes_on_with_the_session_and_begins_no_other(printed_by):
    for n in range(8):
        remember(ago(f"question_{n}", 9 - n))
    printed_by(due, 4)
    for n in range(3):
        remember(ago(f"question_{n}", 0, right=n > 0))
    out = printed_by(due)
    assert out.startswith("Session: 1 item, about 1 minute.\n  Item question_3, 1 minute, due for 5 days\n")
    remember(ago("question_3", 0))
    assert printed_by(due) == (
        f"This session is done.\nDue now: 4 items, about 4 minutes. {HOW} "
        "Within a day: 1 more item, about 1 minute.\n"
    )
    assert printed_by(due).startswith("Session: 7 items, about 10 minutes.\n  Item question_4, 1 minute")


@pytest.mark.usefixtures("lessons")
def test_progress_counts_flashcards_bugs_and_interviews_as_well(printed_by):
    assert "Flashcards" not in printed_by(progress)
    for name in ("card:kv_not_q", "hunt:future_hidden", "interview:mha", "interview:mha"):
        remember(ago(name, 3))
    remember(ago("card:what_the_cache_was_called", 3))
    out = printed_by(progress)
    assert re.search(r"Flashcards: 1 of \d\d practised, 1 right the last time\. Bugs: 1 of \d\d ", out)
    assert re.search(r"Interviews: 1 of \d+ practised, 1 right the last time\.", out)


@pytest.mark.usefixtures("lessons")
def test_a_question_of_yesterday_is_asked_and_answered_once_and_a_broken_line_is_said(printed_by, place):
    assert printed_by(due) == "Nothing is due now.\n"
    remember(ago("axis_of_sums", 1, right=False))
    assert "Once more: which axis?" in printed_by(due, 10)
    printed_by(predict, "axis_of_sums", "b")
    add_lines(place / ".progress" / "predictions.jsonl", ["{"])
    skipped = NOT_READ.format("1 line of .progress/predictions.jsonl")
    assert printed_by(due, 10) == f"Nothing is due now.\n{skipped}\n"


def test_what_is_no_number_of_minutes_is_said_in_one_sentence(printed_by):
    for minutes in (0, -3, "10", True, float("nan"), float("inf"), [], 1j):
        out = printed_by(due, minutes)
        assert out.startswith("`minutes` must be a number above 0 and at most 600, but got ")
        assert out.count("\n") == 1
