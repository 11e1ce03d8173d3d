"""A changed outcome is reported; sample programs can be read, and a renewed expectation is what was seen."""

from collections import Counter

import pytest

from autograder.exercises import earlier_names, names
from course_utils.model.result import Result
from tests import programs
from tests.programs import all_programs, exercise_names, expectation, outcome

from . import record
from .record import SEEDS, VISIBLE, Outcome, differences

KEY, WAS = ("reference", "11"), Outcome("passed", 2.0, None, "Right.")
CHANGES = [{"status": "broken"}, {"points": 1.0}, {"mistake": "b"}, {"sentence": "Else."}, None]


@pytest.mark.parametrize("change", CHANGES)
def test_every_changed_outcome_is_reported(change):
    now = {KEY: WAS._replace(**change)} if change else {}
    assert [*differences({KEY: WAS}, now).values()] == [["11"]]
    assert differences(now, now) == {}


def test_every_exercise_is_recorded():
    assert [name for name in names() if ("reference", "11") not in record.read(name)] == []


def test_every_program_has_a_name_of_its_own_and_an_expectation():
    assert set(exercise_names()) - {*names(), *earlier_names()} == set()
    counts = Counter(map(str, all_programs()))
    assert [name for name, number in counts.items() if number > 1] == []
    assert [str(program) for program in all_programs() if not program.expected] == []


RIGHT = Result("softmax", True, "", None, 2.0, 2.0, "passed")
UNSTABLE = Result("softmax", False, "", "unstable", 1.88, 2.0)
SHOWN = Result("softmax", False, "", None, 0.0, 2.0, "error")
ONE_LEFT = Result("softmax", False, "", "changes_input", 1.9, 2.0, "one_left")
CELLS = """\
# %% plain: what it does
# taken
def softmax(x): ...
# %% strangers_2026_11/new
# taken from a book
def softmax(x): return x
"""


def test_an_outcome_is_written_in_the_words_of_an_expectation():
    words = ["taken", "taken, one left 1.9: changes_input", "refused, 1.88: unstable", "refused: shown"]
    broken = Result("softmax", False, "", None, 0.0, 2.0, "broken")
    seen = [outcome(result) for result in (RIGHT, ONE_LEFT, UNSTABLE, SHOWN, broken)]
    assert seen == [*words, "refused: broken"]


def test_a_renewed_expectation_says_what_each_seed_gives(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "FOLDER", tmp_path)
    (tmp_path / "softmax.py").write_text(CELLS)
    before = programs.read("softmax")
    assert [program.expected for program in before] == ["taken", ""]
    seen = dict(zip((VISIBLE, *SEEDS), (UNSTABLE, SHOWN, UNSTABLE, SHOWN), strict=True))
    new = [expectation(seen), expectation(dict.fromkeys(seen, RIGHT))]
    assert new == [f"refused, 1.88: unstable; seeds {SEEDS[0]}, {SEEDS[2]} refused: shown", "taken"]
    programs.renew("softmax", {"plain": new[0], "strangers_2026_11/new": new[1]})
    after = programs.read("softmax")
    assert [program.expected for program in after] == new
    assert [program.source for program in after] == [program.source for program in before]
