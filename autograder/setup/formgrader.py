"""JupyterLab for an instructor: on the course's folder, with formgrader in its menu."""

from pathlib import Path

from autograder.gradebook.course import find_programs, settings
from autograder.publish.lesson import follow, lesson_sources

from .class_folder import link_lessons
from .lab import become_lab


def open_formgrader(root, flags=()):
    """JupyterLab takes this process over. Formgrader: the menu Nbgrader, or the address /formgrader."""
    root = Path(root).resolve()
    settings(root)
    find_programs()
    link_lessons(root)
    for source in lesson_sources(root):
        follow(source)  # formgrader's Generate reads the notebook beside a lesson's .py
    become_lab(root, flags, ["quiet"])
