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
HINT = "`due(10)` makes a session of ten minutes."


@pytest.fixture(autouse=True)
def new_kernel(monkeypatch):
    monkeypatch.setattr(sys.modules["course_utils.due"], "_session", [])


def ago(name, days, right=True):
    return Fact(name, now() - days * DAY, right)


def names(session):
    return [item.fact for item in session[0]]


# ---- choosing items


@pytest.mark.usefixtures("two_kinds")
def test_what_was_not_known_comes_first_kinds_alternate_and_new_items_fill_up():
    facts = [ago(f"question_{n}", 9 - n, right=n != 3) for n in range(4)] + [ago("other:other_0", 9.5)]
    long = ["question_3", "other:other_0", "question_0", "question_1", "question_2"]
    assert names(make_session(in_order(facts), now(), 8)) == long
    assert names(make_session(in_order(facts), now(), 3)) == ["question_3", "question_0", "question_1"]
    cards = [ago(f"question_{n}", 7, right=False) for n in range(7)]
    solved = [ago(f"other:other_{n}", 8) for n in range(2)]
    after_a_week = names(make_session(in_order(cards + solved), now(), 11))
    assert after_a_week == [*(f"question_{n}" for n in range(7)), "other:other_0"]
    session = make_session(in_order([ago("question_0", 0.5), ago("question_1", 3)]), now(), 7)
    assert names(session) == ["question_1", "question_2", "other:other_0", "question_3"]
    assert [item.due is None for item in session[0]] == [False, True, True, True]


@pytest.mark.usefixtures("two_kinds")
def test_items_longer_than_the_session_are_mentioned_and_stay_due(output_of):
    remember(ago("other:other_3", 3))
    assert "Also due, and longer than 3 minutes: Item other_3 (4 minutes)." in output_of(due, 3)
    assert "Item other_3, 4 minutes, due for 2 days" in output_of(due, 4)


@pytest.mark.usefixtures("lessons")
def test_new_questions_are_those_skipped_before_an_answered_one():
    facts = []
    assert new_items(facts) == []
    for answered, new in (("open_cells", []), ("shape_of_both", []), ("steps", ["empty_row"])):
        facts.append(ago(answered, 0.1))
        assert [item.fact for item in new_items(facts)] == ["axis_of_sums", *new]


# ---- parts of the course that a single notebook lacks

SINGLE_NOTEBOOK = """
import course_utils
from course_utils import bug_hunt, due, flashcards, interview, mock_interview, progress
from course_utils.practice.schedule import kinds_of
from course_utils.practice.log import recall

print(course_utils.__file__)
print([kind.prefix for kind in kinds_of(recall())])
due(3)
progress()
for absent in (bug_hunt, flashcards, interview, mock_interview):
    absent()
"""


def test_a_single_notebook_asks_only_the_kinds_that_it_carries(place, tmp_path):
    """As in Colab, with a progress file that mentions everything."""
    notebook = nbformat.read(ROOT / "notebooks" / "01_masks" / "01_masks.ipynb", 4)
    for path, data in unpack(notebook).items():
        (tmp_path / "alone" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "alone" / path).write_bytes(data)
    for name in ("card:a", "hunt:b", "interview:mha", "memory:softmax", "softmax_of_nothing", "other_lesson"):
        remember(ago(name, 3))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "alone")}
    result = subprocess.run(
        [sys.executable, "-c", SINGLE_NOTEBOOK], cwd=place, env=environment, capture_output=True, text=True
    )
    assert result.stderr == ""
    module_path, prefixes, *lines = result.stdout.splitlines()
    assert module_path == str(tmp_path / "alone" / "course_utils" / "__init__.py")
    assert prefixes == "['', 'memory:']"
    assert "  Question: softmax of nothing (01_masks), 1 minute, due for 2 days" in lines
    assert "Also due, and longer than 3 minutes: From memory: softmax (6 minutes)." in lines
    assert f"Due now: 2 items, about 7 minutes. {HINT}" in lines
    absent = ("bug_hunt", "flashcards", "interview", "mock_interview")
    assert lines[-4:] == [NOT_HERE.format(name, "08_interview") for name in absent]


# ---- what a learner reads


@pytest.mark.usefixtures("two_kinds")
def test_due_lists_a_session_and_asks_its_first_items(output_of):
    for n in range(5):
        remember(ago(f"question_{n}", 9 - n))
    assert output_of(due, 5) == (
        "Session: 5 items, about 5 minutes.\n"
        + "".join(f"  Item question_{n}, 1 minute, due for {8 - n} days\n" for n in range(5))
        + "What about question_0?\nWhat about question_1?\nWhat about question_2?\n"
        "2 more: run `due()` to continue this session.\n"
    )


def test_a_session_opens_only_one_flashcard_and_one_bug_at_a_time(output_of):
    for name in ("card:fill_with_zero", "hunt:one_pass", "hunt:band_of_keys"):
        remember(ago(name, 9, right=False))
    out = output_of(due, 11)
    assert out.count("flashcards.answer(") == out.count("bug_hunt.found(LINE") == 1
    remember(ago("card:mask_before_softmax", 9, right=False))
    out = output_of(due, 12)
    assert "1 of 2 · masks" in out
    assert out.count("flashcards.answer(") == 1
    remember(ago("interview:mha", 9))
    assert "Interview: Multi-head self-attention, 20 minutes, due for 8 days" in output_of(due, 32)


@pytest.mark.usefixtures("two_kinds")
def test_due_without_minutes_continues_the_session(output_of):
    for n in range(8):
        remember(ago(f"question_{n}", 9 - n))
    output_of(due, 4)
    for n in range(3):
        remember(ago(f"question_{n}", 0, right=n > 0))
    out = output_of(due)
    assert out.startswith("Session: 1 item, about 1 minute.\n  Item question_3, 1 minute, due for 5 days\n")
    remember(ago("question_3", 0))
    assert output_of(due) == (
        f"This session is done.\nDue now: 4 items, about 4 minutes. {HINT} "
        "Within a day: 1 more item, about 1 minute.\n"
    )
    assert output_of(due).startswith("Session: 7 items, about 10 minutes.\n  Item question_4, 1 minute")


@pytest.mark.usefixtures("lessons")
def test_progress_counts_flashcards_bugs_and_interviews(output_of):
    assert "Flashcards" not in output_of(progress)
    for name in ("card:kv_not_q", "hunt:future_hidden", "interview:mha", "interview:mha"):
        remember(ago(name, 3))
    remember(ago("card:what_the_cache_was_called", 3))
    out = output_of(progress)
    assert re.search(r"Flashcards: 1 of \d\d practised, 1 right the last time\. Bugs: 1 of \d\d ", out)
    assert re.search(r"Interviews: 1 of \d+ practised, 1 right the last time\.", out)


@pytest.mark.usefixtures("lessons")
def test_a_due_question_is_asked_once_and_a_broken_line_is_reported(output_of, place):
    assert output_of(due) == "Nothing is due now.\n"
    remember(ago("axis_of_sums", 1, right=False))
    assert "Once more: which axis?" in output_of(due, 10)
    output_of(predict, "axis_of_sums", "b")
    add_lines(place / ".progress" / "predictions.jsonl", ["{"])
    skipped = NOT_READ.format("1 line of .progress/predictions.jsonl")
    assert output_of(due, 10) == f"Nothing is due now.\n{skipped}\n"


def test_bad_minutes_are_refused_in_one_sentence(output_of):
    for minutes in (0, -3, "10", True, float("nan"), float("inf"), [], 1j):
        out = output_of(due, minutes)
        assert out.startswith("`minutes` must be a number above 0 and at most 600, but got ")
        assert out.count("\n") == 1
