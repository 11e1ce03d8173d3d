"""Find and read lesson sources, solutions/NN_name/NN_name.py, and keep the .ipynb next to each in sync."""

import copy
import hashlib
import shutil
from functools import cache
from itertools import count
from pathlib import Path

import jupytext
import nbformat

from autograder.refused import AuthorError
from autograder.releases.release import grade_id

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


class LessonError(AuthorError):
    """A lesson that cannot be built; the message says what to change."""


def lesson_sources(root):
    return [py for py in sorted(Path(root).glob("solutions/[0-9]*/*.py")) if py.stem == py.parent.name]


def find_lesson(root, name):
    """The lesson with this name or number."""
    lessons = [py.stem for py in lesson_sources(root)]
    matches = [lesson for lesson in lessons if name in (lesson, lesson[:2])]
    if not matches:
        raise LessonError(f"There is no lesson {name}. The lessons are {', '.join(lessons)}.")
    return matches[0]


def current(py):
    """The lesson as a notebook, read from the .py; LessonError when the .ipynb next to it has newer edits."""
    nb = copy.deepcopy(parsed(py.read_text(encoding="utf-8")))
    pair = py.with_suffix(".ipynb")
    if pair.exists() and pair.stat().st_mtime > py.stat().st_mtime and not has_same_cells(pair, nb):
        raise LessonError(
            f"{pair} was edited without {py.name}, and is newer: "
            f"run `.venv/bin/jupytext --sync {pair}` to apply its changes, or delete it to keep {py.name}."
        )
    return nb


@cache  # a build needs each lesson several times, and parsing is slow
def parsed(text):
    return jupytext.reads(text, fmt="py:percent")


def follow(py):
    """Write the .ipynb next to a .py; if its cells are already the same, keep it with its outputs."""
    nb, pair = current(py), py.with_suffix(".ipynb")
    if pair.exists() and has_same_cells(pair, nb):
        return
    nb.metadata = nbformat.from_dict({"kernelspec": nb.metadata.get("kernelspec", KERNEL)})
    set_ids(nb)
    pair.write_text(nbformat.writes(nb) + "\n", encoding="utf-8")
    shutil.copystat(py, pair)  # equal times: jupytext opens a pair only if the .py is not the older one


def has_same_cells(pair, nb):
    """Does the .ipynb have the same cells as the notebook?"""
    return [*map(authored_parts, nbformat.read(pair, as_version=4).cells)] == [*map(authored_parts, nb.cells)]


def authored_parts(cell):
    """The parts of a cell that an author writes."""
    return cell.cell_type, cell.source, cell.metadata.get("nbgrader"), cell.metadata.get("tags")


def write_all(folder, texts, whole=True):
    """Write {name: text} as JSON files. whole: remove the other JSON files of the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.json") if whole else ():
        if path.stem not in texts:
            path.unlink()
    for name, text in texts.items():
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def set_ids(nb):
    """Give cells ids that depend on the lesson alone: nbgrader's grade_id, else a fingerprint of the text."""
    names = set()
    for cell in nb.cells:
        text = f"{cell.cell_type}\n{cell.source}".encode()
        name = grade_id(cell) or hashlib.sha256(text).hexdigest()[:12]
        if name in names:
            name = next(f"{name}-{n}" for n in count(2) if f"{name}-{n}" not in names)
        cell["id"] = name
        names.add(name)
