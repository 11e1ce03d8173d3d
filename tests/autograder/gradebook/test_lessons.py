"""A lesson may change during the term: graded work stays, and its problems do not block other lessons."""

import pytest

from autograder.gradebook.lessons import EnterCells
from autograder.releases import store
from autograder.releases.release import Release
from tests.tools.points import full_marks
from tests.tools.school import LESSON, WRITTEN, with_points


def changed_release(points=2.0):
    """A later release with one exercise replaced by another, and other points for softmax if given."""
    record = with_points(store.current(LESSON), "later", points).record
    record["exercises"]["rotate"] = {"points": 3.0}
    for cell in record["notebook"]["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("grade_id", "").endswith("create_causal_mask_with_cache"):
            marks["grade_id"] = marks["grade_id"].replace("create_causal_mask_with_cache", "rotate")
            marks["points"] = 3.0
    return Release.of(record)


@pytest.fixture
def adas_grade(hand_in, grade):
    """Ada's work, already graded."""
    hand_in("ada")
    grade()


def test_a_changed_lesson_keeps_manual_scores_due_dates_and_names(course, hand_in, grade, make_current, book):
    """The earlier release lacks an exercise, and is accepted."""
    first = store.current(LESSON).id
    (course / "releases.csv").write_text(f"lesson,release\n{LESSON},{first}\n")
    hand_in("ada", words=first)
    grade()
    with book() as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")
        gradebook.update_or_create_student("ada", first_name="Ada")
        gradebook.find_grade("test_create_causal_mask_with_cache", LESSON, LESSON, "ada").manual_score = 1.5
        gradebook.db.commit()
    make_current(changed_release())
    hand_in("ben", words="later")
    hand_in("eve", words=first)
    outcomes = grade(regrade=True)
    scores = {student: (o.score.final, o.score.max_score) for student, o in outcomes.items()}
    full, later = full_marks(), full_marks() + 1
    assert scores == {"ada": (full - 0.5, full), "ben": (later, later), "eve": (full, full)}
    ada = outcomes["ada"]
    assert (ada.about.first_name, ada.score.duedate.day) == ("Ada", 1)
    assert not ada.score.needs_manual_grade, "a person gave a score for this very file"


def test_moving_to_a_later_release_drops_old_grades_except_manual_ones(
    adas_grade, hand_in, grade, make_current, book
):
    hand_in("ben")
    grade()
    old = "test_create_causal_mask_with_cache"
    with book() as gradebook:
        gradebook.find_grade(old, LESSON, LESSON, "ben").manual_score = 1.5
        gradebook.db.commit()
    make_current(changed_release())
    hand_in("ada", "ben", words="later")
    scores = {student: outcome.score for student, outcome in grade().items()}
    assert {student: score.cells.get(old) for student, score in scores.items()} == {"ada": None, "ben": 1.5}
    assert {student: s.needs_manual_grade for student, s in scores.items()} == {"ada": False, "ben": True}
    assert "test_rotate" in scores["ada"].cells


def test_changed_points_of_a_graded_exercise_block_only_that_lesson(adas_grade, hand_in, grade, make_current):
    make_current(changed_release(points=4.0))
    hand_in("ben", "eve")
    hand_in("ben", lesson=WRITTEN)
    outcomes = grade()
    assert outcomes["ben", WRITTEN].state == "new"
    assert {outcomes[student].state for student in ("ben", "eve")} == {"left"}
    assert outcomes["ada"].score.final == full_marks()
    reason = "01_masks: test_softmax is worth 4 points in the notebook and 2 in the gradebook"
    assert outcomes["ben"].notes[0].text.startswith(reason)


def test_points_may_change_while_nobody_has_been_graded(hand_in, grade, make_current, book):
    make_current(changed_release(points=4.0))
    hand_in("ben", words="later")
    score = grade()["ben"].score
    assert (score.cells["test_softmax"], score.max_score) == (4.0, full_marks() + 3)
    with book() as gradebook:
        assert gradebook.find_assignment(LESSON).max_score == full_marks() + 3


def test_formgraders_generate_adds_new_cells_although_there_are_submissions(course, adas_grade, book):
    place = {"notebook": LESSON, "assignment": LESSON, "student": "."}
    place["db_url"] = f"sqlite:///{course}/gradebook.db"
    EnterCells().preprocess(changed_release().skeleton(), {"nbgrader": place})
    with book() as gradebook:
        assert gradebook.find_grade_cell("test_rotate", LESSON, LESSON).max_score == 3.0
        assert gradebook.find_submission(LESSON, "ada").score == full_marks()
