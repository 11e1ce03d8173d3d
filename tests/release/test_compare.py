"""A change of the code is seen in the record, unless it is listed as intended."""

import pytest

from autograder.exercises import names

from . import record
from .compare import Change, differences, intended
from .record import Outcome

WAS = {
    ("mistake/a/0", "11"): Outcome("wrong", 0.0, "a", "It is a."),
    ("reference", "11"): Outcome("passed", 2.0, None, "Right."),
}


@pytest.mark.parametrize("place", WAS)
@pytest.mark.parametrize(
    "becomes", [{"status": "broken"}, {"points": 1.0}, {"mistake": "b"}, {"sentence": "Else."}, None], ids=str
)
def test_every_change_is_seen(place, becomes):
    now = {key: item._replace(**becomes) if key == place and becomes else item for key, item in WAS.items()}
    if becomes is None:
        del now[place]
    (who, _, _), seeds = next(iter(differences("softmax", WAS, now).items()))
    assert (who, *seeds) == place
    assert differences("softmax", WAS, now, [Change("intended", who=place[0])]) == {}
    assert differences("softmax", WAS, now, [Change("another exercise", record="masked_softmax")]) != {}


def test_new_words_cover_no_other_score():
    change = Change("clearer words", words_only=True)
    now = {key: item._replace(mistake="b", sentence="Else.") for key, item in WAS.items()}
    assert differences("softmax", WAS, now, [change]) == {}
    now = {key: item._replace(points=0.5) for key, item in now.items()}
    assert len(differences("softmax", WAS, now, [change])) == 2
    assert len(differences("softmax", WAS, {}, [change])) == 2


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
