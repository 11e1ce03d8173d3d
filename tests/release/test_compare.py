"""A change of the code is seen in the record, unless it is listed as intended."""

import pytest

from autograder.exercises import names

from . import record
from .compare import Change, differences, intended
from .record import Outcome

KEY, WAS = ("reference", "11"), Outcome("passed", 2.0, None, "Right.")
WORDS = {"mistake": "b"}, {"sentence": "Else."}
CHANGES = [Change("intended", who="reference"), Change("clearer words", words_only=True)]
CHANGES.append(Change("another exercise", record="masked_softmax"))


@pytest.mark.parametrize("becomes", [{"status": "broken"}, {"points": 1.0}, None, *WORDS], ids=str)
def test_every_change_is_seen_unless_it_is_intended(becomes):
    now = {KEY: WAS._replace(**becomes)} if becomes else {}
    assert [*differences("softmax", {KEY: WAS}, now).values()] == [["11"]]
    is_seen = [bool(differences("softmax", {KEY: WAS}, now, [change])) for change in CHANGES]
    assert is_seen == [False, becomes not in WORDS, True]


def test_what_differs_between_processors_moments_and_versions_of_a_lesson_is_left_out():
    text = "Cells 3, 5 and 8 of the notebook ended with {}: it is {} in case 2."
    lost, error = text.replace("{}", "a lost process", 1), text.replace("{}", "ZeroDivisionError", 1)
    item = Outcome.of("wrong", 0.1 + 0.2, None, lost.format("0.25381"))
    assert item == Outcome.of("error", 0.3, None, lost.replace("3, 5 and 8", "3").format("7.0e-09"))
    assert "case 2" in item.sentence
    item = Outcome.of("wrong", 1.0, None, error)
    assert item == Outcome.of("wrong", 1.0, None, error.replace("3, 5 and 8", "4, 6, 9 and 12"))
    assert "ZeroDivisionError" in item.sentence


def test_every_exercise_is_recorded_and_every_intended_change_has_a_reason():
    assert [name for name in names() if ("reference", "11") not in record.read(name)] == []
    assert all(len(change.reason) > 20 for change in intended())
