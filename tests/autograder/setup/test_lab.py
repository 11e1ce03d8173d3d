"""work/: copies appear once, newer lessons come beside, nothing is overwritten; JupyterLab opens on it."""

import json
import os
import sys
import urllib.error
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from autograder.setup.lab import LEARNER, copy_lessons, lab_environment, lab_flags, main, welcome
from tests.tools.jupyter import read, served
from tests.tools.lab_in_browser import START


def release(root, name, version, text="lesson"):
    """A student's notebook as the build would leave it in notebooks/."""
    path = root / "notebooks" / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"course": {"lesson": name, "version": version}}
    path.write_text(nbformat.writes(new_notebook(cells=[new_markdown_cell(text, id="a")], metadata=metadata)))
    return root / "work" / name / f"{name}.ipynb"


def test_a_newer_version_comes_beside_and_overwrites_nothing(tmp_path):
    mine = release(tmp_path, "01_masks", "one")
    assert copy_lessons(tmp_path) == ["Copied to work/: 01_masks."]
    saved = mine.read_text().replace("lesson", "my work", 1)
    mine.write_text(saved)
    assert copy_lessons(tmp_path) == []
    release(tmp_path, "01_masks", "two")
    newer = "There is a newer version of 01_masks.ipynb: it is beside yours, as {}; yours stays as it is."
    assert copy_lessons(tmp_path) == [newer.format("01_masks.new.ipynb")]
    assert copy_lessons(tmp_path) == []
    beside = mine.with_name("01_masks.new.ipynb")
    beside.write_text(beside.read_text() + " ")
    release(tmp_path, "01_masks", "three")
    assert copy_lessons(tmp_path) == [newer.format("01_masks.new2.ipynb")]
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
    with pytest.raises(SystemExit, match="make notebooks"):
        main([], tmp_path)
    for name in ("01_masks", "00_start_here"):
        release(tmp_path, name, "one")
    copy_lessons(tmp_path)
    first = "--LabApp.default_url=/lab/tree/00_start_here/00_start_here.ipynb"
    assert first in lab_flags(tmp_path / "work", welcome(tmp_path / "work"))


def test_other_kernels_and_settings_do_not_get_in_the_way():
    theirs = {"JUPYTER_PATH": "/elsewhere", "JUPYTER_CONFIG_PATH": "/mine", "HOME": "/home"}
    environment = lab_environment(theirs, LEARNER)
    *ours, last = environment.pop("JUPYTER_CONFIG_PATH").split(os.pathsep)
    assert last == "/mine"
    assert all((Path(path) / "labconfig" / "page_config.json").is_file() for path in ours)
    assert environment == {"HOME": "/home", "JUPYTER_PREFER_ENV_PATH": "1"}


def test_jupyterlab_opens_on_the_learners_copies(tmp_path):
    release(tmp_path, "00_start_here", "one")
    with served([sys.executable, "-c", START, tmp_path], tmp_path) as address:
        contents = json.loads(read(f"{address}/api/contents"))["content"]
        assert [entry["name"] for entry in contents] == ["00_start_here"]
        assert list(json.loads(read(f"{address}/api/kernelspecs"))["kernelspecs"]) == ["python3"]
        page = read(f"{address}/lab/tree/00_start_here/00_start_here.ipynb")
        assert '"news": {"disabled": true}' in page
        assert "@jupyterlab/apputils-extension:announcements" in page
        with pytest.raises(urllib.error.HTTPError, match="404"):
            read(f"{address}/formgrader")
