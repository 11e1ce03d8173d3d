"""work/: copies appear once, newer lessons come beside, nothing is overwritten; JupyterLab opens on it."""

import json
import os
import sys
import urllib.error
from pathlib import Path

import pytest

from autograder.setup.lab import LEARNER, copy_lessons, lab_environment, lab_flags, main, welcome
from tests.tools.jupyter import read, served
from tests.tools.lab_in_browser import START

ROOT = Path(__file__).resolve().parents[3]


def release(root, name, version, text="lesson"):
    """A student's notebook as the build would leave it in notebooks/."""
    path = root / "notebooks" / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": text}
    metadata = {"course": {"lesson": name, "version": version}}
    path.write_text(json.dumps({"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}))
    return root / "work" / name / f"{name}.ipynb"


def test_lessons_are_copied_once(tmp_path):
    mine = release(tmp_path, "00_start_here", "one")
    assert copy_lessons(tmp_path) == ["Copied to work/: 00_start_here."]
    mine.write_text(mine.read_text() + " ")
    release(tmp_path, "01_masks", "one")
    assert copy_lessons(tmp_path) == ["Copied to work/: 01_masks."]
    assert copy_lessons(tmp_path) == []
    assert mine.read_text().endswith(" ")


def test_a_newer_version_comes_beside_and_overwrites_nothing(tmp_path):
    mine = release(tmp_path, "01_masks", "one")
    copy_lessons(tmp_path)
    mine.write_text(mine.read_text().replace("lesson", "my work", 1))
    saved = mine.read_text()
    release(tmp_path, "01_masks", "two")
    message = [
        "There is a newer version of 01_masks.ipynb: it is beside yours, as 01_masks.new.ipynb; "
        "yours stays as it is."
    ]
    assert copy_lessons(tmp_path) == message
    assert copy_lessons(tmp_path) == []
    beside = mine.with_name("01_masks.new.ipynb")
    beside.write_text(beside.read_text() + " ")
    release(tmp_path, "01_masks", "three")
    assert "01_masks.new2.ipynb" in copy_lessons(tmp_path)[0]
    assert mine.read_text() == saved
    assert beside.read_text().endswith(" ")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"metadata": null}'])
def test_a_notebook_that_cannot_be_read_is_left_alone(tmp_path, text):
    mine = release(tmp_path, "01_masks", "one")
    copy_lessons(tmp_path)
    mine.write_text(text)
    assert "01_masks.new.ipynb" in copy_lessons(tmp_path)[0]
    assert mine.read_text() == text


def test_the_welcome_notebook_is_the_first(tmp_path):
    for name in ("01_masks", "00_start_here"):
        release(tmp_path, name, "one")
    copy_lessons(tmp_path)
    page = welcome(tmp_path / "work")
    assert page.name == "00_start_here.ipynb"
    assert "--LabApp.default_url=/lab/tree/00_start_here/00_start_here.ipynb" in lab_flags(
        tmp_path / "work", page
    )


def test_without_lessons_it_says_what_to_do(tmp_path):
    with pytest.raises(SystemExit, match="make notebooks"):
        main([], tmp_path)


def test_other_kernels_and_settings_do_not_get_in_the_way():
    environment = lab_environment(
        {"JUPYTER_PATH": "/elsewhere", "JUPYTER_CONFIG_PATH": "/mine", "HOME": "/home"}, LEARNER
    )
    *ours, last = environment.pop("JUPYTER_CONFIG_PATH").split(os.pathsep)
    assert last == "/mine"
    assert all((Path(path) / "labconfig" / "page_config.json").is_file() for path in ours)
    assert environment == {"HOME": "/home", "JUPYTER_PREFER_ENV_PATH": "1"}


@pytest.fixture
def lab(tmp_path):
    """A real JupyterLab on a work/ of its own: a function that asks it."""
    release(tmp_path, "00_start_here", "one")
    with served([sys.executable, "-c", START, tmp_path], tmp_path) as address:
        yield lambda path: read(address + path)


def test_jupyterlab_opens_on_the_learners_copies(lab):
    assert [entry["name"] for entry in json.loads(lab("/api/contents"))["content"]] == ["00_start_here"]
    assert list(json.loads(lab("/api/kernelspecs"))["kernelspecs"]) == ["python3"]
    page = lab("/lab/tree/00_start_here/00_start_here.ipynb")
    assert '"news": {"disabled": true}' in page
    assert "@jupyterlab/apputils-extension:announcements" in page
    with pytest.raises(urllib.error.HTTPError, match="404"):
        lab("/formgrader")
