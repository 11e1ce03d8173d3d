"""`make grade GRADE_FLAGS="--student ada"` grades only these students and changes no other."""

import csv

import pytest

from autograder.gradebook import command
from autograder.refused import Refused
from tests.tools.points import full_marks


def test_only_the_chosen_students_are_graded_and_all_stay_in_the_table(grade, hand_in, ran):
    hand_in("ada", "ben", "cho")
    grade(students=["ada", "cho"])
    assert ran == ["ada", "cho"]
    hand_in("ada", "cho", words="half")
    outcomes = grade(students=["ada"])
    states = {student: outcome.state for student, outcome in outcomes.items()}
    assert states == {"ada": "new", "ben": "left", "cho": "unchanged"}
    assert outcomes["ada"].score.final == full_marks() / 2
    assert outcomes["cho"].score.final == full_marks()
    grade(students=["ada"], regrade=True)
    assert ran == ["ada", "cho", "ada", "ada"]
    with pytest.raises(Refused, match=r"There is no submission of adda to grade in .*submitted"):
        grade(students=["ada", "adda"], regrade=True)
    assert len(ran) == 4


def test_regrading_needs_yes_and_makes_a_backup(course, grade, hand_in, ran, monkeypatch, capsys):
    """The command uses this test's grader."""
    hand_in("ada", "ben")
    grade()
    monkeypatch.setattr(command, "grade_with_bar", lambda *arguments: list(grade(**arguments[-1]).values()))
    assert command.run(course, regrade=True) == 1
    assert "Nothing is changed yet: add --yes" in capsys.readouterr().out
    assert ran == ["ada", "ben"]
    assert command.run(course, students=["ada"], regrade=True, yes=True) == 0
    assert ran == ["ada", "ben", "ada"]
    assert len(list((course / "gradebook_backups").iterdir())) == 1
    output = capsys.readouterr().out
    assert "ada" in output
    assert "ben" not in output, "the terminal shows the chosen"
    rows = csv.DictReader((course / "grades.csv").read_text().splitlines())
    assert [(row["student_id"], row["status"]) for row in rows] == [("ada", "graded"), ("ben", "graded")]
