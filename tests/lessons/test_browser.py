"""JupyterLab in a real browser: lessons run without errors, and pictures work without a kernel."""

import json
import shutil
import subprocess
import sys
from contextlib import closing
from itertools import product, starmap

import nbformat
import numpy as np
import pytest

from autograder.releases.store import lessons
from autograder.setup.sample_class import solved
from tests.conftest import ROOT
from tests.tools.executed import points, save
from tests.tools.lab_in_browser import NotebookView, learners_lab

pytestmark = pytest.mark.xdist_group("browser")
LESSONS = list(lessons())
LIGHT = ("00_start_here", "solved")  # runs with every change, all others before a release
FIRST = "00_start_here/00_start_here.ipynb"
# What JupyterLab shows when a widget, a script or a cell fails.
BROKEN = (
    "Click to show javascript error",
    "Error displaying widget",
    "Error creating widget",
    "Javascript Error",
    "Loading widget...",
)
RED = ("application/vnd.jupyter.error", "application/vnd.jupyter.stderr")
WIDTH = "async image => { await image.decode(); return image.naturalWidth }"


def notebook_of(*cells):
    """A notebook of these cells that JupyterLab opens with a Python kernel."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return notebook


@pytest.fixture(scope="module")
def lab(chromium, tmp_path_factory):
    """(the folder that JupyterLab shows, a function that opens a notebook in it); one server for all."""
    root = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "notebooks", root / "notebooks")
    with learners_lab(root) as address:
        yield root / "work", lambda path: NotebookView(chromium, address, path)


def after_run_all(lab, path):
    """The notebook as saved after Run All, the text of each error in the page, the number of HTML outputs."""
    work, open_notebook = lab
    with closing(open_notebook(path)) as view:
        view.run_all()
        text = view.page.inner_text("body")
        broken = [words for words in BROKEN if words in text]
        for kind in RED:
            broken += view.texts(f'.jp-OutputArea-output[data-mime-type="{kind}"]')
        cards = view.page.locator(".jp-RenderedHTML").count()
        broken += [f"picture {n} did not start" for n in view.asleep()]
    return nbformat.read(work / path, as_version=4), broken + view.complaints, cards


def run_of(lesson, kind):
    mark = pytest.mark.system if (lesson, kind) == LIGHT else pytest.mark.release
    return pytest.param(lesson, kind, marks=mark)


@pytest.mark.parametrize(("lesson", "kind"), starmap(run_of, product(LESSONS, ("untouched", "solved"))))
def test_a_lesson_runs_top_to_bottom_in_jupyterlab_without_errors_in_the_page(lab, lesson, kind):
    path, full = f"{lesson}/{lesson}.ipynb", lessons()[lesson].exercises
    if kind == "solved":
        path = f"solved/{path}"
        save(solved(lesson), lab[0] / path)
    notebook, broken, cards = after_run_all(lab, path)
    assert broken == []
    assert points(notebook) == (full if kind == "solved" else dict.fromkeys(full, 0.0))
    assert cards >= len(full)


NO_SUCH_WIDGET = """
import ipywidgets
from traitlets import Unicode
class Nowhere(ipywidgets.DOMWidget):
    _model_module = _view_module = Unicode("no-such-module").tag(sync=True)
    _model_name = _view_name = Unicode("NoModel").tag(sync=True)
Nowhere()
"""
BREAKS = {
    "on stderr": "import sys; print('on stderr', file=sys.stderr)",
    "ours": "from IPython.display import Javascript; Javascript('console.error(\"ours\")')",
    "Click to show javascript error": NO_SUCH_WIDGET,
    "ZeroDivisionError": "1 / 0",
}


@pytest.mark.system
def test_failing_widgets_scripts_and_cells_would_be_noticed(lab):
    save(notebook_of(*BREAKS.values()), lab[0] / "broken" / "broken.ipynb")
    _, broken, _ = after_run_all(lab, "broken/broken.ipynb")
    assert [words for words in BREAKS if not any(words in text for text in broken)] == []


# ---- interactive pictures


@pytest.fixture(scope="module")
def lab_after_run(lab):
    """`lab` after lesson 00 has been run and saved."""
    with closing(lab[1](FIRST)) as view:
        view.run_all()
    return lab


def responds(page):
    """Does rotating the query update the weights to the values for its new direction?"""
    query = page.get_by_role("slider", name="query", exact=True).first
    query.scroll_into_view_if_needed()
    query.focus()
    query.press("ArrowLeft")
    query.press("ArrowUp")
    page.wait_for_timeout(150)
    weights = page.locator(".touch .live").first.get_attribute("data-weights").split()
    powers = np.exp([0.9, 1.1, 2.0])
    return np.allclose([*map(float, weights)], powers / powers.sum(), atol=2e-4)


@pytest.mark.system
def test_the_first_screen_has_a_picture_before_any_cell_has_run(lab):
    with closing(lab[1](FIRST)) as view:
        image = view.page.locator(".jp-MarkdownCell img").first
        assert image.evaluate(WIDTH) > 500
        assert image.bounding_box()["y"] < 900
        assert "guesses" in image.get_attribute("alt")


@pytest.mark.system
def test_a_picture_works_in_a_reopened_notebook_and_keeps_its_keys_from_jupyterlab(lab_after_run):
    """While a handle has the focus, JupyterLab's own keys (arrows select a cell, x cuts one) do nothing."""
    with closing(lab_after_run[1](FIRST)) as view:
        view.page.wait_for_selector(".touch .live")
        assert view.asleep() == []
        cells = view.page.locator(".jp-Cell").count()
        assert responds(view.page)
        view.page.keyboard.press("x")
        view.page.wait_for_timeout(200)
        assert view.page.locator(".jp-Cell").count() == cells
        assert view.complaints == []


@pytest.mark.system
def test_an_untrusted_notebook_shows_the_still_picture(lab_after_run):
    """JupyterLab trusts only outputs of this machine, and runs no scripts from others."""
    work, open_notebook = lab_after_run
    foreign = json.loads((work / FIRST).read_text(encoding="utf-8"))
    foreign["metadata"]["author"] = "somebody else"
    save(foreign, work / "foreign.ipynb")
    with closing(open_notebook("foreign.ipynb")) as view:
        image = view.page.locator(".jp-OutputArea .touch-still img, .jp-OutputArea img").first
        image.wait_for()
        assert image.evaluate(WIDTH) > 100
        assert view.page.locator(".touch .live").count() == 0


@pytest.mark.system
def test_exported_html_works_offline_and_shows_stills_without_scripts(chromium, lab_after_run, tmp_path):
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to",
        "html",
        "--output-dir",
        tmp_path,
        lab_after_run[0] / FIRST,
    ]
    subprocess.run(command, check=True, capture_output=True)
    for scripts in (True, False):
        with closing(chromium.new_context(offline=True, java_script_enabled=scripts)) as context:
            page = context.new_page()
            page.goto((tmp_path / "00_start_here.html").as_uri(), wait_until="domcontentloaded")
            if scripts:
                assert responds(page)
            else:
                assert page.locator(".touch-still img").first.is_visible()
                assert page.locator(".touch .live").count() == 0


# ---- flashcards


CARDS = 'from course_utils import flashcards\n\nflashcards("heads")', 'flashcards("fill_with_zero")'


@pytest.mark.system
def test_a_question_shows_its_widget_and_in_a_reopened_notebook_its_text(lab):
    work, open_notebook = lab
    save(notebook_of(*CARDS), work / "stills" / "stills.ipynb")
    with closing(open_notebook("stills/stills.ipynb")) as view:
        view.run_all()
        stills = view.page.locator("[class^=still-]")
        assert [still.is_visible() for still in stills.all()] == [False, False]
    with closing(open_notebook("stills/stills.ipynb")) as view:  # a new kernel has no widgets
        still = view.page.locator("[class^=still-]").last
        still.wait_for(state="visible")
        assert "How much does it add" in still.inner_text()
        assert "Run this cell to answer." in still.inner_text()
        view.page.wait_for_timeout(500)
        assert "Loading widget" not in view.page.inner_text(".jp-Notebook")


@pytest.mark.system
def test_flashcards_are_answered_turned_and_rated_with_keys_and_clicks(lab):
    work, open_notebook = lab
    save(notebook_of(*CARDS), work / "flashcards" / "flashcards.ipynb")
    with closing(open_notebook("flashcards/flashcards.ipynb")) as view:
        view.run_all()
        heads, zero = (view.page.locator(".jp-CodeCell").nth(n) for n in range(2))
        heads.get_by_role("button", name="Show the answer").click()
        heads.get_by_text("It keeps the scores from overflowing.").wait_for()
        heads.get_by_role("button", name="partly").click()
        heads.get_by_role("button", name="Next card").click()
        heads.get_by_text("2 of 5 · heads").wait_for()
        zero.get_by_role("textbox").last.fill("1")
        zero.get_by_role("textbox").last.press("Enter")
        zero.get_by_text("Right", exact=True).wait_for()
        zero.locator("summary").click()
        zero.get_by_text("A large negative number also works").wait_for(state="visible")
    assert view.complaints == []
    lines = (work / "flashcards" / ".progress" / "predictions.jsonl").read_text().splitlines()
    answered = [(line["name"], line["right"]) for line in map(json.loads, lines)]
    assert answered == [("card:variance_of_a_score", False), ("card:fill_with_zero", True)]
