"""A lesson changes during the term: what is graded stays, and the trouble of one lesson blocks no other."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.gradebook import class_run
from autograder.gradebook.class_run import grade_class
from autograder.gradebook.lessons import EnterCells
from autograder.grading.graded import GradedSubmission
from autograder.releases import store
from autograder.releases.release import Release
from tests.tools.points import full_marks
from tests.tools.school import LESSON, WRITTEN, exercise, gradebook, graded, submit, with_points

LIGHT = "00_start_here"


@pytest.fixture(autouse=True)
def no_worker(monkeypatch):
    monkeypatch.setattr(class_run, "grade_one", pretended)


def pretended(submitted, seed, no_sandbox):
    """Graded by the release whose id the file ends with, else by the current one."""
    if submitted.data == b"{":
        return GradedSubmission.rejected("It is not JSON.", seed)
    result = graded(submitted.lesson)
    release = store.find(submitted.lesson, submitted.data.split()[-1].decode()) or store.current(
        submitted.lesson
    )
    result.release = release.id
    result.exercises = {name: exercise(name, points, 1.0, "") for name, points in release.exercises.items()}
    return result


def grade(course, **choices):
    outcomes = grade_class(course, ThreadPoolExecutor(1), **choices)
    return {(o.student, o.lesson): o for o in outcomes}


def changed_release(points=2.0):
    """The lesson with another exercise in the place of one, and other points of softmax, if wanted."""
    record = with_points(store.current(LESSON), "later", points).record
    record["exercises"]["rotate"] = {"points": 3.0}
    for cell in record["notebook"]["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("grade_id", "").endswith("create_causal_mask_with_cache"):
            marks["grade_id"] = marks["grade_id"].replace("create_causal_mask_with_cache", "rotate")
            marks["points"] = 3.0
    return Release.of(record)


@pytest.fixture
def changes(monkeypatch):
    """A function that makes a release the current one of its lesson."""
    before = dict(store.lessons())

    def change(release):
        all_of_them = [release, *before.values()]
        result = {(item.lesson, item.id): item for item in all_of_them}
        monkeypatch.setattr(store, "lessons", lambda: {**before, release.lesson: release})
        monkeypatch.setattr(store, "find", lambda lesson, release_id: result.get((lesson, release_id)))
        monkeypatch.setattr(store, "keep", lambda lesson: None)
        monkeypatch.setattr(store, "refusal", lambda lesson: "")

    return change


def test_a_changed_lesson_is_entered_and_nothing_is_lost(course, changes):
    first = store.current(LESSON)
    submit(course, "ada", data=b"{} " + first.id.encode())
    grade(course)
    with gradebook(course) as book:
        book.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")
        book.update_or_create_student("ada", first_name="Ada")
        book.find_grade("test_create_causal_mask_with_cache", LESSON, LESSON, "ada").manual_score = 1.5
        book.db.commit()
    changes(changed_release())
    submit(course, "ben", data=b"{} later")
    submit(course, "eve", data=b"{} " + first.id.encode())
    outcomes = grade(course, regrade=True)
    scores = {student: (o.score.final, o.score.max_score) for (student, _), o in outcomes.items()}
    full, later = full_marks(), full_marks() + 1
    assert scores == {"ada": (full - 0.5, full), "ben": (later, later), "eve": (full, full)}
    assert outcomes["ada", LESSON].about.first_name == "Ada"
    assert outcomes["ada", LESSON].score.duedate.day == 1
    assert not outcomes["ada", LESSON].score.needs_manual_grade, "a person gave a score for this very file"


def test_a_student_who_goes_on_to_a_later_release_has_grades_of_that_alone(course, changes):
    submit(course, "ada")
    grade(course)
    changes(changed_release())
    submit(course, "ada", data=b"{} later")
    score = grade(course)["ada", LESSON].score
    assert "test_rotate" in score.cells
    assert "test_create_causal_mask_with_cache" not in score.cells
    assert not score.needs_manual_grade


def test_a_lesson_that_was_not_built_blocks_no_other(course, monkeypatch):
    stale = "01_masks: run `make notebooks`."
    monkeypatch.setattr(store, "refusal", lambda lesson: stale if lesson == LESSON else "")
    submit(course, "ada")
    submit(course, "ada", WRITTEN)
    outcomes = grade(course)
    assert outcomes["ada", LESSON].notes == [stale]
    assert outcomes["ada", WRITTEN].state == "new"


def test_other_points_of_a_graded_exercise_block_that_lesson_alone(course, changes):
    submit(course, "ada")
    grade(course)
    changes(changed_release(points=4.0))
    for student in ("ben", "eve"):
        submit(course, student)
    submit(course, "ben", WRITTEN)
    outcomes = grade(course)
    assert outcomes["ben", WRITTEN].state == "new"
    assert {outcomes[student, LESSON].state for student in ("ben", "eve")} == {"left"}
    assert outcomes["ada", LESSON].score.final == full_marks()
    (sentence,) = outcomes["ben", LESSON].notes
    assert sentence.startswith(
        "01_masks: test_softmax is worth 4 points in the notebook and 2 in the gradebook"
    )


def test_points_may_change_while_nobody_has_them(course, changes):
    changes(changed_release(points=4.0))
    submit(course, "ben", data=b"{} later")
    score = grade(course)["ben", LESSON].score
    assert (score.cells["test_softmax"], score.max_score) == (4.0, full_marks() + 3)
    with gradebook(course) as book:
        assert book.find_assignment(LESSON).max_score == full_marks() + 3


def test_formgraders_generate_takes_new_cells_although_there_are_submissions(course):
    submit(course, "ada")
    grade(course)
    place = {
        "notebook": LESSON,
        "assignment": LESSON,
        "student": ".",
        "db_url": f"sqlite:///{course}/gradebook.db",
    }
    EnterCells().preprocess(changed_release().skeleton(), {"nbgrader": place})
    with gradebook(course) as book:
        assert book.find_grade_cell("test_rotate", LESSON, LESSON).max_score == 3.0
        assert book.find_submission(LESSON, "ada").score == full_marks()
