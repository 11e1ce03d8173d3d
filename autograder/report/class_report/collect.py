"""A course's folder -> Course: everybody in the gradebook, and an Entry for each graded submission."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Student
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook.course import open_gradebook, settings
from autograder.gradebook.database import Refused, exists, shown_url
from autograder.gradebook.page import summary_of_page
from autograder.gradebook.scores import scores_of
from autograder.gradebook.submitted import find_all
from autograder.gradebook.term.term import read_term
from autograder.releases import store

from .entries import entry_of

NO_GRADEBOOK = "There is no gradebook {} yet: grade the class first, with `make grade`."


@dataclass
class Course:
    """students: all in the gradebook. lessons: {lesson: [Entry]}, in order. ungraded: {lesson: [student]}
    whose folder in submitted/ has no grade yet. left_out: [(place, reason)] in submitted/. excused: {lesson:
    number of students whose work is excused there}; what they handed in is in none of the others."""

    students: set = field(default_factory=set)
    lessons: dict = field(default_factory=dict)
    ungraded: dict = field(default_factory=dict)
    left_out: list = field(default_factory=list)
    excused: dict = field(default_factory=dict)


def collect(root):
    """Read the gradebook, autograded/ and the names in submitted/; Refused, in a sentence, if that fails."""
    coursedir = CourseDirectory(config=settings(root))
    if not exists(coursedir.db_url):
        raise Refused(NO_GRADEBOOK.format(shown_url(coursedir.db_url)))
    course, term = Course(), read_term(coursedir.root)
    with open_gradebook(coursedir) as gradebook:
        course.students = {row[0] for row in gradebook.db.query(Student.id)}
        for lesson in store.lessons():
            scores = scores_of(gradebook, lesson)
            course.lessons[lesson] = [
                read_entry(coursedir, student, lesson, scores[student])
                for student in sorted(scores)
                if not term.excused(student, lesson)
            ]
    found, course.left_out = find_all(Path(coursedir.root) / coursedir.submitted_directory)
    graded = {(entry.student, lesson) for lesson, entries in course.lessons.items() for entry in entries}
    for student, lesson, _ in found:
        if (student, lesson) not in graded and not term.excused(student, lesson):
            course.ungraded.setdefault(lesson, []).append(student)
    known = course.students | {student for student, _, _ in found}
    for lesson in store.lessons():
        course.excused[lesson] = sum(term.excused(student, lesson) is not None for student in known)
    return course


def read_entry(coursedir, student, lesson, score):
    page = page_in(coursedir.format_path(coursedir.autograded_directory, student, lesson), lesson)
    worth = store.current(lesson)
    points = worth.exercises | {
        grade_id.removeprefix("test_"): points for grade_id, (points, _) in worth.plain.items()
    }
    return entry_of(student, lesson, summary_of_page(page), score, points, codes_in(page))


def page_in(folder, lesson):
    """The graded page as plain data; {} where there is none that can be read."""
    try:
        return json.loads(Path(folder, f"{lesson}.ipynb").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def codes_in(page):
    """{grade_id: the text} of the cells that the student wrote in."""
    cells = page.get("cells", []) if isinstance(page, dict) else []
    marked = [(cell, cell.get("metadata", {}).get("nbgrader", {})) for cell in cells]
    return {
        marks["grade_id"]: "".join(cell["source"])
        for cell, marks in marked
        if marks.get("solution") and cell["cell_type"] == "code"
    }
