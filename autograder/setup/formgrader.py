"""JupyterLab for an instructor: on the course's folder, with formgrader in its menu."""

import os
import sys
from pathlib import Path

from autograder.gradebook.course import find_programs, settings
from autograder.publish.lesson import follow, lesson_sources

from .class_folder import link_lessons
from .lab import lab_environment


def open_formgrader(root, flags=()):
    """JupyterLab takes this process over. Formgrader: the menu Nbgrader, or the address /formgrader."""
    root = Path(root).resolve()
    settings(root)
    find_programs()
    link_lessons(root)
    for source in lesson_sources(root):
        follow(source)  # formgrader's Generate reads the notebook beside a lesson's .py
    allow = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={root}", *allow, *flags]
    os.chdir(root)
    os.execve(sys.executable, command, lab_environment(os.environ, ["quiet"]))
