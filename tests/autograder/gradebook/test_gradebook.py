"""Results go into nbgrader: scores, manual grading, late penalties, feedback, export; by one writer."""

import csv
import json
from datetime import datetime

import pytest
from nbgrader.plugins import CsvExportPlugin
from sqlalchemy.orm import Session

from autograder.gradebook import record as recording
from autograder.gradebook.writer import Writer
from autograder.grading.graded import GradedSubmission
from autograder.refused import Refused
from tests.tools.points import full_marks
from tests.tools.school import (
    LESSON,
    WRITTEN,
    buttons,
    copy_of,
    gradebook,
    graded,
    new_course,
    submit,
    submitted,
)


@pytest.fixture(scope="session")
def entered(tmp_path_factory):
    """A course whose gradebook knows two lessons and one student."""
    course = new_course(tmp_path_factory.mktemp("entered"))
    with Writer(course) as writer:
        for lesson in (LESSON, WRITTEN):
            submit(course, "known", lesson)
            writer.enter(lesson)
            writer.write(submitted(course, "known", lesson), graded(lesson, 0.5))
    return course


@pytest.fixture
def course(entered, tmp_path):
    return copy_of(entered, tmp_path / "course")


def record(course, student, lesson=LESSON, result=None, **message):
    with Writer(course) as writer:
        writer.write(submitted(course, student, lesson), result or graded(lesson, **message))


def score_of(course, student, lesson=LESSON):
    with gradebook(course) as book:
        result = book.find_submission(lesson, student)
        return result.score, result.max_score, result.needs_manual_grade


def page_of(course, student, lesson=LESSON, step="autograded", kind="ipynb"):
    return (course / step / student / lesson / f"{lesson}.{kind}").read_text(encoding="utf-8")


def test_points_are_the_judges(course):
    submit(course, "ada")
    record(course, "ada", share=0.4)
    assert score_of(course, "ada") == (pytest.approx(0.4 * full_marks()), full_marks(), False)


def test_a_written_answer_waits_for_a_person_and_an_untouched_one_does_not(course):
    submit(course, "ada", WRITTEN)
    record(course, "ada", WRITTEN, texts={"what_may_one_conclude": "That it attends."})
    assert score_of(course, "ada", WRITTEN)[2] is True
    assert "That it attends." in page_of(course, "ada", WRITTEN)
    assert score_of(course, "known", WRITTEN)[2] is False


def decide(course, student="ada", points=1.5):
    """As formgrader does when a person gives points."""
    with gradebook(course) as book:
        grade = book.find_grade("test_softmax", LESSON, LESSON, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        book.db.commit()


def test_a_persons_score_holds_for_its_file_and_is_pointed_at_on_a_later_one(course):
    submit(course, "ada")
    record(course, "ada", share=0.0)
    decide(course)
    record(course, "ada", share=0.0)
    assert score_of(course, "ada") == (1.5, full_marks(), False)
    submit(course, "ada", data=b"{} another")
    record(course, "ada", share=0.0)
    assert score_of(course, "ada") == (1.5, full_marks(), True)


def test_a_time_that_a_new_file_does_not_have_is_asked_for(course):
    beside = submit(course, "ada").with_name("timestamp.txt")
    beside.write_text("2026-03-01 13:00:00 UTC")
    record(course, "ada")
    beside.unlink()
    submit(course, "ada", data=b"{} another")
    record(course, "ada")
    assert "An earlier file was handed in at 2026-03-01 13:00:00 UTC" in page_of(course, "ada")


def test_a_doubtful_submission_waits_until_a_person_has_decided(course):
    submit(course, "ada")
    doubtful = graded()
    doubtful.doubts = ["It names an unknown release."]
    record(course, "ada", result=doubtful)
    assert score_of(course, "ada") == (full_marks(), full_marks(), True)
    decide(course, points=2.0)
    record(course, "ada", result=doubtful)
    assert score_of(course, "ada") == (full_marks(), full_marks(), False)


def test_a_rejected_submission_has_no_score_and_its_page_says_why(course):
    submit(course, "ada", data=b"{")
    record(course, "ada", result=GradedSubmission.rejected("The file is not <b>JSON</b>.", 1))
    assert score_of(course, "ada") == (0.0, full_marks(), True)
    with gradebook(course) as book:
        grades = book.find_submission_notebook(LESSON, LESSON, "ada").grades
        assert {grade.auto_score for grade in grades} == {None}
    assert "could not be graded" in page_of(course, "ada")
    assert buttons(course).generate_feedback(LESSON, "ada")["success"]
    assert "The file is not &lt;b&gt;JSON&lt;/b&gt;." in page_of(course, "ada", step="feedback", kind="html")


def test_a_cell_that_the_judge_does_not_know_is_never_full_marks(course):
    submit(course, "ada")
    result = graded()
    del result.exercises["softmax"]
    result.exercises["create_causal_mask"].max_points = 1.0  # not what the cell is worth
    record(course, "ada", result=result)
    assert score_of(course, "ada") == (
        full_marks(without=["softmax", "create_causal_mask"]),
        full_marks(),
        True,
    )


def test_feedback_shows_the_card_the_sentence_and_the_points(course):
    submit(course, "ada")
    record(course, "ada", share=0.5, message="Divide by `sqrt(d_head)`, not by d_model.")
    assert buttons(course).generate_feedback(LESSON, "ada")["success"]
    page = page_of(course, "ada", step="feedback", kind="html")
    assert "the card of softmax" in page
    assert "sqrt(d_head)</code>, not by d_model." in page
    assert "Score: 1.0 / 2.0" in page
    assert "¶" not in page


LATE = """
import sys; sys.path.insert(0, {folder!r})
c.AssignLatePenalties.plugin_class = "half_an_hour_costs.Penalty"
"""
PENALTY = """
from nbgrader.plugins import BasePlugin
class Penalty(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return total_seconds_late / 1800
"""


def test_late_penalties_are_taken_off(course):
    (course / "half_an_hour_costs.py").write_text(PENALTY)
    new_course(course, LATE.format(folder=str(course)))
    with gradebook(course) as book:
        book.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")
    submit(course, "ada").with_name("timestamp.txt").write_text("2026-03-01 13:00:00 UTC")
    record(course, "ada")
    with gradebook(course) as book:
        submission = book.find_submission(LESSON, "ada")
        assert submission.timestamp == datetime(2026, 3, 1, 13)
        assert submission.late_submission_penalty == 2.0
    assert (course / "autograded" / "ada" / LESSON / "timestamp.txt").exists()


def test_nbgraders_export_works(course, tmp_path):
    submit(course, "ada")
    record(course, "ada")
    with gradebook(course) as book:
        CsvExportPlugin(to=str(tmp_path / "out.csv")).export(book)
    with open(tmp_path / "out.csv") as file:
        rows = {(row["student_id"], row["assignment"]): row["score"] for row in csv.DictReader(file)}
    assert rows[("ada", LESSON)] == str(full_marks())


def test_a_submission_is_one_commit(course, monkeypatch):
    """Whoever looks at the gradebook meanwhile sees all of a submission or nothing of it."""
    submit(course, "ada")
    commits, real = [], Session.commit
    monkeypatch.setattr(Session, "commit", lambda session: (commits.append(session), real(session)))
    with Writer(course) as writer:
        commits.clear()
        writer.write(submitted(course, "ada"), graded())
        assert len(commits) == 1


def test_a_result_is_written_whole_or_not_at_all(course, monkeypatch):
    before = score_of(course, "known"), page_of(course, "known")

    def no_space(*_):
        raise OSError(28, "No space left on device", "a page")

    monkeypatch.setattr(recording, "write_penalty", no_space)
    saved = r"^a page cannot be written: No space left on device\. What was graded before is kept"
    with pytest.raises(Refused, match=saved):
        record(course, "known", share=1.0)
    assert (score_of(course, "known"), page_of(course, "known")) == before
    assert not (course / ".autograded.new").exists()


def test_a_second_grader_is_told_to_wait(course):
    with Writer(course), pytest.raises(Refused, match="Another grader is running"), Writer(course):
        pass


def test_the_gradebook_of_another_course_and_a_damaged_one_are_left_alone(course):
    before, settings = (course / "gradebook.db").read_bytes(), course / "nbgrader_config.py"
    settings.write_text(settings.read_text() + 'c.CourseDirectory.course_id = "geometry"\n')
    for says in ("belongs to the course attention, not to geometry: move it away", "file is not a database"):
        with pytest.raises(Refused, match=f"^The gradebook .*{says}[^\n]*$"), Writer(course):
            pass
        assert says in buttons(course).autograde(LESSON, "known")["log"]
        assert (course / "gradebook.db").read_bytes() == before
        before = b"no database at all" * 100
        (course / "gradebook.db").write_bytes(before)


def test_the_page_remembers_what_was_graded(course):
    submit(course, "ada")
    record(course, "ada", notes=["One thing to know."])
    remembered = json.loads(page_of(course, "ada"))["metadata"]["course"]["grading"]
    (page,) = (course / "autograded" / "ada" / LESSON).glob("*.ipynb")
    assert page.stat().st_mode & 0o777 == 0o444  # as nbgrader's own pages
    assert remembered["submission"] == submitted(course, "ada").fingerprint
    assert remembered["notes"] == ["One thing to know."]
    with Writer(course) as writer:
        assert writer.memory("ada", LESSON) == remembered
        assert writer.memory("nobody", LESSON) == {}
