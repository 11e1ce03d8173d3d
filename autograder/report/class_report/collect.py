"""A course's folder -> Course: everybody in the class, and an Entry for each graded submission."""

from dataclasses import dataclass, field
from pathlib import Path

from autograder.gradebook.standing import existing_course, outcomes_now
from autograder.gradebook.submitted import find_all
from autograder.releases import store

from .entries import entry_of


@dataclass
class Course:
    """students: everybody. lessons: {lesson: [Entry]}, in order. ungraded: {lesson: [student]} whose folder
    in submitted/ has no grade yet. left_out: [(place, reason)] in submitted/. excused: {lesson: number of
    students whose work is excused there}; what they handed in is in none of the others."""

    students: set = field(default_factory=set)
    lessons: dict = field(default_factory=dict)
    ungraded: dict = field(default_factory=dict)
    left_out: list = field(default_factory=list)
    excused: dict = field(default_factory=dict)


def collect(root):
    """Read the gradebook, autograded/ and the names in submitted/; Refused, in a sentence, if that fails."""
    course, coursedir = Course(), existing_course(root)
    _, course.left_out = find_all(Path(coursedir.root) / coursedir.submitted_directory)
    for outcome in outcomes_now(root):
        lesson = outcome.lesson
        course.students.add(outcome.student)
        entries = course.lessons.setdefault(lesson, [])
        if outcome.excused:
            course.excused[lesson] = course.excused.get(lesson, 0) + 1
        elif outcome.state == "left":
            course.ungraded.setdefault(lesson, []).append(outcome.student)
        elif outcome.score is not None:
            entries.append(entry_of(outcome, worth_of(lesson)))
    return course


def worth_of(lesson):
    """{exercise: points} of the current release, an instructor's own tests included."""
    release = store.current(lesson)
    own = {grade_id.removeprefix("test_"): points for grade_id, (points, _) in release.plain.items()}
    return release.exercises | own
