import shutil
from pathlib import Path

import pytest

from tests.tools.lab_in_browser import Opened, learners_lab

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def lab(chromium, tmp_path_factory):
    """(the folder that JupyterLab shows, a function that opens a notebook in it); one server for all."""
    root = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "notebooks", root / "notebooks")
    with learners_lab(root) as address:
        yield root / "work", lambda path, **options: Opened(chromium, address, path, **options)
