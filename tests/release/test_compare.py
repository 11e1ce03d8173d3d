"""A changed outcome is reported unless it is listed as intended."""

import pytest

from autograder.exercises import names

from . import record
from .compare import Change, differences, intended_changes
from .record import Outcome

KEY, WAS = ("reference", "11"), Outcome("passed", 2.0, None, "Right.")
WORDS = {"mistake": "b"}, {"sentence": "Else."}
CHANGES = [Change("intended", who="reference"), Change("clearer words", words_only=True)]
CHANGES.append(Change("another exercise", record="masked_softmax"))


@pytest.mark.parametrize("change_of_outcome", [{"status": "broken"}, {"points": 1.0}, None, *WORDS], ids=str)
def test_every_changed_outcome_is_reported_unless_it_is_intended(change_of_outcome):
    now = {KEY: WAS._replace(**change_of_outcome)} if change_of_outcome else {}
    assert [*differences("softmax", {KEY: WAS}, now).values()] == [["11"]]
    is_reported = [bool(differences("softmax", {KEY: WAS}, now, [change])) for change in CHANGES]
    assert is_reported == [False, change_of_outcome not in WORDS, True]


def test_every_exercise_is_recorded_and_every_intended_change_has_a_reason():
    assert [name for name in names() if ("reference", "11") not in record.read(name)] == []
    assert all(len(change.reason) > 20 for change in intended_changes())
