"""The first step of nbgrader's Generate: the lesson as its .py says, with points and its own course_utils."""

from pathlib import Path

import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.exercises import load, names

from .embed import add_copy, is_copy
from .leaks import secret_regions
from .lesson import KERNEL, LessonError, current, set_ids


class Prepare(NbGraderPreprocessor):
    """Runs in formgrader's Generate, in `nbgrader generate_assignment` and in `make notebooks` alike."""

    def preprocess(self, nb, resources):
        notebook = Path(resources["metadata"]["path"]).resolve() / (resources["metadata"]["name"] + ".ipynb")
        nb, root = prepare(notebook, nb), notebook.parents[2]
        resources["secret_regions"] = secret_regions(nb)
        add_copy(nb, root)
        tidy(nb)
        return nb, resources


def prepare(notebook, nb):
    """The lesson of this notebook, from the .py beside it if there is one, with ids and points."""
    py = notebook.with_suffix(".py")
    nb = current(py) if py.exists() else nb
    set_ids(nb)
    for cell in nb.cells:
        set_points(cell, py.name)
    return nb


def set_points(cell, source):
    """Points live in the exercise; a cell that says otherwise is refused."""
    marks = cell.metadata.get("nbgrader", {})
    name = marks.get("grade_id", "").removeprefix("test_")
    if not marks.get("grade") or marks.get("solution") or name not in names():
        return
    points = load(name).points
    points = int(points) if points == int(points) else points
    if marks.setdefault("points", points) != points:
        raise LessonError(
            f"{source}: the cell test_{name} says {marks['points']} points, "
            f"but the exercise {name} is worth {points}: "
            f"points live in autograder/exercises/, change them there or write {points} in the cell."
        )


def tidy(nb):
    """Keep what the course, nbgrader and Colab read; drop what editors leave behind."""
    nb.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in nb.cells:
        if not is_copy(cell):
            kept = {key: cell.metadata[key] for key in ("nbgrader", "tags") if key in cell.metadata}
            cell.metadata = nbformat.from_dict(kept)
    nb.nbformat, nb.nbformat_minor = 4, 5
