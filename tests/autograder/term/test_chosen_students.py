"""`make grade GRADE_FLAGS="--student ada"` grades only these students and changes no other."""

import csv
import re

import pytest

from autograder.gradebook import command
from autograder.gradebook.standing import outcomes_now
from autograder.notes import texts_of
from autograder.refused import Refused
from tests.autograder.conftest import InPickles
from tests.tools.points import full_marks


def test_only_the_chosen_students_are_graded_and_all_stay_in_the_table(grade, hand_in, ran):
    hand_in("ada", "ben", "cho")
    grade(students=["ada", "cho"])
    assert ran == ["ada", "cho"]
    hand_in("ada", "cho", words="half")
    outcomes = grade(students=["ada"])
    states = {student: outcome.state for student, outcome in outcomes.items()}
    assert states == {"ada": "new", "ben": "left", "cho": "left"}
    assert outcomes["ada"].score.final == full_marks() / 2
    assert texts_of(outcomes["cho"].notes) == ["What was handed in has changed since, and is not graded yet."]
    assert outcomes["cho"].score.final == full_marks()
    grade(students=["ada"], regrade=True)
    assert ran == ["ada", "cho", "ada", "ada"]
    with pytest.raises(Refused, match=r"There is no submission of adda to grade in .*submitted"):
        grade(students=["ada", "adda"], regrade=True)
    assert len(ran) == 4


def test_regrading_shows_old_and_new_scores_needs_yes_and_makes_a_backup(
    course, grade, hand_in, ran, monkeypatch, capsys
):
    hand_in("ada", "ben")
    grade()
    monkeypatch.setattr(command, "ThreadPoolExecutor", lambda jobs: InPickles(ran))
    hand_in("ben", words="half")
    assert command.run(course, regrade=True) == 1
    output, full = capsys.readouterr().out, full_marks()
    assert re.search(rf"ben .* {full:g} of {full:g} -> {full / 2:g} of {full:g}\n", output)
    assert "ada" not in output
    assert "Nothing is changed yet: add --yes" in output
    assert outcomes_now(course)[1].score.final == full
    assert not (course / "gradebook_backups").exists()
    hand_in("ben")
    assert command.run(course, students=["ada"], regrade=True, yes=True) == 0
    assert ran == ["ada", "ben", "ada", "ben", "ada"]
    assert "No score changes." in capsys.readouterr().out
    assert len(list((course / "gradebook_backups").iterdir())) == 1
    rows = csv.DictReader((course / "grades.csv").read_text().splitlines())
    assert [(row["student_id"], row["status"]) for row in rows] == [("ada", "graded"), ("ben", "graded")]
