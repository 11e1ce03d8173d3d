"""GradedSubmission -> feedback_pages/STUDENT/LESSON.html: the short page for the student."""

import os
from pathlib import Path

from .term.decisions import put_on_short_page

FOLDER = "feedback_pages"


def page_path(root, student, lesson):
    return Path(root) / FOLDER / student / f"{lesson}.html"


def write_feedback_page(root, submitted, graded, decisions=()):
    """Replace the page in one piece, if there is one. decisions: a person's sentences for its head."""
    if not graded.feedback_page:
        return
    page = page_path(root, submitted.student, submitted.lesson)
    page.parent.mkdir(parents=True, exist_ok=True)
    new = page.with_name(f".{page.name}.new")
    new.write_text(graded.feedback_page, encoding="utf-8", errors="replace")
    put_on_short_page(new, decisions)
    os.replace(new, page)
