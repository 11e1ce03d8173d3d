"""Reads the gradebook into a list of Outcomes: the current score and status of each submission."""

from collections import defaultdict
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

from autograder.grading.graded import DECIMALS, scaled
from autograder.notes import INFO, LOOK, WAIT, Note
from autograder.refused import Refused
from autograder.releases import store

from .class_files import ClassFiles
from .course import assignments, exists, open_gradebook, settings, shown_url
from .page import memory_in, notes_in, page_folder
from .record import late_plugin_of, takes_points_off
from .submitted import exchange_zone, find_all, read_folders, waiting_files

NO_GRADEBOOK = "There is no gradebook {} yet: grade the class first, with `grade`."
NOT_GRADED_YET = "It was handed in, but is not graded yet."
CHANGED = "What was handed in has changed since, and is not graded yet."
OTHER_POINTS = "The gradebook has other points than the last grading gave: grade the class again."
EXCUSED = "Excused: {}"
ROUNDING = 1e-4  # of points that were converted several times
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
    now. waiting: those cells that wait for a person. automatic: {grade_id: the grader's points}. comments:
    {grade_id: a person's comment}. max_score: the sum of `worth`. timestamp: when it was handed in. duedate:
    includes the extension.
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
    automatic: dict = field(default_factory=dict, compare=False)

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
    Score, or None. excused: it counts neither for nor against the student. time_waits: a person has to write
    the hand-in time before it is clear whether there is a late penalty.
    """

    student: str
    lesson: str
    state: str
    notes: list[Note] = field(default_factory=list)
    memory: dict = field(default_factory=dict)
    score: object = None
    excused: bool = False
    time_waits: bool = False
    about: StudentInfo = field(default_factory=StudentInfo)


def measured_in_two_ways(outcomes):
    """Return the exercises of these Outcomes of one lesson that were graded by different cases or seeds."""
    ways = defaultdict(set)
    for memory in (outcome.memory for outcome in outcomes):
        for name in memory.get("exercises", {}):
            ways[name].add((memory.get("measured_by", {}).get(name), memory.get("seed")))
    return [name for name in ways if len(ways[name]) > 1]


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
    about, takes_off = students_of(gradebook), takes_points_off(late_plugin_of(coursedir.config))
    scores = {lesson: scores_of(gradebook, lesson) for lesson in store.lessons()}
    folders, _ = find_all(Path(coursedir.root) / coursedir.submitted_directory)
    others = [folder for folder in folders if folder[:2] not in dict(now)]
    handed_in = outcomes_of(coursedir, files, others, scores) | dict(now)
    lessons = {lesson for lesson in scores if scores[lesson]} | {lesson for _, lesson in handed_in}
    of_class = {(student, lesson) for student in about for lesson in lessons}
    outcomes, listed = [], {place: line for place, line in waiting_files(coursedir.root) if all(place)}
    for student, lesson in sorted(of_class | handed_in.keys() | listed.keys(), key=lambda place: place[::-1]):
        place, score = (student, lesson), scores[lesson].get(student)
        outcome = handed_in.get(place)
        if outcome is None and score:
            outcome = unchanged(place, memory_in(coursedir, *place))
        elif outcome is None:
            outcome = left(place, listed[place]) if place in listed else Outcome(*place, "absent")
        outcome.score, outcome.about = score, about.get(student, outcome.about)
        settle_time(outcome, takes_off)
        if excuse := files.excused(*place):
            outcome.excused = True
            reason = EXCUSED.format(excuse.reason or "no reason is given")
            outcome.notes = [Note(INFO, reason), *outcome.notes]
        outcomes.append(outcome)
    return outcomes


def unchanged(place: tuple[str, str], memory):
    """The Outcome of what was graded before. memory: the summary in its page."""
    return Outcome(*place, "unchanged", notes_in(memory), UNKNOWN | memory)


def left(place: tuple[str, str], *sentences):
    """The Outcome of what is not graded, with the sentences that say why."""
    return Outcome(*place, "left", [Note(WAIT, sentence) for sentence in sentences])


def outcomes_of(coursedir, files, folders, scores):
    """{(student, lesson): Outcome} of these folders. It is "left" if the folder holds something else than
    what was graded: a newer file, or different files of a group."""
    outcomes, zone = {}, exchange_zone(coursedir.config)
    for submissions, why_not in read_folders(folders, files.groups, zone):
        for file in submissions:
            place, score = (file.student, file.lesson), scores[file.lesson].get(file.student)
            memory = memory_in(coursedir, *place) if score else {}
            why = why_not or why_not_current(coursedir, file, memory, score)
            outcomes[place] = left(place, why) if why else unchanged(place, memory)
    return outcomes


def why_not_current(coursedir, file, memory, score):
    """Why the gradebook's score is not that of the file; "" if it is. memory: the summary in its page."""
    page = page_folder(coursedir, file.student, file.lesson)
    if score is None:
        return NOT_GRADED_YET
    if not is_in_gradebook(memory, score):
        return OTHER_POINTS
    is_other = "submission" in memory and not file.was_graded(memory, page, score.timestamp)
    return CHANGED if is_other else ""


def is_in_gradebook(memory, score):
    """Does the gradebook hold the points of this page's summary? Not if it is an older copy than the page."""
    if memory.get("status") == "rejected":
        return all(points is None for points in score.automatic.values())
    for name, record in memory.get("exercises", {}).items():
        points, worth = (of_cell.get(f"test_{name}") for of_cell in (score.automatic, score.worth))
        if worth is None or "points" not in record:  # another release's exercise, or an old page
            continue
        expected = scaled(record["points"], record["max_points"], worth)
        if None not in (points, expected) and abs(points - expected) > ROUNDING:
            return False
    return True


def settle_time(outcome, takes_off):
    """Note that the hand-in time waits for a person, or, if it was written since, drop the sentence on it."""
    sentence, score = outcome.memory.get("unknown_time"), outcome.score
    if not sentence or score is None:
        return
    outcome.time_waits = bool(score.timestamp is None and score.duedate and takes_off)
    if score.timestamp:
        outcome.notes = [note for note in outcome.notes if note != Note(LOOK, sentence)]


def students_of(gradebook):
    """{student: StudentInfo} of everybody in the gradebook."""
    columns = Student.id, Student.first_name, Student.last_name, Student.email, Student.lms_user_id
    return {student: StudentInfo(*about) for student, *about in gradebook.db.query(*columns)}


def class_list(coursedir):
    """{student: StudentInfo} of everybody in the course's gradebook, if there is one."""
    if not exists(coursedir.db_url):
        return {}
    with open_gradebook(coursedir) as gradebook:
        return students_of(gradebook)


def enter_students(gradebook, students):
    """Enter {student: StudentInfo} into the gradebook; where there is no value, the gradebook's stays."""
    for student, about in students.items():
        gradebook.db.merge(Student(id=student, **{k: text[:128] for k, text in vars(about).items() if text}))
    gradebook.db.commit()


def scores_of(gradebook, lesson):
    """{student: Score} of everybody who has a submission of the lesson in the gradebook."""
    of_submission = Assignment.duedate, SubmittedNotebook.late_submission_penalty
    of_cell = GradeCell.max_score, Grade.score, Grade.needs_manual_grade, Grade.auto_score
    scores = {}
    rows = entries(gradebook, lesson, Grade, GradeCell, [*of_submission, *of_cell])
    for submission, name, due, penalty, worth, points, waits, automatic in rows:
        until = due + submission.extension if due and submission.extension else due
        score = scores.setdefault(submission.student_id, Score(submission.timestamp, until, penalty or 0.0))
        score.cells[name], score.worth[name], score.automatic[name] = points, worth, automatic
        score.max_score += worth
        score.needs_manual_grade |= waits
        score.waiting |= {name} if waits else set()
    for submission, name, comment in entries(
        gradebook, lesson, Comment, SolutionCell, [Comment.manual_comment]
    ):
        if comment is not None and submission.student_id in scores:
            scores[submission.student_id].comments[name] = comment
    return scores


def entries(gradebook, lesson, table, cell, columns):
    """Rows of (SubmittedAssignment, the cell's name, *columns) for the lesson's entries in nbgrader's table
    Grade or Comment."""
    rows = gradebook.db.query(SubmittedAssignment, cell.name, *columns).select_from(table)
    rows = rows.join(SubmittedNotebook).join(SubmittedAssignment).join(Assignment)
    return rows.join(cell, cell.id == table.cell_id).filter(assignments.name == lesson)
