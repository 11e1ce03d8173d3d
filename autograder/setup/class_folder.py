"""Make the folder of a class, with nbgrader's settings, the lessons and a command; open formgrader on it."""

import shlex
import shutil
import sys
from pathlib import Path

from autograder.gradebook.course import find_programs, settings
from autograder.publish.lesson import follow, lesson_sources
from autograder.refused import Refused

from .lab import become_lab

ROOT = Path(__file__).resolve().parents[2]
SETTINGS, LESSONS = "nbgrader_config.py", "solutions"
COMMAND = '#!/bin/sh\nCOURSE_FOLDER=$(dirname "$0") exec {} -m autograder "$@"\n'
NEXT = "{0} is the class's folder, and {0}/course its command: collect FILES --roster ROSTER.csv, grade, ..."


def make_class_folder(folder):
    """Make the folder and return what to do next; raise Refused if it holds something else."""
    folder = Path(folder).resolve()
    if folder.exists() and not (folder / SETTINGS).exists() and any(folder.iterdir()):
        raise Refused(f"{folder} is not empty and is not a class folder: name another one.")
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / SETTINGS).exists():
        shutil.copyfile(ROOT / SETTINGS, folder / SETTINGS)
    link_lessons(folder)
    command = folder / "course"
    command.write_text(COMMAND.format(shlex.quote(sys.executable)))
    command.chmod(0o755)
    return NEXT.format(folder)


def link_lessons(folder):
    """Link the clone's solutions/ into the folder, because formgrader lists the lessons that are there."""
    place = Path(folder) / LESSONS
    if not place.exists():
        place.symlink_to(ROOT / LESSONS, target_is_directory=True)


def open_formgrader(root, flags=()):
    """Replace this process by JupyterLab on an instructor's folder, at formgrader."""
    root = Path(root).resolve()
    settings(root)
    find_programs()
    link_lessons(root)
    for source in lesson_sources(root):
        follow(source)  # formgrader's Generate reads the notebook next to a lesson's .py
    become_lab(root, ["--LabApp.default_url=/formgrader", *flags], ["quiet"])
