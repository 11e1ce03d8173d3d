"""A check of an answer written from memory is recorded as its own fact."""

import pytest
import torch

from course_utils import check
from course_utils.practice import from_memory
from course_utils.practice.log import recall
from tests.conftest import ROOT

TEXT = "def attention_weights_from_memory(weights):\n    return weights.softmax(-1)\n"


def recorded_answers():
    return [(fact.name, fact.right) for fact in recall()]


def version(axis, name="attention_weights_from_memory"):
    """A function of this name with this axis; with axis None it is not written yet."""

    def function(weights):
        if axis is None:
            raise NotImplementedError("Not written yet: put your code here.")
        return weights.softmax(axis)

    function.__name__ = name
    return function


@pytest.mark.parametrize(("axis", "right"), [(-1, True), (0, False)])
def test_an_answer_from_memory_is_recorded_as_right_or_wrong(axis, right):
    check("attention_weights", version(axis))
    assert recorded_answers() == [("memory:attention_weights", right)]


def test_other_checks_and_unwritten_answers_are_not_recorded():
    unrelated = [version(-1, name) for name in ("attention_weights", "sums_from_memory")]
    for obj in (*unrelated, torch.ones(3), version(None)):
        check("attention_weights", obj)
    check("no_such_exercise", version(None))
    assert recorded_answers() == []


def test_the_same_text_counts_once_unless_it_is_requested_again(monkeypatch):
    cells = ["import torch", TEXT]
    monkeypatch.setattr(from_memory, "notebook_cells", lambda: cells)
    for times in (1, 1):  # the second check is one of a notebook that runs from the top
        check("attention_weights", version(-1))
        assert len(recorded_answers()) == times
    cells.append(TEXT.replace("(-1)", "(dim=-1)"))
    check("attention_weights", version(-1))
    assert len(recorded_answers()) == 2
    from_memory.ask(["attention_weights"])
    for times in (3, 3):
        check("attention_weights", version(-1))
        assert len(recorded_answers()) == times


def test_the_request_to_write_from_memory_shows_only_the_signature(capsys):
    from_memory.ask(["DecoderBlock"])
    assert capsys.readouterr().out == (
        "Write `DecoderBlock` from memory, in a new cell, without hints: "
        "`DecoderBlock(attention, d_model, d_hidden)`, `forward(x, cache_k=None, cache_v=None)`.\n"
        'Call it `DecoderBlock_from_memory`; then `check("DecoderBlock", DecoderBlock_from_memory)` tries it.'
        "\n"
    )


def test_passing_exercises_become_new_items_from_memory(place):
    assert from_memory.KIND.new([]) == []
    (place / ".progress").mkdir()
    (place / ".progress" / "masked_softmax.py").write_text("passes")
    assert from_memory.KIND.new([]) == ["masked_softmax"]


def test_the_lessons_final_from_memory_exercises_are_listed():
    text = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("solutions/0[0-9]_*/*.py"))
    names = {name for name in from_memory.KIND.minutes() if f'check("{name}", {name}_from_memory)' in text}
    assert names == set(from_memory.LESSON_END_MINUTES)
