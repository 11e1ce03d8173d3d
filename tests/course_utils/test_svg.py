"""A figure goes into the page as SVG: readable in light and dark themes, on a narrow page, and small."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from course_utils.figures.heads import plot_heads
from course_utils.figures.masks import plot_dialects, plot_mask
from course_utils.figures.split import plot_split
from course_utils.figures.stages import plot_stages
from course_utils.figures.svg import as_html, figure_of
from course_utils.figures.training import plot_head_rows
from tests.tools.figures import all_figures, pictures
from tests.tools.masks import causal

pytestmark = pytest.mark.xdist_group("svg")  # all figures are drawn once
NARROW = 600  # what a window of 800 pixels leaves to an output
SMALLEST = 7  # pixels of a letter


@pytest.fixture(scope="session")
def pages():
    drawn = {draw.__name__: axes for draw, axes in pictures().items()}
    yield {name: as_html(figure_of(axes), name) for name, axes in drawn.items()}
    plt.close("all")


def page_of(axes):
    return as_html(figure_of(axes), "")


def svgs(page):
    return re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)


def pixels(drawn, what):
    return float(re.search(rf"\b{what}:([\d.]+)px", drawn[: drawn.index(">")])[1])


NAMES = sorted(draw.__name__ for draw in all_figures())


@pytest.mark.parametrize("name", NAMES)
def test_no_colour_of_a_theme_is_left_in_a_figure(pages, name):
    page = pages[name]
    assert "currentColor" in page
    assert "#000000" not in page
    assert "<style" not in page, "a style in an SVG is one of the whole page"
    for drawn in svgs(page):
        head, *shapes = re.findall(r"<path [^>]*>", drawn)
        assert "fill: none" in head, "the ground of a figure is the page's"
        box = [float(n) for n in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn).groups()]
        for shape in shapes:
            places = np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", shape), dtype=float)
            wide = len(places) and (np.ptp(places, axis=0) > 0.98 * np.array(box)).all()
            assert not (wide and "#ffffff" in shape), "a white slab"


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_fits_a_narrow_page_and_its_letters_are_readable_there(pages, name):
    for drawn in svgs(pages[name]):
        assert pixels(drawn, "min-width") <= NARROW
        natural = pixels(drawn, "width")
        scale = min(natural, NARROW) / float(re.search(r'viewBox="0 0 ([\d.]+)', drawn)[1])
        sizes = [float(size) for size in re.findall(r"<text [^>]*?([\d.]+)px", drawn)]
        assert min(sizes) * scale >= SMALLEST


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_small(pages, name):
    assert len(pages[name]) < 80_000


def test_long_tables_are_images_of_one_pixel_a_cell():
    weights = torch.rand(6, 24, 24).masked_fill(causal(24), 0)
    page = page_of(plot_heads(weights))
    assert page.count("<image") == 1
    assert "pixelated" in page
    assert len(page) < 40_000
    rows = plot_head_rows({"before": weights[:3], "after": weights[3:]}, "x" * 24)
    assert len(page_of(rows)) < 200_000


def test_panels_in_a_row_become_pictures_of_their_own_and_nothing_is_lost():
    axes = plot_dialects(causal(3))
    together = page_of(axes)
    assert len(svgs(together)) == 3
    assert len({re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', item)[1] for item in svgs(together)}) == 1
    titles = ["True = masked", "True = attend", "added to the scores"]
    assert [[title in item for title in titles] for item in svgs(together)] == np.eye(3, dtype=bool).tolist()


def test_rows_of_panels_and_titles_across_stay_together():
    figure, axes = plt.subplots(2, 2)
    assert len(svgs(page_of(axes))) == 1
    figure, axes = plt.subplots(1, 2)
    figure.suptitle("both")
    assert len(svgs(page_of(axes))) == 1
    story = dict.fromkeys(["Q", "K", "V", "heads"], torch.rand(1, 1, 3, 2))
    story |= dict.fromkeys(["scores", "masked_scores", "weights"], torch.rand(1, 1, 3, 3))
    assert len(svgs(page_of(plot_stages(story)))) == 1


def test_texts_on_cells_keep_their_colour_and_coloured_texts_mix_with_the_theme():
    ax = plot_mask(causal(2))
    ax.text(0, 0, "note", color="#D55E00")
    page = page_of(ax)
    assert re.search(r"fill: #111111[^>]*>T<", page)
    assert re.search(r"color-mix\(in srgb,#d55e00 \d+%,currentColor\)[^>]*>note<", page)
    assert re.search(r"<text style=\"[^\"]*middle\"[^>]*>key position<", page), "no colour: that of the page"


@pytest.mark.parametrize("sizes", [(3, 2, 2), (4, 2, 3), (6, 4, 2)])
def test_splits_fit_a_window_of_800_pixels(sizes):
    (drawn,) = svgs(page_of(plot_split(*sizes)))
    assert pixels(drawn, "min-width") <= 600


def test_tiny_text_makes_the_page_scroll_rather_than_shrink():
    ax = plt.subplots(figsize=(20, 2))[1]
    ax.set_title("small", fontsize=6)
    ax.tick_params(labelsize=6)
    (drawn,) = svgs(page_of(ax))
    assert pixels(drawn, "min-width") == pytest.approx(pixels(drawn, "width") * 7 / 8, abs=1)


def test_equal_figures_are_equal_bytes():
    assert page_of(plot_mask(causal(3))) == page_of(plot_mask(causal(3)))
