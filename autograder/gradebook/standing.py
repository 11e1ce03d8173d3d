"""Reads the gradebook into a list of Outcomes: the current score and status of each submission."""

from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    GradeCell,
    SolutionCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)  # fmt: skip
from nbgrader.coursedir import CourseDirectory

from autograder.grading.graded import DECIMALS
from autograder.notes import INFO, WAIT, Note
from autograder.refused import Refused
from autograder.releases import store

from .class_files import ClassFiles
from .course import open_gradebook, settings
from .database import exists, shown_url
from .groups import places
from .page import notes_in, summary_in
from .submitted import find_all

NO_GRADEBOOK = "There is no gradebook {} yet: grade the class first, with `make grade`."
NOT_GRADED_YET = "It was handed in, but is not graded yet."
EXCUSED = "Excused: {}"
# the memory of a page that another grader wrote
UNKNOWN = {"status": "graded", "happened": {}}


@dataclass
class StudentInfo:
    """A student's personal data in the gradebook. lms_user_id: the student's number in the LMS."""

    first_name: str | None = None
    last_name: str | None = None
    email: str | None = None
    lms_user_id: str | None = None


@dataclass
class Score:
    """One submission's score in the gradebook.

    cells: {grade_id: points} of its cells. worth: {grade_id: full marks} of them, as the gradebook has them
    now. waiting: those cells that wait for a person. comments: {grade_id: a person's comment}. max_score: the
    sum of `worth`. timestamp: when it was handed in. duedate: includes the extension.
    """

    timestamp: object = None
    duedate: object = None
    penalty: float = 0.0
    needs_manual_grade: bool = False
    max_score: float = 0.0
    cells: dict = field(default_factory=dict)
    worth: dict = field(default_factory=dict)
    waiting: set = field(default_factory=set)
    comments: dict = field(default_factory=dict)

    @property
    def raw(self):
        return round(sum(self.cells.values()), DECIMALS)

    @property
    def final(self):
        """The score after the late penalty."""
        return round(max(0.0, self.raw - self.penalty), DECIMALS)


@dataclass
class Outcome:
    """The status of one submission.

    state: "new" (graded in this run), "unchanged" (graded before), "absent" (nothing was handed in) or "left"
    (not graded; `notes` say why). memory: the summary stored in its page (see page.memory_of). score: a
    Score, or None. excused: it counts neither for nor against the student.
    """

    student: str
    lesson: str
    state: str
    notes: list[Note] = field(default_factory=list)
    memory: dict = field(default_factory=dict)
    score: object = None
    excused: bool = False
    about: StudentInfo = field(default_factory=StudentInfo)


def outcomes_now(root):
    """Return an Outcome for each student and each lesson that somebody handed in; may raise Refused."""
    coursedir = existing_course(root)
    with open_gradebook(coursedir) as gradebook:
        return current_outcomes(coursedir, gradebook, ClassFiles(coursedir.root))


def existing_course(root):
    """Return the CourseDirectory of a course; raises Refused if the course has no gradebook yet."""
    coursedir = CourseDirectory(config=settings(root))
    if not exists(coursedir.db_url):
        raise Refused(NO_GRADEBOOK.format(shown_url(coursedir.db_url)))
    return coursedir


def current_outcomes(coursedir, gradebook, files, now=()):
    """All students' Outcomes. now: {(student, lesson): Outcome} of this run, which replace the
    gradebook's."""
    now, about = dict(now), students_of(gradebook)
    scores = {lesson: scores_of(gradebook, lesson) for lesson in store.lessons()}
    folders, _ = find_all(Path(coursedir.root) / coursedir.submitted_directory)
    handed_in = places(folders, files.groups)
    of_class = {(student, lesson) for lesson in scores if scores[lesson] for student in about}
    of_class |= {(student, lesson) for _, lesson in {*handed_in, *now} for student in about}
    outcomes = []
    for student, lesson in sorted(of_class | handed_in | now.keys(), key=lambda place: place[::-1]):
        place, score = (student, lesson), scores[lesson].get(student)
        outcome = now.get(place) or outcome_of(coursedir, place, score, place in handed_in)
        outcome.score, outcome.about = score, about.get(student, outcome.about)
        if excuse := files.excused(*place):
            outcome.excused = True
            reason = EXCUSED.format(excuse.reason or "no reason is given")
            outcome.notes = [Note(INFO, reason), *outcome.notes]
        outcomes.append(outcome)
    return outcomes


def outcome_of(coursedir, place, score, handed_in):
    if score is not None:
        memory = UNKNOWN | memory_in(coursedir, *place)
        return Outcome(*place, "unchanged", notes_in(memory), memory)
    return Outcome(*place, "left", [Note(WAIT, NOT_GRADED_YET)]) if handed_in else Outcome(*place, "absent")


def memory_in(coursedir, student, lesson):
    folder = coursedir.format_path(coursedir.autograded_directory, student, lesson)
    return summary_in(Path(folder, f"{lesson}.ipynb"))


def students_of(gradebook):
    """{student: StudentInfo} of everybody in the gradebook."""
    columns = Student.id, Student.first_name, Student.last_name, Student.email, Student.lms_user_id
    return {student: StudentInfo(*about) for student, *about in gradebook.db.query(*columns)}


def scores_of(gradebook, lesson):
    """{student: Score} of everybody who has a submission of the lesson in the gradebook."""
    columns = SubmittedAssignment, Assignment.duedate, SubmittedNotebook.late_submission_penalty
    cell = GradeCell.name, Grade.score, GradeCell.max_score, Grade.needs_manual_grade
    rows = gradebook.db.query(*columns, *cell).select_from(Grade).join(SubmittedNotebook)
    rows = rows.join(SubmittedAssignment).join(Assignment).join(GradeCell, GradeCell.id == Grade.cell_id)
    scores = {}
    for submission, due, penalty, name, points, worth, waits in rows.filter(Assignment.name == lesson):
        until = due + submission.extension if due and submission.extension else due
        score = scores.setdefault(submission.student_id, Score(submission.timestamp, until, penalty or 0.0))
        score.cells[name], score.worth[name] = points, worth
        score.max_score += worth
        score.needs_manual_grade |= waits
        score.waiting |= {name} if waits else set()
    columns = SubmittedAssignment.student_id, SolutionCell.name, Comment.manual_comment
    rows = gradebook.db.query(*columns).select_from(Comment).join(SubmittedNotebook)
    rows = (
        rows.join(SubmittedAssignment).join(Assignment).join(SolutionCell, SolutionCell.id == Comment.cell_id)
    )
    for student, name, comment in rows.filter(Assignment.name == lesson, Comment.manual_comment.isnot(None)):
        if student in scores:
            scores[student].comments[name] = comment
    return scores
