"""The gradebook -> the scores of a lesson, as they are now, what people changed included."""

from dataclasses import dataclass, field

from nbgrader.api import Assignment, Grade, GradeCell, Student, SubmittedAssignment, SubmittedNotebook

from autograder.grading.graded import DECIMALS


@dataclass
class About:
    """What the gradebook knows of a student. lms_user_id: of the LMS, as Canvas' number."""

    first_name: str | None = None
    last_name: str | None = None
    email: str | None = None
    lms_user_id: str | None = None


@dataclass
class Score:
    """One submission in the gradebook.

    cells: {grade_id: points} of its release's cells; worth: {grade_id: points} of full marks for each, as the
    gradebook has them now; max_score: of all these. timestamp, duedate: when it was handed in, and until when
    it was in time.
    """

    first_name: str | None = None
    last_name: str | None = None
    timestamp: object = None
    duedate: object = None
    penalty: float = 0.0
    needs_manual_grade: bool = False
    max_score: float = 0.0
    cells: dict = field(default_factory=dict)
    worth: dict = field(default_factory=dict)

    @property
    def raw(self):
        return round(sum(self.cells.values()), DECIMALS)

    @property
    def final(self):
        """What is left after the late penalty."""
        return round(max(0.0, self.raw - self.penalty), DECIMALS)


def students_of(gradebook):
    """{student: About} of everybody in the gradebook."""
    columns = Student.id, Student.first_name, Student.last_name, Student.email, Student.lms_user_id
    return {student: About(*about) for student, *about in gradebook.db.query(*columns)}


def scores_of(gradebook, lesson):
    """{student: Score} of everybody who has a submission of the lesson in the gradebook."""
    scores = {
        student: Score(*about, penalty or 0.0) for student, *about, penalty in submissions(gradebook, lesson)
    }
    for student, name, points, max_points, needs_manual_grade in grades(gradebook, lesson):
        score = scores[student]
        score.cells[name], score.worth[name] = points, max_points
        score.max_score += max_points
        score.needs_manual_grade |= needs_manual_grade
    return scores


def submissions(gradebook, lesson):
    """(student, first name, last name, timestamp, duedate, penalty) of each."""
    columns = SubmittedAssignment, Student, Assignment.duedate, SubmittedNotebook.late_submission_penalty
    rows = gradebook.db.query(*columns).select_from(SubmittedAssignment).join(Student).join(Assignment)
    for submission, student, due, penalty in rows.join(SubmittedNotebook).filter(Assignment.name == lesson):
        until = due + submission.extension if due and submission.extension else due
        yield student.id, student.first_name, student.last_name, submission.timestamp, until, penalty


def grades(gradebook, lesson):
    """(student, grade_id, points, max_points, needs_manual_grade) of each graded cell."""
    columns = (
        SubmittedAssignment.student_id,
        GradeCell.name,
        Grade.score,
        GradeCell.max_score,
        Grade.needs_manual_grade,
    )
    rows = gradebook.db.query(*columns).select_from(Grade).join(SubmittedNotebook).join(SubmittedAssignment)
    return (
        rows.join(Assignment).join(GradeCell, GradeCell.id == Grade.cell_id).filter(Assignment.name == lesson)
    )
