"""A check of a version from memory is a fact of its own."""

import pytest
import torch

from course_utils import check
from course_utils.practice import from_memory
from course_utils.practice.log import recall
from tests.conftest import ROOT

TEXT = "def attention_weights_from_memory(weights):\n    return weights.softmax(-1)\n"


@pytest.fixture
def cells(monkeypatch):
    """The cells of the notebook, as the kernel knows them."""
    cells = []
    monkeypatch.setattr(from_memory, "notebook_cells", lambda: cells)
    return cells


def remembered():
    return [(fact.name, fact.right) for fact in recall()[0]]


def version(body, name="attention_weights_from_memory"):
    """A function of this name."""

    def function(weights):
        return body(weights)

    function.__name__ = name
    return function


def not_written(weights):
    raise NotImplementedError("Not written yet: put your code here.")


RIGHT = version(lambda weights: weights.softmax(-1))


@pytest.mark.parametrize(("axis", "right"), [(-1, True), (0, False)])
def test_a_version_from_memory_is_remembered_right_or_wrong(axis, right):
    check("attention_weights", version(lambda weights: weights.softmax(axis)))
    assert remembered() == [("memory:attention_weights", right)]


def test_no_other_check_is_remembered_and_what_is_not_written_is_no_miss():
    for name in ("attention_weights", "sums_from_memory", "softmax_from_memory"):
        check("attention_weights", version(lambda weights: weights.softmax(-1), name))
    for obj in (torch.ones(3), version(not_written)):
        check("attention_weights", obj)
    check("no_such_exercise", version(not_written))
    assert remembered() == []


def test_the_same_text_counts_once_or_when_it_was_asked_for(cells):
    cells += ["import torch", TEXT]
    for times in (1, 1):  # as when a notebook runs from the top
        check("attention_weights", RIGHT)
        assert len(remembered()) == times
    cells.append(TEXT.replace("(-1)", "(dim=-1)"))
    check("attention_weights", RIGHT)
    assert len(remembered()) == 2
    from_memory.ask("attention_weights")
    for times in (3, 3):
        check("attention_weights", RIGHT)
        assert len(remembered()) == times


def test_it_is_asked_for_without_its_answer(capsys):
    from_memory.ask("DecoderBlock")
    assert capsys.readouterr().out == (
        "Write `DecoderBlock` from memory, in a new cell, without hints: "
        "`DecoderBlock(attention, d_model, d_hidden)`, `forward(x, cache_k=None, cache_v=None)`.\n"
        'Call it `DecoderBlock_from_memory`; then `check("DecoderBlock", DecoderBlock_from_memory)` tries it.'
        "\n"
    )


def test_those_of_passing_exercises_are_new(place):
    assert from_memory.new([]) == []
    (place / ".progress").mkdir()
    (place / ".progress" / "masked_softmax.py").write_text("passes")
    assert from_memory.new([]) == ["masked_softmax"]


def test_every_lesson_ends_with_one_that_is_known_here():
    result = set()
    for lesson in sorted((ROOT / "solutions").glob("0[0-9]_*/*.py")):
        text = lesson.read_text(encoding="utf-8")
        result |= {name for name in from_memory.items() if f'check("{name}", {name}_from_memory)' in text}
    assert result == set(from_memory.AT_THE_END)


def test_a_folder_that_may_not_be_written_to_is_said_below_the_card(place, capsys):
    (place / ".progress").write_text("")
    check("attention_weights", RIGHT)
    assert "but is not saved." in capsys.readouterr().out
    assert remembered() == [("memory:attention_weights", True)]
