"""Convert a student's notebook to a page of the site: run it once, and remove what needs a live kernel."""

import base64
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from autograder.releases.course_copy import without_copy

WIDGET = "application/vnd.jupyter.widget-view+json"
LONGEST = 900  # the time limit of a cell, in seconds: one cell trains a model
NOTE = """```{{note}}
This is the lesson as students get it, run once. The cells to write in are empty, and where a picture needs
them, the course's own objects stood in for yours. To work on it, download the notebook:
{{download}}`{lesson}.ipynb <{given}>`.
```"""


def lesson_page(root, notebook):
    """Return the page as a notebook, and {name: bytes} of the pictures in its texts."""
    page = nbformat.read(notebook, as_version=4)
    page.cells = without_copy(page.cells)
    page = execute(root, page)
    page.metadata.pop("widgets", None)
    for cell in page.cells:
        if cell.cell_type == "code":  # a widget needs a kernel; a question's text is in an output of its own
            cell.outputs = [output for output in cell.outputs if WIDGET not in output.get("data", {})]
    pictures = dict(picture for cell in page.cells for picture in detach(cell))
    note = NOTE.format(lesson=notebook.stem, given=f"/given/{notebook.name}")
    page.cells.insert(1, nbformat.v4.new_markdown_cell(note))
    return page, pictures


def execute(root, page):
    """Run all cells in an empty folder. Errors are allowed: a student who starts the lesson sees them too."""
    env = {**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    with tempfile.TemporaryDirectory() as work:
        empty = Path(work) / "empty"
        empty.mkdir()
        manager = AsyncKernelManager(transport="ipc", ip=f"{work}/kernel")  # no ports that others could reach
        if spec := manager.kernel_spec:  # where Jupyter has no kernel, `execute` says so
            spec.argv[0] = sys.executable
        place = {"metadata": {"path": str(empty)}}
        client = NotebookClient(page, manager, timeout=LONGEST, allow_errors=True, resources=place)
        return client.execute(cleanup_kc=True, env=env)  # the kernel ends with the lesson


def detach(cell):
    """Replace a cell's attached pictures by links to files; yield (file name, bytes) of each."""
    for name, kinds in cell.pop("attachments", {}).items():
        cell.source = cell.source.replace(f"(attachment:{name})", f"({name})")
        yield name, base64.b64decode(next(iter(kinds.values())))
