"""Results in nbgrader's gradebook: scores, manual grading, feedback, export; one writer at a time."""

import csv

import pytest
from nbgrader.plugins import CsvExportPlugin
from sqlalchemy.orm import Session

from autograder.gradebook.course import settings
from autograder.gradebook.writer import Writer
from autograder.grading.graded import GradedSubmission
from autograder.notes import DOUBT, Note
from autograder.refused import Refused
from tests.tools.points import full_marks
from tests.tools.school import LESSON, WRITTEN, buttons, graded, submitted


def record(course, lesson=LESSON, result=None, **message):
    with Writer(course) as writer:
        writer.write(submitted(course, "ada", lesson), result or graded(lesson, **message))


def score_of(book, lesson=LESSON):
    with book() as gradebook:
        result = gradebook.find_submission(lesson, "ada")
        return result.score, result.max_score, result.needs_manual_grade


def page_of(course, lesson=LESSON):
    return (course / "autograded" / "ada" / lesson / f"{lesson}.ipynb").read_text(encoding="utf-8")


def feedback_of(course):
    assert buttons(course).generate_feedback(LESSON, "ada")["success"]
    return (course / "feedback" / "ada" / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")


def decide(book, points=1.5):
    """Give points as formgrader does for a person."""
    with book() as gradebook:
        grade = gradebook.find_grade("test_softmax", LESSON, LESSON, "ada")
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


@pytest.mark.parametrize("answer", ["That it attends.", ""])
def test_a_written_answer_waits_for_a_person_unless_it_is_empty(course, hand_in, book, answer):
    hand_in("ada", lesson=WRITTEN)
    record(course, WRITTEN, texts={"what_may_one_conclude": answer} if answer else {})
    assert score_of(book, WRITTEN)[2] is bool(answer)
    assert answer in page_of(course, WRITTEN)


def test_a_manual_score_is_kept_and_a_later_file_waits_for_a_person(course, hand_in, book):
    hand_in("ada", time="2026-03-01 13:00:00 UTC")
    record(course, share=0.0)
    decide(book)
    record(course, share=0.0)
    assert score_of(book) == (1.5, full_marks(), False)
    hand_in("ada", words="another").with_name("timestamp.txt").unlink()
    record(course, share=0.0)
    assert score_of(book) == (1.5, full_marks(), True)
    assert "an earlier file was handed in at 2026-03-01 13:00:00 UTC" in page_of(course)


def test_a_doubtful_submission_waits_until_a_person_decides(course, hand_in, book):
    hand_in("ada")
    doubtful = graded()
    doubtful.notes = [Note(DOUBT, "It names an unknown release.")]
    record(course, result=doubtful)
    assert score_of(book) == (full_marks(), full_marks(), True)
    decide(book, points=2.0)
    record(course, result=doubtful)
    assert score_of(book) == (full_marks(), full_marks(), False)


def test_a_rejected_submission_has_no_score_and_a_page_with_the_reason(course, hand_in, book):
    hand_in("ada")
    record(course, result=GradedSubmission.rejected("The file is not <b>JSON</b>.", 1))
    assert score_of(book) == (0.0, full_marks(), True)
    with book() as gradebook:
        grades = gradebook.find_submission_notebook(LESSON, LESSON, "ada").grades
        assert {grade.auto_score for grade in grades} == {None}
    assert "could not be graded" in page_of(course)
    assert "The file is not &lt;b&gt;JSON&lt;/b&gt;." in feedback_of(course)


def test_a_cell_without_a_matching_result_gets_no_points_and_waits(course, hand_in, book):
    hand_in("ada")
    result = graded()
    del result.exercises["softmax"]
    result.exercises["create_causal_mask"].max_points = 1.0  # not the points of the cell
    record(course, result=result)
    points = full_marks(without=["softmax", "create_causal_mask"])
    assert score_of(book) == (points, full_marks(), True)


def test_nbgraders_feedback_and_export_show_the_courses_results(course, hand_in, book, monkeypatch):
    monkeypatch.chdir(course)
    hand_in("ada")
    record(course, share=0.5, message="Divide by `sqrt(d_head)`, not by d_model.")
    page = feedback_of(course)
    for part in ("the card of softmax", "sqrt(d_head)</code>, not by d_model.", "Score: 1.0 / 2.0"):
        assert part in page
    assert "¶" not in page
    with book() as gradebook:
        plugin = CsvExportPlugin(config=settings(course))
        plugin.export(gradebook)
    assert plugin.to not in ("", "grades.csv"), "which is the course's own"
    rows = csv.DictReader((course / plugin.to).read_text().splitlines())
    scores = {(row["student_id"], row["assignment"]): float(row["score"]) for row in rows}
    assert scores["ada", LESSON] == full_marks() / 2


def test_a_submission_is_written_in_one_commit_with_a_read_only_page(course, hand_in, monkeypatch):
    """Other readers of the gradebook see the whole submission or nothing of it."""
    hand_in("ada")
    commits, real = [], Session.commit
    monkeypatch.setattr(Session, "commit", lambda session: (commits.append(session), real(session)))
    with Writer(course) as writer:
        commits.clear()
        writer.write(submitted(course, "ada"), graded())
        assert len(commits) == 1
    (page,) = (course / "autograded" / "ada" / LESSON).glob("*.ipynb")
    assert page.stat().st_mode & 0o777 == 0o444  # like nbgrader's own pages


def test_a_second_grader_is_refused_while_another_is_running(course):
    with Writer(course), pytest.raises(Refused, match="Another grader is running"), Writer(course):
        pass


def test_a_foreign_or_damaged_gradebook_is_refused_and_left_unchanged(course, hand_in):
    hand_in("ada")
    before, settings = (course / "gradebook.db").read_bytes(), course / "nbgrader_config.py"
    settings.write_text(settings.read_text() + 'c.CourseDirectory.course_id = "geometry"\n')
    for text in ("belongs to the course attention, not to geometry: move it away", "file is not a database"):
        with pytest.raises(Refused, match=f"^The gradebook .*{text}[^\n]*$"), Writer(course):
            pass
        assert text in buttons(course).autograde(LESSON, "ada")["log"]
        assert (course / "gradebook.db").read_bytes() == before
        before = b"no database at all" * 100
        (course / "gradebook.db").write_bytes(before)
