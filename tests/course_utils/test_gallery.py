"""docs/gallery.md shows every figure of the course, and each can be drawn."""

import matplotlib.pyplot as plt
import pytest

from tests.tools.draw_gallery import DOCS, all_figures, page, pictures


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
