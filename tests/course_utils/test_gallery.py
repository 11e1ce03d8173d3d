"""docs/gallery.md and docs/touch.md show every figure and every picture to touch, and each can be drawn."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from tests.tools.draw_gallery import DOCS, all_figures, page, pictures
from tests.tools.draw_touch_gallery import pieces


@pytest.fixture(scope="module")
def drawn():
    yield pictures()
    plt.close("all")


def test_every_figure_is_drawn(drawn):
    assert set(drawn) == all_figures()
    assert len(drawn) > 20


def test_the_page_shows_every_figure(drawn):
    assert (DOCS / "gallery.md").read_text(encoding="utf-8") == page(drawn)
    assert {path.stem for path in (DOCS / "gallery").iterdir()} == {function.__name__ for function in drawn}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in (DOCS / "gallery").iterdir())


def test_the_page_of_pictures_to_touch_shows_every_one_that_lessons_use():
    lessons = "".join(path.read_text(encoding="utf-8") for path in DOCS.parent.glob("solutions/*/*.py"))
    imports = re.findall(r"^from course_utils\.touch\.\w+ import (.+)$", lessons, re.MULTILINE)
    used = {name for line in imports for name in line.split(", ")} - {"Snapshots", "recorded_runs"}
    text = (DOCS / "touch.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == [function.__name__ for function in pieces()]
    assert used
    assert used <= {function.__name__ for function in pieces()}
    for picture in re.findall(r"\]\((touch/\w+\.png)\)", text):
        assert Path(DOCS, picture).read_bytes().startswith(b"\x89PNG")
