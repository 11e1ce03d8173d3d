"""Points of an exercise change after the release: shown first, then rescaled for all, with a backup kept."""

import sqlite3

import pytest

from autograder.releases import store
from autograder.report.class_report.collect import collect
from autograder.report.class_report.reports import report_on
from autograder.term import change_points
from tests.tools.points import full_marks
from tests.tools.school import LESSON, with_points


@pytest.fixture
def change(monkeypatch):
    """A function that makes a release in which softmax has other points the current one -> the one before."""

    def make(points, version="later"):
        before, result = store.current(LESSON), dict(store.lessons())
        expected[version], expected[before.id] = with_points(before, version, points), before
        monkeypatch.setattr(store, "lessons", lambda: result | {LESSON: expected[version]})
        monkeypatch.setattr(store, "find", lambda lesson, release_id: expected.get(release_id))
        monkeypatch.setattr(store, "keep", lambda lesson: None)
        monkeypatch.setattr(store, "refusal", lambda lesson: "")
        return before.id

    expected = {}
    return make


@pytest.fixture
def graded(grade, hand_in, book):
    """Ada has full marks, Ben half, and Cho a person's score for softmax, with extra credit."""
    for student, data in (("ada", b"{}"), ("ben", b"{} half"), ("cho", b"{}")):
        hand_in(student, data=data)
    grade()
    with book() as opened:
        by_hand = opened.find_grade("test_softmax", LESSON, LESSON, "cho")
        by_hand.manual_score, by_hand.extra_credit = 1.5, 0.25
        opened.db.commit()


def softmax(book):
    with book() as opened:
        return {s: opened.find_grade("test_softmax", LESSON, LESSON, s).score for s in ("ada", "ben", "cho")}


def test_it_is_shown_and_nothing_is_changed(course, graded, change, capsys):
    full = full_marks()
    change(4.0)
    before = (course / "gradebook.db").read_bytes()
    assert change_points.run(course, LESSON) == 0
    printed = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    score = f"{full:g} of {full:g} -> {full + 2:g} of {full + 2:g}"
    assert {"softmax: 2 -> 4 points.", f"ada {LESSON} - - 0 {score}"} <= set(lines)
    assert "half of 2 becomes half of 4" in printed
    assert (course / "gradebook.db").read_bytes() == before


def test_with_yes_points_are_rescaled_and_the_old_gradebook_is_kept(course, graded, change, book, grade, ran):
    change(4.0)
    ran.clear()
    assert grade(regrade=True)["ada"].state == "left", "until then the lesson is refused"
    assert change_points.run(course, LESSON, yes=True) == 0
    assert softmax(book) == {"ada": 4.0, "ben": 2.0, "cho": 3.25}
    with book() as opened:
        assert opened.find_grade_cell("test_softmax", LESSON, LESSON).max_score == 4.0
    assert ran == []
    (saved,) = (course / "gradebook_backups").iterdir()
    with sqlite3.connect(saved) as old:
        query = "select max_score from grade_cells join base_cell using (id) where name = 'test_softmax'"
        assert old.execute(query).fetchall() == [(2.0,)]
    assert (course / "grades.csv").exists()


def test_later_both_releases_are_graded_in_the_new_points(course, graded, change, grade, hand_in):
    first, full = change(4.0), full_marks() + 2
    change_points.run(course, LESSON, yes=True)
    for student, data in (("dan", first), ("eve", "later"), ("fay", f"{first} half")):
        hand_in(student, data=f"{{}} {data}".encode())
    scores = {student: outcome.score for student, outcome in grade().items()}
    later = [scores[student] for student in ("dan", "eve", "fay")]
    assert [score.final for score in later] == [full, full, full / 2]
    assert not any(score.needs_manual_grade for score in later)
    assert {score.max_score for score in scores.values()} == {full}


def test_the_class_report_takes_rescaled_points_for_nobodys_decision(course, graded, change):
    change(4.0)
    change_points.run(course, LESSON, yes=True)
    report = report_on(collect(course))[1][LESSON]
    assert [row for row in report["doubts"] if row["kind"] == "by_hand"] == []
    (row,) = [row for row in report["exercises"] if row["exercise"] == "softmax"]
    assert row["max_points"] == 4.0
    assert row["mean_points"] == round((4 + 2 + 3.25) / 3, 4)


def test_a_late_penalty_follows_the_points(course, due, hand_in, grade, change, book):
    hand_in("ada", "2026-03-03 11:00:00 UTC")
    grade()
    change(4.0)
    change_points.run(course, LESSON, yes=True)
    with book() as opened:
        result = opened.find_submission(LESSON, "ada")
        assert result.late_submission_penalty == result.score == full_marks() + 2


def test_from_0_points_a_person_decides(course, graded, change, book, capsys):
    change(0.0, "none")
    change_points.run(course, LESSON, yes=True)
    assert softmax(book) == {"ada": 0.0, "ben": 0.0, "cho": 0.25}
    change(2.0, "again")
    change_points.run(course, LESSON, yes=True)
    assert "these grades wait for a person" in capsys.readouterr().out
    with book() as opened:
        assert opened.find_submission(LESSON, "ada").needs_manual_grade


def test_without_a_change_there_is_nothing_to_do(course, graded, capsys):
    assert change_points.run(course, LESSON, yes=True) == 0
    assert "Nothing needs to change." in capsys.readouterr().out
    assert not (course / "gradebook_backups").exists()


def test_an_unknown_lesson_and_an_unbuilt_one_are_sentences(course, graded, monkeypatch, capsys):
    assert change_points.run(course, "99_no", yes=True) == 1
    assert "99_no is not a lesson of this course" in capsys.readouterr().err
    monkeypatch.setattr(store, "refusal", lambda lesson: "01_masks: run `make notebooks`.")
    assert change_points.run(course, LESSON, yes=True) == 1
    assert "run `make notebooks`" in capsys.readouterr().err
