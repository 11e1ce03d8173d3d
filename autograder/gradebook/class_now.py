"""A course's gradebook -> [Outcome]: what stands there now, and nothing is graded."""

from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder.releases import store

from .class_run import NOT_GRADED_YET, Outcome
from .course import in_a_sentence, open_gradebook, settings
from .database import Refused, exists, shown_url
from .page import summary_in
from .scores import scores_of, students_of
from .submitted import find_all
from .term.submissions import places
from .term.term import read_term

NO_GRADEBOOK = "There is no gradebook {} yet: grade the class first, with `make grade`."
# of a page that another grader wrote
UNKNOWN = {"status": "graded", "notes": [], "waits": [], "for_a_person": [], "happened": {}}


def outcomes_now(root):
    """An Outcome for each student and each lesson that has grades; Refused in a sentence."""
    coursedir = CourseDirectory(config=settings(root))
    if not exists(coursedir.db_url):
        raise Refused(NO_GRADEBOOK.format(shown_url(coursedir.db_url)))
    with in_a_sentence(coursedir.db_url), open_gradebook(coursedir) as gradebook:
        students = students_of(gradebook)
        scores = {lesson: scores_of(gradebook, lesson) for lesson in store.lessons()}
    term = read_term(coursedir.root)
    found, _ = find_all(Path(coursedir.root) / coursedir.submitted_directory)
    handed_in = places(found, term.groups)
    outcomes = [
        outcome_of(coursedir, student, lesson, of_lesson.get(student), about)
        for lesson, of_lesson in scores.items()
        if of_lesson
        for student, about in sorted(students.items())
    ]
    for outcome in outcomes:
        outcome.excused = term.excused(outcome.student, outcome.lesson) is not None
        if outcome.state == "absent" and (outcome.student, outcome.lesson) in handed_in:
            outcome.state, outcome.notes = "left", [NOT_GRADED_YET]
    return outcomes


def outcome_of(coursedir, student, lesson, score, about):
    if score is None:
        return Outcome(student, lesson, "absent", about=about)
    folder = Path(coursedir.format_path(coursedir.autograded_directory, student, lesson))
    memory = UNKNOWN | summary_in(folder / f"{lesson}.ipynb")
    return Outcome(student, lesson, "unchanged", memory["notes"], memory, score, about=about)
