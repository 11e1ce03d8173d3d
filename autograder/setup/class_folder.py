"""A folder for one class and term: nbgrader's settings, and a link to the lessons that formgrader lists."""

import shutil
from pathlib import Path

from autograder.refused import Refused

ROOT = Path(__file__).resolve().parents[2]
SETTINGS, LESSONS = "nbgrader_config.py", "solutions"
NEXT = """{0} is the class's folder. Next, in {1}:
  .venv/bin/python -m autograder bundle
  .venv/bin/python -m autograder collect FILES --roster ROSTER.csv --course {0}"""


def make_class_folder(folder):
    """What to do next; Refused where the folder holds something else."""
    folder = Path(folder).resolve()
    if folder.exists() and not (folder / SETTINGS).exists() and any(folder.iterdir()):
        raise Refused(f"{folder} is not empty, and no class's folder: name another one.")
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / SETTINGS).exists():
        shutil.copyfile(ROOT / SETTINGS, folder / SETTINGS)
    link_lessons(folder)
    return NEXT.format(folder, ROOT)


def link_lessons(folder):
    """Formgrader lists the lessons of solutions/: in another folder than the clone, that is a link to the
    clone's."""
    place = Path(folder) / LESSONS
    if not place.exists():
        place.symlink_to(ROOT / LESSONS, target_is_directory=True)
