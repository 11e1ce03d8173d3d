"""Points of an exercise may change after a release: shown first, then rescaled for all, with a backup."""

import sqlite3

import pytest

from autograder.releases import store
from autograder.report.class_report.collect import collect
from autograder.report.class_report.reports import report_on
from autograder.term import change_points
from tests.tools.points import full_marks
from tests.tools.school import LESSON, with_points


@pytest.fixture
def change(make_current):
    """change(points, id) makes a release current in which softmax has these points."""
    return lambda points, id="later": make_current(with_points(store.current(LESSON), id, points))


@pytest.fixture
def graded(due, grade, hand_in, book):
    """Ada has full marks, Ben half, Cho a manual score for softmax with extra credit, and Dan was late."""
    hand_in("ada", "cho")
    hand_in("ben", words="half")
    hand_in("dan", time="2026-03-03 11:00:00 UTC")
    grade()
    with book() as opened:
        by_hand = opened.find_grade("test_softmax", LESSON, LESSON, "cho")
        by_hand.manual_score, by_hand.extra_credit = 1.5, 0.25
        opened.db.commit()


def softmax(book):
    with book() as opened:
        return [opened.find_grade("test_softmax", LESSON, LESSON, s).score for s in ("ada", "ben", "cho")]


def test_it_is_shown_and_nothing_is_changed(course, graded, change, capsys):
    full = full_marks()
    change(4.0)
    before = (course / "gradebook.db").read_bytes()
    assert change_points.run(course, LESSON) == 0
    printed = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    score = f"{full:g} of {full:g} -> {full + 2:g} of {full + 2:g}"
    due = "- 2026-03-01 12:00 UTC"
    assert {"softmax: 2 -> 4 points.", f"ada {LESSON} {due} 0 {score}"} <= set(lines)
    assert "half of 2 becomes half of 4" in printed
    assert (course / "gradebook.db").read_bytes() == before


def test_with_yes_points_are_rescaled_in_gradebook_and_report_and_the_old_gradebook_is_kept(
    course, graded, change, book, grade, ran
):
    change(4.0)
    assert grade(regrade=True)["ada"].state == "left", "until then the lesson is refused"
    ran.clear()
    assert change_points.run(course, LESSON, yes=True) == 0
    assert softmax(book) == [4.0, 2.0, 3.25]
    with book() as opened:
        late = opened.find_submission(LESSON, "dan")
        assert late.late_submission_penalty == late.score == full_marks() + 2
    assert ran == []
    (saved,) = (course / "gradebook_backups").iterdir()
    with sqlite3.connect(saved) as old:
        query = "select max_score from grade_cells join base_cell using (id) where name = 'test_softmax'"
        assert old.execute(query).fetchall() == [(2.0,)]
    report = report_on(collect(course))[1][LESSON]
    assert [row for row in report["doubts"] if row["kind"] == "by_hand"] == []
    (row,) = [row for row in report["exercises"] if row["exercise"] == "softmax"]
    assert (row["max_points"], row["mean_points"]) == (4.0, round((4 + 2 + 3.25 + 4) / 4, 4))


def test_later_both_releases_are_graded_in_the_new_points(course, graded, change, grade, hand_in):
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


def test_from_0_points_a_person_decides(course, graded, change, book, capsys):
    change(0.0)
    change_points.run(course, LESSON, yes=True)
    assert softmax(book) == [0.0, 0.0, 0.25]
    change(2.0, "again")
    change_points.run(course, LESSON, yes=True)
    assert "these grades wait for a person" in capsys.readouterr().out
    with book() as opened:
        assert opened.find_submission(LESSON, "ada").needs_manual_grade


def test_an_unknown_lesson_and_an_unbuilt_one_are_sentences(course, monkeypatch, capsys):
    assert change_points.run(course, "99_no", yes=True) == 1
    assert "99_no is not a lesson of this course" in capsys.readouterr().err
    monkeypatch.setattr(store, "refusal", lambda lesson: "01_masks: run `make notebooks`.")
    assert change_points.run(course, LESSON, yes=True) == 1
    assert "run `make notebooks`" in capsys.readouterr().err
