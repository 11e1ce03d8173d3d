"""A lesson's .py and the notebook next to it stay in sync when either is edited in JupyterLab."""

import os

import nbformat
import pytest
from jupyter_server.services.contents.largefilemanager import LargeFileManager
from jupytext.sync_contentsmanager import build_sync_jupytext_contents_manager_class

from autograder.publish.build import make_notebooks
from autograder.publish.lesson import LessonError, current, follow, lesson_sources

LESSON = "solutions/00_start_here/00_start_here"
STUDENTS = "notebooks/00_start_here/00_start_here"


@pytest.fixture
def save_with(small_tree):
    """save_with(path, edit) does what JupyterLab does when it opens a file as a notebook and saves it."""
    for source in lesson_sources(small_tree):
        follow(source)
    contents = build_sync_jupytext_contents_manager_class(LargeFileManager)(root_dir=str(small_tree))

    def save(path, edit=lambda cells: None):
        model = contents.get(path, type="notebook")
        edit(model["content"].cells)
        contents.save(model, path)

    return save


def add_a_line_and_marks(cells):
    cells[0]["source"] += "\nOne more line."
    cell = next(c for c in cells if c["metadata"].get("nbgrader", {}).get("solution"))
    cell["metadata"]["nbgrader"]["locked"] = True
    cell["metadata"]["collapsed_by_an_editor"] = True


def test_opening_and_saving_changes_no_source_and_pairs_no_student_notebook(save_with, small_tree):
    make_notebooks(small_tree, "00_start_here")
    for source in sorted(small_tree.glob("solutions/*/*.py")):
        before = source.read_text(encoding="utf-8")
        save_with(source.with_suffix(".ipynb").relative_to(small_tree).as_posix())
        assert source.read_text(encoding="utf-8") == before
    save_with(f"{STUDENTS}.ipynb")
    assert not (small_tree / f"{STUDENTS}.py").exists()
    assert all(b"load_course" not in path.read_bytes() for path in small_tree.glob("solutions/*/*[by]"))


@pytest.mark.parametrize(("opened_suffix", "paired_suffix"), [(".ipynb", ".py"), (".py", ".ipynb")])
def test_an_edit_syncs_with_nbgrader_metadata_and_without_editor_metadata(
    save_with, small_tree, opened_suffix, paired_suffix
):
    save_with(LESSON + opened_suffix, add_a_line_and_marks)
    make_notebooks(small_tree, "00_start_here")
    for path in (LESSON + paired_suffix, f"{STUDENTS}.ipynb"):
        assert "One more line." in (small_tree / path).read_text(encoding="utf-8")
    text = (small_tree / f"{LESSON}.py").read_text(encoding="utf-8")
    assert '"locked": true, "schema_version": 3, "solution": true' in text
    assert "collapsed_by_an_editor" not in text


def test_an_unsynced_newer_notebook_stops_the_build_and_outputs_are_kept(small_tree):
    make_notebooks(small_tree, "00_start_here")
    source, pair = (small_tree / f"{LESSON}{suffix}" for suffix in (".py", ".ipynb"))
    notebook = nbformat.read(pair, as_version=4)
    code = next(c for c in notebook.cells if c.cell_type == "code")
    code.outputs = [nbformat.v4.new_output("stream", text="an output")]
    nbformat.write(notebook, pair)
    make_notebooks(small_tree, "00_start_here")
    assert "an output" in pair.read_text(encoding="utf-8")
    assert not any(c.get("outputs") for c in current(source).cells)
    notebook.cells[0].source += "\nEdited elsewhere."
    nbformat.write(notebook, pair)
    os.utime(source, (1, 1))
    newer = "was edited without 00_start_here.py, and is newer: run `.venv/bin/jupytext --sync"
    with pytest.raises(LessonError, match=newer):
        make_notebooks(small_tree, "00_start_here")
    os.utime(pair, (0, 0))  # older than the source: the source counts
    follow(source)
    assert "Edited elsewhere." not in pair.read_text(encoding="utf-8")
