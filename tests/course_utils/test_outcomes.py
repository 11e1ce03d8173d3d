"""Three outcomes of a check: right; right, with one thing left; wrong."""

import sys
from types import SimpleNamespace

import pytest
import torch

from autograder.grading.grade_object import grade
from course_utils import progress, yours
from course_utils.diagnose.visible import assess_visible
from course_utils.show import card
from course_utils.show.card import NUMBER_BELOW, as_html, as_text, show
from tests.answers import one_left

from .test_check import mask, written

LEFT = [
    ("softmax", one_left.changes_input, "would compute with other numbers"),
    ("softmax", one_left.in_float32, "bfloat16 or float16"),
    ("softmax", one_left.without_graph, "nothing is learned"),
    ("softmax", one_left.on_one_device, "On a GPU"),
    ("create_causal_mask", one_left.mask_on_cpu, "On a GPU"),
]


@pytest.mark.parametrize(("name", "answer", "why"), LEFT, ids=lambda value: getattr(value, "__name__", None))
def test_right_values_with_one_thing_left_are_accepted_and_it_is_said_why(name, answer, why):
    result = assess_visible(name, answer)
    assert (result.status, result.accepted, result.passed) == ("one_left", True, False)
    text = as_text(result)
    assert text.startswith(f"Right, with one thing left: {name}\n")
    assert why in text
    assert why in as_html(result)
    assert "[no] dtype, device, gradients, inputs unchanged" in text
    assert 0 < result.points < result.max_points  # as before: full points for all
    graded = grade(name, answer, seed=11)
    assert (graded.passed, graded.status) == (False, "one_left")
    assert 0 < graded.points < graded.max_points


@pytest.mark.parametrize("answer", [one_left.doubled, one_left.random_when_asked_again])
def test_wrong_values_and_values_that_change_are_not_accepted(answer):
    result = assess_visible("softmax", answer)
    assert (result.status, result.accepted, result.why) == ("wrong", False, "")
    assert as_text(result).startswith("Not yet: softmax\n")


def test_several_things_left_are_counted():
    assert as_text(assess_visible("softmax", one_left.two_left)).startswith(
        "Right, with 2 things left: softmax\n"
    )


@pytest.mark.parametrize("answer", [answer for name, answer, _ in LEFT if name == "softmax"])
def test_progress_takes_all_that_is_accepted_and_yours_what_lessons_can_go_on_with(
    answer, tmp_path, monkeypatch
):
    used = answer is one_left.on_one_device
    lesson = tmp_path / "01_masks"
    lesson.mkdir()
    monkeypatch.chdir(lesson)
    monkeypatch.setitem(vars(sys.modules["__main__"]), "softmax", answer)
    message = written(lambda: yours("softmax"))
    assert (yours("softmax") is answer) == used
    assert ("has a thing left that the lesson could not go on with" in message) != used
    assert "[x] softmax" in written(progress)


def test_a_demonstration_keeps_its_numbers_where_an_answer_changes_its_input(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(vars(sys.modules["__main__"]), "softmax", one_left.changes_input)
    scores = torch.tensor([[1.0, 2.0]])
    yours("softmax")(scores)
    assert scores.tolist() == [[1.0, 2.0]]


def test_a_card_has_no_points_and_says_what_the_number_below_it_is_for(monkeypatch):
    result = assess_visible("create_causal_mask", mask)
    for cell, message in (
        ("check('create_causal_mask', create_causal_mask).points  # as given\n", True),
        ("check('create_causal_mask', create_causal_mask)", False),
        ("", False),
    ):
        monkeypatch.setattr(card, "running_cell", lambda cell=cell: cell)
        text = written(lambda: show(result))
        assert (NUMBER_BELOW in text) == message
        assert "2 of 2" not in text
    assert "points" not in repr(result) + as_html(result)
    assert "2 of 2 points on the grader's own cases" in as_html(result, "the grader's own cases")


def test_the_running_cell_is_the_newest_of_the_kernel(monkeypatch):
    history = SimpleNamespace(input_hist_raw=["", "first", "check('softmax', softmax).points"])
    shell = SimpleNamespace(kernel=1, history_manager=history)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert card.shows_points(card.running_cell())
