"""The course's first and last step in nbgrader's Generate, in formgrader and in `make notebooks`.

The first step takes the lesson from its .py file and adds points, questions and a copy of course_utils. The
last step refuses a notebook that contains part of an answer, and writes the release's id into it.
"""

from pathlib import Path

import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.exercises import load, names
from autograder.releases import store
from autograder.releases.course_copy import unpack, without_copy
from autograder.releases.release import marks, test_of

from .embed import add_copy
from .leaks import refuse_answers, secret_regions
from .lesson import KERNEL, LessonError, current, set_ids
from .minutes import add_minutes
from .pictures import add_pictures
from .questions import add_questions
from .rules import rules


class Prepare(NbGraderPreprocessor):
    """The lesson's source -> the notebook that nbgrader's own steps work on."""

    def preprocess(self, nb, resources):
        notebook = Path(resources["metadata"]["path"]).resolve() / (resources["metadata"]["name"] + ".ipynb")
        py, root = notebook.with_suffix(".py"), notebook.parents[2]
        nb = current(py) if py.exists() else nb
        complete(nb, py)
        add_minutes(nb)
        resources["secret_regions"] = secret_regions(nb)
        add_copy(nb, root, notebook.stem)
        tidy(nb)
        return nb, resources


class Finish(NbGraderPreprocessor):
    """The notebook after nbgrader's steps -> the student's notebook; LessonError if it leaks an answer."""

    def preprocess(self, nb, resources):
        lesson, files = resources["nbgrader"]["notebook"], unpack(nb)
        root, sheets = Path(resources["metadata"]["path"]).resolve().parents[1], store.sheets_in(files)
        texts = {f"cell {cell.id}": cell.source for cell in without_copy(nb.cells)}
        texts |= {path: data.decode("utf-8", "replace") for path, data in files.items()}
        refuse_answers(resources.get("secret_regions", []), texts, f"{lesson}: ")
        version, decides = store.release_id(nb, sheets), store.what_decides(nb.cells, lesson, root)
        about = {"lesson": lesson, "version": version, "built_from": decides, "rules": rules()}
        nb.metadata["course"] = about
        # a lesson entered in a gradebook goes to students, so its release is stored
        if self.config.get("EnterCells", {}).get("enabled", True):
            store.write(store.record_of(nb, sheets, root), root / store.PLACE)
        return nb, resources


def complete(nb, py):
    """Add questions, pictures, ids and points."""
    add_questions(nb, py)
    add_pictures(nb, py)
    set_ids(nb)
    for cell in nb.cells:
        set_points(cell, py.name)


def set_points(cell, source):
    """Set a test cell's points to those of its exercise; LessonError if the cell has different points."""
    name = test_of(cell)
    if name not in names():
        return
    points = load(name).points
    points = int(points) if points == int(points) else points
    if marks(cell).setdefault("points", points) != points:
        raise LessonError(
            f"{source}: the cell test_{name} says {marks(cell)['points']} points, but the exercise {name} is "
            f"worth {points}: points live in autograder/exercises/, so remove them from the cell."
        )


def tidy(nb):
    """Keep the metadata that the course, nbgrader and Colab read; drop what editors add."""
    nb.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in without_copy(nb.cells):
        metadata = {key: cell.metadata[key] for key in ("nbgrader", "tags") if key in cell.metadata}
        cell.metadata = nbformat.from_dict(metadata)
    nb.nbformat, nb.nbformat_minor = 4, 5
