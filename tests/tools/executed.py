"""Runs a notebook top to bottom in its own folder, and reads errors and points from its outputs."""

import json
import os

import nbformat
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient

from autograder.publish.solutions import grade_id


def execute_from_here(python, path):
    """Run the notebook in a kernel of this Python, without the slow imports of nbconvert's process."""
    notebook, manager = nbformat.read(path, as_version=4), AsyncKernelManager()
    manager.kernel_spec.argv[0] = str(python)
    place = {"metadata": {"path": str(path.parent)}}
    return NotebookClient(notebook, manager, timeout=300, resources=place).execute(env=environment())


def environment():
    """This process's environment without the variables that would let Python find the course."""
    prefixes = ("PYTHON", "JUPYTER", "COURSE")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(prefixes)}
    return {**inherited, "OMP_NUM_THREADS": "1", "MPLBACKEND": ""}


def errors(notebook):
    """The text of error outputs and of output on stderr."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    failures = [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]
    return [output.get("evalue") or output.get("text") for output in failures]


def points(notebook):
    """{exercise: the number shown below its check}."""
    result = {}
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade") and not marks.get("solution"):
            values = [o.data["text/plain"] for o in cell.outputs if o.output_type == "execute_result"]
            result[marks.grade_id.removeprefix("test_")] = float(values[-1])
    return result


def shortened(notebook, exercises):
    """The notebook with only the set-up, the imports, and these exercises with their checks."""
    graded = {name for exercise in exercises for name in (exercise, f"test_{exercise}")}
    code_cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return notebook | {"cells": [*code_cells[:2], *(cell for cell in code_cells if grade_id(cell) in graded)]}


def save(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path
