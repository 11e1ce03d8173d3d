"""A lesson's .py and the notebook beside it are one: edit either in JupyterLab, the other follows."""

import os

import nbformat
import pytest
from jupyter_server.services.contents.largefilemanager import LargeFileManager
from jupytext.sync_contentsmanager import build_sync_jupytext_contents_manager_class

from autograder.publish.build import make_notebooks
from autograder.publish.lesson import LessonError, current, follow, lesson_sources

LESSON = "solutions/00_start_here/00_start_here"


@pytest.fixture
def lab(tree):
    """What JupyterLab opens and saves files with, when it is started in the course's folder."""
    for source in lesson_sources(tree):
        follow(source)
    return build_sync_jupytext_contents_manager_class(LargeFileManager)(root_dir=str(tree))


@pytest.fixture
def tree(small_tree):
    return small_tree


def save_with(lab, path, edit):
    model = lab.get(path, type="notebook")
    edit(model["content"].cells)
    lab.save(model, path)


def test_opening_and_saving_changes_no_source(lab, tree):
    for source in sorted(tree.glob("solutions/*/*.py")):
        before = source.read_text(encoding="utf-8")
        save_with(lab, source.with_suffix(".ipynb").relative_to(tree).as_posix(), lambda cells: None)
        assert source.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(("opened", "follows"), [(".ipynb", ".py"), (".py", ".ipynb")])
def test_the_other_follows(lab, tree, opened, follows):
    def edit(cells):
        cells[0]["source"] += "\nOne more line."

    save_with(lab, LESSON + opened, edit)
    assert "One more line." in (tree / (LESSON + follows)).read_text(encoding="utf-8")
    make_notebooks(tree)
    student = (tree / LESSON.replace("solutions", "notebooks")).with_suffix(".ipynb")
    assert "One more line." in student.read_text(encoding="utf-8")


def test_nbgrader_marks_follow_and_editor_marks_do_not(lab, tree):
    def edit(cells):
        cell = next(c for c in cells if c["metadata"].get("nbgrader", {}).get("solution"))
        cell["metadata"]["nbgrader"]["locked"] = True
        cell["metadata"]["collapsed_by_an_editor"] = True

    save_with(lab, LESSON + ".ipynb", edit)
    text = (tree / (LESSON + ".py")).read_text(encoding="utf-8")
    assert '"locked": true, "schema_version": 3, "solution": true' in text
    assert "collapsed_by_an_editor" not in text


def test_students_notebooks_are_paired_with_nothing(lab, tree):
    make_notebooks(tree)
    path = LESSON.replace("solutions", "notebooks")
    save_with(lab, path + ".ipynb", lambda cells: None)
    assert not (tree / (path + ".py")).exists()


def test_copies_for_students_never_reach_the_sources(tree):
    make_notebooks(tree)
    for path in tree.glob("solutions/*/*"):
        assert b"load_course" not in path.read_bytes()


def test_an_edit_of_the_notebook_alone_is_not_lost(tree):
    make_notebooks(tree)
    source, pair = (tree / (LESSON + suffix) for suffix in (".py", ".ipynb"))
    notebook = nbformat.read(pair, as_version=4)
    notebook.cells[0].source += "\nEdited elsewhere."
    nbformat.write(notebook, pair)
    os.utime(source, (1, 1))
    with pytest.raises(
        LessonError, match="was edited without 00_start_here.py, and is newer: run `.venv/bin/jupytext --sync"
    ):
        make_notebooks(tree)
    os.utime(pair, (0, 0))  # older than the source: the source counts
    follow(source)
    assert "Edited elsewhere." not in pair.read_text(encoding="utf-8")


def test_outputs_of_an_author_stay_until_the_source_changes(tree):
    make_notebooks(tree)
    source, pair = (tree / (LESSON + suffix) for suffix in (".py", ".ipynb"))
    notebook = nbformat.read(pair, as_version=4)
    cell = next(c for c in notebook.cells if c.cell_type == "code")
    cell.outputs = [nbformat.v4.new_output("stream", text="seen")]
    nbformat.write(notebook, pair)
    make_notebooks(tree)
    assert "seen" in pair.read_text(encoding="utf-8")
    assert not any(c.get("outputs") for c in current(source).cells)
