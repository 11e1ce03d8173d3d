"""Points of an exercise may change after a release: shown first, then rescaled for all, with a backup."""

import sqlite3

import pytest

from autograder.gradebook import change_points
from autograder.releases import store
from autograder.report.class_report.collect import collect
from autograder.report.class_report.reports import report_on
from tests.tools.points import full_marks
from tests.tools.school import LESSON, with_points


@pytest.fixture
def change(make_current):
    """change(points, id) makes a release current in which softmax has these points."""
    return lambda points, id="later": make_current(with_points(store.current(LESSON), id, points))


@pytest.fixture
def grades(due, grade, hand_in, book):
    """Ada has full marks, Ben half, Cho a manual score for softmax with extra credit, and Dan was late."""
    hand_in("ada", "cho")
    hand_in("ben", words="half")
    hand_in("dan", time="2026-03-03 11:00:00 UTC")
    grade()
    with book() as gradebook:
        manual_grade = gradebook.find_grade("test_softmax", LESSON, LESSON, "cho")
        manual_grade.manual_score, manual_grade.extra_credit = 1.5, 0.25
        gradebook.db.commit()


def softmax(book):
    with book() as gradebook:
        return [gradebook.find_grade("test_softmax", LESSON, LESSON, s).score for s in ("ada", "ben", "cho")]


def test_without_yes_new_points_are_shown_and_nothing_is_changed(course, grades, change, capsys):
    full = full_marks()
    change(4.0)
    before = (course / "gradebook.db").read_bytes()
    assert change_points.run(course, LESSON) == 0
    output = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in output.splitlines()]
    score = f"{full:g} of {full:g} -> {full + 2:g} of {full + 2:g}"
    due = "- 2026-03-01 12:00 UTC"
    assert {"softmax: 2 -> 4 points.", f"ada {LESSON} {due} 0 {score}"} <= set(lines)
    assert "half of 2 becomes half of 4" in output
    assert (course / "gradebook.db").read_bytes() == before


def test_with_yes_points_are_rescaled_and_the_old_gradebook_is_backed_up(
    course, grades, change, book, grade, ran
):
    change(4.0)
    assert grade(regrade=True)["ada"].state == "left", "until then the lesson is refused"
    ran.clear()
    assert change_points.run(course, LESSON, yes=True) == 0
    assert softmax(book) == [4.0, 2.0, 3.25]
    with book() as gradebook:
        late = gradebook.find_submission(LESSON, "dan")
        assert late.late_submission_penalty == late.score == full_marks() + 2
    assert ran == []
    (backup,) = (course / "gradebook_backups").iterdir()
    with sqlite3.connect(backup) as database:
        query = "select max_score from grade_cells join base_cell using (id) where name = 'test_softmax'"
        assert database.execute(query).fetchall() == [(2.0,)]
    report = report_on(collect(course))[1][LESSON]
    assert [row for row in report["doubts"] if row["kind"] == "by_hand"] == []
    (row,) = [row for row in report["exercises"] if row["exercise"] == "softmax"]
    assert (row["max_points"], row["mean_points"]) == (4.0, round((4 + 2 + 3.25 + 4) / 4, 4))


def test_afterwards_both_releases_use_the_new_points(course, grades, change, grade, hand_in):
    first, full = store.current(LESSON).id, full_marks() + 2
    change(4.0)
    change_points.run(course, LESSON, yes=True)
    for student, words in {"eve": first, "fay": "later", "gus": f"{first} half"}.items():
        hand_in(student, words=words)
    scores = {student: outcome.score for student, outcome in grade().items()}
    later = [scores[student] for student in ("eve", "fay", "gus")]
    assert [score.final for score in later] == [full, full, full / 2]
    assert not any(score.needs_manual_grade for score in later)
    assert {score.max_score for score in scores.values()} == {full}


def test_grades_of_an_exercise_with_0_points_wait_for_a_person(course, grades, change, book, capsys):
    change(0.0)
    change_points.run(course, LESSON, yes=True)
    assert softmax(book) == [0.0, 0.0, 0.25]
    change(2.0, "again")
    change_points.run(course, LESSON, yes=True)
    assert "these grades wait for a person" in capsys.readouterr().out
    with book() as gradebook:
        assert gradebook.find_submission(LESSON, "ada").needs_manual_grade


def test_an_unknown_or_unbuilt_lesson_is_refused_in_a_sentence(course, monkeypatch, capsys):
    assert change_points.run(course, "99_no", yes=True) == 1
    assert "99_no is not a lesson of this course" in capsys.readouterr().err
    monkeypatch.setattr(store, "refusal", lambda lesson: "01_masks: run `make notebooks`.")
    assert change_points.run(course, LESSON, yes=True) == 1
    assert "run `make notebooks`" in capsys.readouterr().err
