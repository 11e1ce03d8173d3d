"""GradedSubmission -> feedback_pages/STUDENT/LESSON.html: the short page for the student."""

from pathlib import Path

from autograder.tables import replace_file

FOLDER = "feedback_pages"


def page_path(root, student, lesson):
    return Path(root) / FOLDER / student / f"{lesson}.html"


def write_feedback_page(root, submitted, graded):
    if graded.feedback_page:
        replace_file(page_path(root, submitted.student, submitted.lesson), graded.feedback_page)
