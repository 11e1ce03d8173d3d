"""Exercises -> course_utils/answers/*.json: numbers and sentences that a student's check can run from.

A sheet takes seconds, so it is kept in .sheets/ under the fingerprint of all that it is made from.
"""

import hashlib
import json
import sys
from functools import cache
from pathlib import Path

import numpy
import torch

from autograder.exercises import FOLDER, earlier_names, file_of, load, names
from autograder.releases.marks import grade_id, marks
from autograder.tables import replace_file

from .lesson import current, lesson_sources, write_all
from .parallel import on_all_cores

ROOT = FOLDER.parents[1]
SAVED = ROOT / ".sheets"
SHARED = (
    "course_utils/**/*.py",
    "course_utils/**/*.npz",
    "autograder/authoring/**/*.py",
    "autograder/exercises/*.py",
)


def publish_all(root, lesson=None):
    """Write every sheet and the order of the lessons; remove the sheets of exercises that are gone.

    lesson: only its exercises get new sheets, and nothing is removed.
    """
    order = lesson_order(root)
    texts = sheet_texts(order[lesson] if lesson else [*names(), *earlier_names()])
    texts["lessons"] = json.dumps(order, indent=1) + "\n"
    write_all(Path(root) / "course_utils" / "answers", texts, whole=not lesson)


def sheet_texts(exercises):
    """{exercise: its sheet}; only what changed since an earlier build is made."""
    files = {name: SAVED / f"{name}-{fingerprint(name)}.json" for name in exercises}
    changed = [name for name, file in files.items() if not file.is_file()]
    for name, text in zip(changed, on_all_cores(sheet_text, changed), strict=True):
        for older in SAVED.glob(f"{name}-*.json"):
            older.unlink()
        replace_file(files[name], text)
    return {name: file.read_text(encoding="utf-8") for name, file in files.items()}


def sheet_text(name):
    return load(name).sheet().to_json()


def fingerprint(name):
    """Changes with the exercise's file, the code that makes sheets, and the libraries that compute."""
    return hashlib.sha256(f"{shared_fingerprint()} {digest([file_of(name)])}".encode()).hexdigest()[:16]


@cache
def shared_fingerprint():
    versions = f"{sys.version} {torch.__version__} {numpy.__version__}"
    return versions + digest(sorted({path for pattern in SHARED for path in ROOT.glob(pattern)}))


def digest(paths):
    parts = (f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in paths)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def lesson_order(root):
    """{lesson: its exercises, in order}, from the grade ids of the lessons' solution cells."""
    exercises = {*names()}

    def written_in(py):
        cells = [cell for cell in current(py).cells if marks(cell).get("solution")]
        return [grade_id(cell) for cell in cells if grade_id(cell) in exercises]

    return {py.stem: written_in(py) for py in lesson_sources(root)}
