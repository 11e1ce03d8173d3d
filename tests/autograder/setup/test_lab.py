"""Lessons are copied to work/ once, newer ones are put next to them, nothing is overwritten."""

import json
import sys
import urllib.error
import urllib.request

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from autograder.setup.lab import copy_lessons, main
from tests.tools.jupyter import read, served
from tests.tools.lab_in_browser import START


def release(root, name, version, text="lesson"):
    """Write a student's notebook as the build does; return the path of its copy in work/."""
    path = root / "notebooks" / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"course": {"lesson": name, "version": version}}
    path.write_text(nbformat.writes(new_notebook(cells=[new_markdown_cell(text, id="a")], metadata=metadata)))
    return root / "work" / name / f"{name}.ipynb"


def test_a_newer_lesson_is_put_next_to_the_copy_and_overwrites_nothing(tmp_path):
    copy = release(tmp_path, "01_masks", "one")
    assert copy_lessons(tmp_path) == ["Copied to work/: 01_masks."]
    edited_text = copy.read_text().replace("lesson", "my work", 1)
    copy.write_text(edited_text)
    assert copy_lessons(tmp_path) == []
    release(tmp_path, "01_masks", "two")
    newer = "There is a newer version of 01_masks.ipynb: it is next to yours, as {}; yours is unchanged."
    assert copy_lessons(tmp_path) == [newer.format("01_masks.new.ipynb")]
    assert copy_lessons(tmp_path) == []
    newer_copy = copy.with_name("01_masks.new.ipynb")
    newer_copy.write_text(newer_copy.read_text() + " ")
    release(tmp_path, "01_masks", "three")
    assert copy_lessons(tmp_path) == [newer.format("01_masks.new2.ipynb")]
    assert copy.read_text() == edited_text
    assert newer_copy.read_text().endswith(" ")


def test_a_copy_that_nobody_changed_is_replaced_by_a_newer_lesson(tmp_path):
    copy = release(tmp_path, "01_masks", "one")
    copy_lessons(tmp_path)
    release(tmp_path, "01_masks", "two", "newer")
    assert copy_lessons(tmp_path) == ["Replaced by a newer version, since you had not changed it: 01_masks."]
    copy.write_text(copy.read_text().replace("newer", "my work", 1))
    for version in ("three", "four"):
        release(tmp_path, "01_masks", version, version)
        copy_lessons(tmp_path)
    assert sorted(path.name for path in copy.parent.iterdir()) == ["01_masks.ipynb", "01_masks.new.ipynb"]
    assert "my work" in copy.read_text()
    assert "four" in copy.with_name("01_masks.new.ipynb").read_text()


def test_without_a_record_of_copies_nothing_is_replaced(tmp_path):
    copy = release(tmp_path, "01_masks", "one")
    copy_lessons(tmp_path)
    (tmp_path / "work" / ".copies.json").write_text("[")
    release(tmp_path, "01_masks", "two")
    assert "01_masks.new.ipynb" in copy_lessons(tmp_path)[0]
    assert '"one"' in copy.read_text()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"metadata": null}'])
def test_an_unreadable_notebook_in_work_is_left_alone(tmp_path, text):
    copy = release(tmp_path, "01_masks", "one")
    copy_lessons(tmp_path)
    copy.write_text(text)
    assert "01_masks.new.ipynb" in copy_lessons(tmp_path)[0]
    assert copy.read_text() == text


def test_without_built_lessons_make_lab_says_what_to_do(tmp_path):
    with pytest.raises(SystemExit, match="make notebooks"):
        main([], tmp_path)


def test_jupyterlab_opens_on_work_despite_other_kernels_and_settings(tmp_path, monkeypatch):
    for name in ("01_masks", "00_start_here"):
        release(tmp_path, name, "one")
    user_files = {"kernels/other/kernel.json": {"argv": ["other"], "display_name": "Other"}}
    user_files["labconfig/page_config.json"] = {"disabledExtensions": {"disabled-by-me": True}}
    for name, content in user_files.items():
        (tmp_path / "theirs" / name).parent.mkdir(parents=True)
        (tmp_path / "theirs" / name).write_text(json.dumps(content))
    for variable in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):
        monkeypatch.setenv(variable, str(tmp_path / "theirs"))
    with served([sys.executable, "-c", START, tmp_path], tmp_path) as address:
        contents = json.loads(read(f"{address}/api/contents"))["content"]
        assert sorted(entry["name"] for entry in contents) == ["00_start_here", "01_masks"]
        assert list(json.loads(read(f"{address}/api/kernelspecs"))["kernelspecs"]) == ["python3"]
        with urllib.request.urlopen(address, timeout=20) as response:
            assert response.url == f"{address}/lab/tree/00_start_here/00_start_here.ipynb"
            page = response.read().decode()
        for setting in ('"news": {"disabled": true}', "@jupyterlab/apputils-extension:announcements"):
            assert setting in page
        assert "disabled-by-me" in page, "their own settings hold where the course has none"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            read(f"{address}/formgrader")
