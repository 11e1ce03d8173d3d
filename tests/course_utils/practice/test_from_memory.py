"""A check of a version from memory is a fact of its own."""

import pytest
import torch

from course_utils import check
from course_utils.practice import from_memory
from course_utils.practice.log import recall
from tests.lessons.conftest import ROOT

TEXT = "def attention_weights_from_memory(weights):\n    return weights.softmax(-1)\n"


@pytest.fixture
def cells(monkeypatch):
    """The cells of the notebook, as the kernel knows them."""
    cells = []
    monkeypatch.setattr(from_memory, "notebook_cells", lambda: cells)
    return cells


def remembered():
    return [(fact.name, fact.right) for fact in recall()[0]]


def attention_weights_from_memory(weights):
    return weights.softmax(-1)


def test_a_right_version_from_memory_is_remembered():
    check("attention_weights", attention_weights_from_memory)
    assert remembered() == [("memory:attention_weights", True)]


def test_a_wrong_one_is_a_miss():
    def attention_weights_from_memory(weights):
        return weights.softmax(0)

    check("attention_weights", attention_weights_from_memory)
    assert remembered() == [("memory:attention_weights", False)]


@pytest.mark.parametrize("name", ["attention_weights", "sums_from_memory", "softmax_from_memory"])
def test_no_other_check_is_remembered(name):
    def other(weights):
        return weights.softmax(-1)

    other.__name__ = name
    check("attention_weights", other)
    check("attention_weights", torch.ones(3))
    assert remembered() == []


def test_an_object_that_answers_to_nothing_is_no_obstacle(capsys):
    class Silent:
        def __getattr__(self, name):
            raise RuntimeError(name) if name == "__name__" else AttributeError(name)

    check("attention_weights", Silent())
    assert capsys.readouterr().out.startswith("Not yet: attention_weights")
    assert remembered() == []


def test_what_is_not_written_yet_is_no_miss():
    def attention_weights_from_memory(weights):
        raise NotImplementedError("Not written yet: put your code here.")

    check("attention_weights", attention_weights_from_memory)
    check("no_such_exercise", attention_weights_from_memory)
    assert remembered() == []


def test_running_the_notebook_again_is_no_practice(cells):
    cells += ["import torch", TEXT]
    check("attention_weights", attention_weights_from_memory)
    check("attention_weights", attention_weights_from_memory)
    assert len(remembered()) == 1
    cells.append(TEXT.replace("(-1)", "(dim=-1)"))
    check("attention_weights", attention_weights_from_memory)
    assert len(remembered()) == 2


def test_the_same_text_counts_when_it_was_asked_for(cells, capsys):
    cells.append(TEXT)
    check("attention_weights", attention_weights_from_memory)
    from_memory.ask("attention_weights")
    check("attention_weights", attention_weights_from_memory)
    check("attention_weights", attention_weights_from_memory)
    assert len(remembered()) == 2


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
    check("attention_weights", attention_weights_from_memory)
    assert "but is not saved." in capsys.readouterr().out
    assert remembered() == [("memory:attention_weights", True)]
