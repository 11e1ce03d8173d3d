"""A course's folder -> Course: everybody in the class, and an Entry for each graded submission."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from autograder.gradebook.record import rescaled
from autograder.gradebook.standing import existing_course, outcomes_now
from autograder.gradebook.submitted import find_all
from autograder.releases import store

# what became of an exercise, from the best to the worst
STATES = RIGHT, MISTAKE, OTHER, ERROR, OPEN = (
    "right", "known mistake", "wrong otherwise", "error or limit", "not started",
)  # fmt: skip
SET_BY_HAND = "A score was set by hand before the last grading; check whether it still holds."


@dataclass
class Try:
    """One exercise of one submission.

    points: as the gradebook has them now; automatic: as the grader gave them, None where that is not kept.
    Both are out of max_points, also where the lesson's points changed after the grading. one_left: are all
    values right, and something else is missing? message: the sentence that the student read.
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

    rejected: could it not be graded? score, max_score: in the gradebook, late penalty taken off; None where
    it has none yet. waits: sentences on what a person should look at. recorded: does its page say what became
    of each exercise? names: of the student.
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
    """students: everybody. lessons: {lesson: [Entry]}, in order. ungraded: {lesson: [student]} whose folder
    in submitted/ has no grade yet. left_out: [(place, reason)] in submitted/. excused: {lesson: number of
    students whose work is excused there}; what they handed in is in none of the others."""

    students: set = field(default_factory=set)
    lessons: dict = field(default_factory=lambda: defaultdict(list))
    ungraded: dict = field(default_factory=lambda: defaultdict(list))
    left_out: list = field(default_factory=list)
    excused: Counter = field(default_factory=Counter)


def collect(root):
    """Read the gradebook, autograded/ and the names in submitted/; Refused, in a sentence, if that fails."""
    course, coursedir = Course(), existing_course(root)
    _, course.left_out = find_all(Path(coursedir.root) / coursedir.submitted_directory)
    for outcome in outcomes_now(root):
        course.students.add(outcome.student)
        entries = course.lessons[outcome.lesson]  # there even if nobody is graded
        if outcome.excused:
            course.excused[outcome.lesson] += 1
        elif outcome.state == "left":
            course.ungraded[outcome.lesson].append(outcome.student)
        elif outcome.score is not None:
            entries.append(entry_of(outcome, worth_of(outcome.lesson)))
    return course


def worth_of(lesson):
    """{exercise: points} of the current release, an instructor's own tests included."""
    release = store.current(lesson)
    own = {grade_id.removeprefix("test_"): points for grade_id, (points, _) in release.plain.items()}
    return release.exercises | own


def entry_of(outcome, worth):
    """outcome: a graded one. worth: {exercise: points} of the lesson."""
    memory, score, about = outcome.memory, outcome.score, outcome.about
    rejected, records, tries = memory["status"] == "rejected", memory.get("exercises", {}), {}
    by_hand = (memory["waits"] or [SET_BY_HAND]) if score.needs_manual_grade else []
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
        list(dict.fromkeys([*memory["for_a_person"], *by_hand])),
        rejected or bool(records) and all("status" in record for record in records.values()),
        tuple(filter(None, (outcome.student, about.first_name, about.last_name))),
    )


def try_of(points, most, record):
    """Where the page has no record of the exercise, the points say what is right."""
    if "status" not in record:
        return Try(RIGHT if points == most else OTHER, points, most)
    automatic = rescaled(record["points"], record["max_points"], most)
    one_left = record["status"] == "one_left"
    return Try(state_of(record), points, most, automatic, record["mistake"], one_left, record["message"])


def state_of(record):
    if record["passed"]:
        return RIGHT
    if record["status"] == "not_started":
        return OPEN
    return MISTAKE if record["mistake"] else ERROR if record["status"] == "error" else OTHER
