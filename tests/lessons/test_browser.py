"""JupyterLab in a real browser: every lesson runs top to bottom, and nothing in the page is broken."""

from itertools import product, starmap

import nbformat
import pytest

from autograder.releases.store import lessons
from autograder.setup.sample_class import solved
from tests.tools.executed import points, save

from .conftest import notebook_of

pytestmark = pytest.mark.xdist_group("browser")
LESSONS = list(lessons())
LIGHT = ("00_start_here", "solved")  # runs with every change, the others before a release
# What JupyterLab shows when a widget, a script or a cell fails.
BROKEN = (
    "Click to show javascript error",
    "Error displaying widget",
    "Error creating widget",
    "Javascript Error",
    "Loading widget...",
)
RED = ("application/vnd.jupyter.error", "application/vnd.jupyter.stderr")


def ran(lab, path):
    """The notebook as saved after Run All, what is broken in the page, and how much is drawn."""
    work, opened_at = lab
    opened = opened_at(path)
    try:
        opened.run_all()
        shown = opened.page.inner_text("body")
        broken = [words for words in BROKEN if words in shown]
        broken += [
            text for kind in RED for text in opened.texts(f'.jp-OutputArea-output[data-mime-type="{kind}"]')
        ]
        cards = opened.page.locator(".jp-RenderedHTML").count()
        broken += [f"picture {n} did not start" for n in opened.asleep()]
    finally:
        opened.close()
    return nbformat.read(work / path, as_version=4), broken + opened.said, cards


def run_of(lesson, kind):
    return pytest.param(
        lesson, kind, marks=pytest.mark.system if (lesson, kind) == LIGHT else pytest.mark.release
    )


@pytest.mark.parametrize(("lesson", "kind"), starmap(run_of, product(LESSONS, ("untouched", "solved"))))
def test_lesson_runs_top_to_bottom(lab, lesson, kind):
    path = f"{lesson}/{lesson}.ipynb"
    if kind == "solved":
        path = f"solved/{path}"
        save(solved(lesson), lab[0] / path)
    notebook, broken, cards = ran(lab, path)
    assert broken == []
    full = lessons()[lesson].exercises
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


@pytest.mark.system
@pytest.mark.parametrize(
    ("cell", "seen"),
    [
        ("import sys; print('on stderr', file=sys.stderr)", "on stderr"),
        ("1 / 0", "ZeroDivisionError"),
        ("from IPython.display import Javascript; Javascript('console.error(\"ours\")')", "ours"),
        (NO_SUCH_WIDGET, "Click to show javascript error"),
    ],
    ids=["stderr", "error", "console", "widget"],
)
def test_what_is_broken_would_be_seen(lab, cell, seen):
    save(notebook_of(cell), lab[0] / "broken" / "broken.ipynb")
    _, broken, _ = ran(lab, "broken/broken.ipynb")
    assert any(seen in words for words in broken)
