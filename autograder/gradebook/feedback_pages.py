"""Writes the students' short pages from the gradebook: what a person entered is on them, and their numbers
are those that are exported."""

from dataclasses import fields

from autograder.grading.graded import GradedExercise, GradedSubmission
from autograder.notes import LOOK
from autograder.tables import replace_file

from .class_table import current_notes, has_score
from .page import feedback_path


def write_feedback_pages(root, outcomes):
    """Write the page of each Outcome that was graded."""
    if outcomes:
        from autograder.grading.feedback import as_page  # imports torch

        for outcome in filter(was_graded, outcomes):
            score = outcome.score if has_score(outcome) else None
            page = as_page(outcome.student, graded_in(outcome), score)
            replace_file(feedback_path(root, outcome.student, outcome.lesson), page)


def lacks_page(root, outcome):
    return was_graded(outcome) and not feedback_path(root, outcome.student, outcome.lesson).exists()


def was_graded(outcome):
    return outcome.score is not None and "submission" in outcome.memory


def graded_in(outcome):
    """The GradedSubmission that an Outcome's page records, as far as the student's page shows it. What the
    instructor should look at is left out."""
    names, memory = {field.name for field in fields(GradedExercise)}, outcome.memory
    exercises = {
        name: GradedExercise(name, **{key: value for key, value in record.items() if key in names})
        for name, record in memory.get("exercises", {}).items()
    }
    lesson = None if memory["status"] == "rejected" else outcome.lesson
    notes = [note for note in current_notes(outcome) if note.kind != LOOK]
    return GradedSubmission(lesson, status=memory["status"], exercises=exercises, notes=notes)
