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


def test_a_new_sentence_covers_no_other_change():
    change = Change("clearer", sentence=("It is a.", "This is a."))
    now = {key: item._replace(sentence=item.sentence.replace("It", "This")) for key, item in WAS.items()}
    assert differences("softmax", WAS, now, [change]) == {}
    now = {key: item._replace(mistake="b") for key, item in now.items()}
    assert len(differences("softmax", WAS, now, [change])) == 2


def test_new_words_cover_no_other_score():
    change = Change("clearer words", words_only=True)
    now = {key: item._replace(mistake="b", sentence="Else.") for key, item in WAS.items()}
    assert differences("softmax", WAS, now, [change]) == {}
    now = {key: item._replace(points=0.5) for key, item in now.items()}
    assert len(differences("softmax", WAS, now, [change])) == 2
    assert len(differences("softmax", WAS, {}, [change])) == 2


def test_what_differs_between_processors_or_moments_is_left_out():
    text = "Cells 3, 5 and 8 of the notebook ended with a lost process: it is {} in case 2."
    item, other = (Outcome.of("wrong", 0.1 + 0.2, None, text.format(n)) for n in ("0.25381", "1.5e-09"))
    assert item == other == Outcome.of("error", 0.3, None, text.replace("3, 5 and 8", "3").format("7.0"))
    assert "case 2" in item.sentence


def test_the_numbers_of_cells_are_left_out():
    item, other = (
        Outcome.of("graded", 1.0, None, f"Cells {n} of the notebook ended with ZeroDivisionError")
        for n in ("3, 5 and 8", "4, 6, 9 and 12")
    )
    assert item == other
    assert "ZeroDivisionError" in item.sentence


def test_every_exercise_is_recorded():
    recorded = {name: record.read(name) for name in names()}
    assert {name for name, result in recorded.items() if ("reference", "11") not in result} == set()


def test_every_intended_change_has_a_reason():
    assert all(len(change.reason) > 20 for change in intended())
