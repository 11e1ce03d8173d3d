import shutil
from pathlib import Path

import nbformat
import pytest

from tests.tools.lab_in_browser import Opened, learners_lab

ROOT = Path(__file__).resolve().parents[2]


def notebook_of(*cells):
    """A notebook of these cells, that JupyterLab opens with a kernel of Python."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return notebook


@pytest.fixture(scope="session")
def lab(chromium, tmp_path_factory):
    """(the folder that JupyterLab shows, a function that opens a notebook in it); one server for all."""
    root = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "notebooks", root / "notebooks")
    with learners_lab(root) as address:
        yield root / "work", lambda path, **options: Opened(chromium, address, path, **options)
