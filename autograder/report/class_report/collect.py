"""Reads a course's folder as a Course: everybody in the class, and an Entry for each graded submission."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from autograder.gradebook.class_table import for_a_person
from autograder.gradebook.standing import existing_course, outcomes_now
from autograder.gradebook.submitted import find_all
from autograder.grading.graded import scaled
from autograder.releases import store

# what happened to an exercise, from best to worst
STATES = RIGHT, MISTAKE, OTHER, ERROR, OPEN = (
    "right", "known mistake", "wrong otherwise", "error or limit", "not started",
)  # fmt: skip


@dataclass
class Try:
    """One exercise of one submission.

    points: as they are in the gradebook now. automatic: the grader's points, None if not recorded. Both are
    out of max_points, even if the lesson's points changed after the grading. one_left: all values are right,
    but something else is missing. message: the sentence that the student read.
    """

    state: str
    points: float
    max_points: float
    automatic: float | None = None
    mistake: str | None = None
    one_left: bool = False
    message: str = ""


@dataclass
class Entry:
    """One graded submission.

    rejected: it could not be graded. score, max_score: from the gradebook, after the late penalty; score is
    None if there is none yet. waits: sentences on what a person should look at. recorded: its page has a
    record of each exercise. names: the student's id, first and last name.
    """

    student: str
    lesson: str
    rejected: bool
    score: float | None
    max_score: float
    tries: dict
    waits: list
    recorded: bool
    names: tuple


@dataclass
class Course:
    """students: everybody. lessons: {lesson: [Entry]}, in order. ungraded: {lesson: [student]} with a
    submission but no grade yet. left_out: [(path, reason)] in submitted/. excused: {lesson: number of excused
    students}; their submissions are in no other field."""

    students: set = field(default_factory=set)
    lessons: dict = field(default_factory=lambda: defaultdict(list))
    ungraded: dict = field(default_factory=lambda: defaultdict(list))
    left_out: list = field(default_factory=list)
    excused: Counter = field(default_factory=Counter)


def collect(root):
    """Read the gradebook, the pages in autograded/ and the names in submitted/; may raise Refused."""
    course, coursedir = Course(), existing_course(root)
    _, course.left_out = find_all(Path(coursedir.root) / coursedir.submitted_directory)
    for outcome in outcomes_now(root):
        course.students.add(outcome.student)
        entries = course.lessons[outcome.lesson]  # adds the lesson, even if nobody is graded
        if outcome.excused:
            course.excused[outcome.lesson] += 1
        elif outcome.state == "left":
            course.ungraded[outcome.lesson].append(outcome.student)
        elif outcome.score is not None:
            entries.append(entry_of(outcome, worth_of(outcome.lesson)))
    return course


def worth_of(lesson):
    """{exercise: points} in the current release, including an instructor's own tests."""
    release = store.current(lesson)
    own = {grade_id.removeprefix("test_"): points for grade_id, (points, _) in release.plain.items()}
    return release.exercises | own


def entry_of(outcome, worth):
    """The Entry of an outcome with a score. worth: {exercise: points} of the lesson."""
    memory, score, about = outcome.memory, outcome.score, outcome.about
    rejected, records, tries = memory["status"] == "rejected", memory.get("exercises", {}), {}
    for name in () if rejected else {**worth, **records}:
        if (test := f"test_{name}") in score.cells:
            points = score.cells[test] or 0.0
            most = score.worth.get(test, worth.get(name, points))
            tries[name] = try_of(points, most, records.get(name, {}))
    return Entry(
        outcome.student,
        outcome.lesson,
        rejected,
        None if rejected and score.needs_manual_grade else score.final,
        score.max_score,
        tries,
        for_a_person(outcome),
        rejected or bool(records) and all("status" in record for record in records.values()),
        tuple(filter(None, (outcome.student, about.first_name, about.last_name))),
    )


def try_of(points, most, record):
    """The Try of an exercise. If the page has no record of it, full points count as a right answer."""
    if "status" not in record:
        return Try(RIGHT if points == most else OTHER, points, most)
    automatic = scaled(record["points"], record["max_points"], most)
    one_left = record["status"] == "one_left"
    return Try(state_of(record), points, most, automatic, record["mistake"], one_left, record["message"])


def state_of(record):
    if record["passed"]:
        return RIGHT
    if record["status"] == "not_started":
        return OPEN
    return MISTAKE if record["mistake"] else ERROR if record["status"] == "error" else OTHER
