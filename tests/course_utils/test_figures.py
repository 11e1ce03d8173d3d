"""Every figure returns Axes, describes its data, refuses what it cannot draw, and is small, readable SVG."""

import inspect
import math
import re
from collections import Counter
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch, Rectangle, Wedge
from matplotlib.ticker import ScalarFormatter

from course_utils import figures, plot_heads, plot_mask
from course_utils.figures import cache, costs, masks, stages, training, weights
from course_utils.figures.entropy import plot_entropy, plot_largest_weight
from course_utils.figures.guess import plot_guess
from course_utils.figures.influence import influence, plot_influence
from course_utils.figures.layouts import plot_fused_layouts
from course_utils.figures.pages import plot_pages
from course_utils.figures.ring import plot_ring, plot_ring_turns
from course_utils.figures.show import show
from course_utils.figures.slide import slide
from course_utils.figures.split import plot_head_tables, plot_split
from course_utils.figures.svg import as_html, figure_of
from course_utils.figures.words import description
from course_utils.show.colours import COMPUTED, EMPHASIS, HATCH, INK, MASKED, OLD, WEIGHTS
from tests.course_utils.conftest import causal_weights
from tests.tools.masks import causal

matplotlib.use("Agg")
NAN, INF = float("nan"), float("inf")


ZEROS = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0.5, 0, 0.5]])  # a weight of 0 on a visible key


THREE = torch.tensor([[0.5, 0.5, 0.0], [0.3, 0.3, 0.4], [0.2, 0.3, 0.5]])
PADDED = torch.tensor([[[0.5, 0.5, 0.0]] * 3])
SCORES = torch.tensor([[1.0, 2, 3], [-1, 0, 1], [2, 2, 2]])
LENGTHS = torch.arange(4) >= torch.tensor([4, 2, 0])[:, None]


def story(T, H, d_head, *, fill=-math.inf):
    """Random stages of H heads, (1, H, T, ...); masked scores of the future are `fill`."""
    torch.manual_seed(0)
    Q, K, V = torch.randn(3, 1, H, T, d_head)
    scores = Q @ K.mT
    masked = torch.where(torch.ones(T, T).tril().bool(), scores, fill)
    tables = {
        "Q": Q,
        "K": K,
        "V": V,
        "scores": scores,
        "masked_scores": masked,
        "weights": masked.softmax(-1),
    }
    return tables | {"heads": tables["weights"] @ V}


READ_OUT = torch.tensor([[1, 0, 0], [0.5, 0.5, 0], [0.1, 0.8, 0.1]])


def before_and_after():
    average = torch.ones(2, 3, 3).tril() / torch.arange(1, 4)[:, None]
    return training.plot_head_rows({"before": average, "after": average / 10}, "abc")


def masking(scores, mask, stage):
    return weights.plot_masking(scores, mask, torch.softmax(scores.masked_fill(mask, -INF), -1))[stage]


CELLS = {
    "heads open to all": lambda: plot_heads(torch.tensor([[[0.4, 0.3, 0.3]] * 3, [[1.0, 0, 0]] * 3])),
    "heads with the padding of the example": lambda: plot_heads(PADDED),
    "heads where an open key gets nothing": lambda: plot_heads(torch.eye(3)[[0, 0, 0]]),
    "heads of repeated tokens": lambda: plot_heads(ZEROS, tokens=["the", "cat", "the"]),
    "heads with NaN in the future": lambda: plot_heads(ZEROS.masked_fill(causal(3), NAN)),
    "fewer queries than keys": lambda: plot_heads(torch.full((1, 2, 4), 0.25), tokens="abcd"),
    "the first example of a batch, whose weights track gradients": lambda: plot_heads(
        causal_weights(2, 3, 2, 4).bfloat16().requires_grad_()
    ),
    "heads of many tokens, without labels": lambda: plot_heads(causal_weights(2, 20, 20), tokens=["x"] * 20),
    "heads whose rows are told by their largest weights": lambda: plot_heads(causal_weights(1, 12, 12)),
    "a mask of one": lambda: plot_mask(causal(1, 1)),
    "a wide mask": lambda: plot_mask(causal(2, 5)),
    "a high mask": lambda: plot_mask(causal(5, 2)),
    "a mask of eight": lambda: plot_mask(causal(8, 8)),
    "a mask too long for values": lambda: plot_mask(causal(9)),
    "a mask too long for words": lambda: plot_mask(causal(50)),
    "all masked": lambda: plot_mask(torch.ones(4, 4).bool()),
    "nothing masked": lambda: plot_mask(torch.zeros(1, 6).bool()),
    "positions after an empty cache": lambda: masks.plot_cached_mask(causal(3), 0),
    "positions after a cache": lambda: masks.plot_cached_mask(torch.ones(2, 5).triu(4).bool(), 3),
    "each length of padding": lambda: masks.plot_padding(LENGTHS),
    "tokens in place of values": lambda: masks.plot_padding(
        torch.tensor([[False, True]]), tokens=[["cat", "pad"]]
    ),
    "True is masked": lambda: masks.plot_dialects(causal(2))[0],
    "True is open": lambda: masks.plot_dialects(causal(2))[1],
    "an additive mask": lambda: masks.plot_dialects(causal(2))[2],
    "scores centred on zero": lambda: weights.plot_scores(torch.tensor([[1.0, -4.0], [-INF, 2.0]])),
    "scores of 0": lambda: weights.plot_scores(torch.full((2, 3), 0.0)),
    "scores of -inf": lambda: weights.plot_scores(torch.full((2, 3), -INF)),
    "scores of NaN": lambda: weights.plot_scores(torch.full((2, 3), NAN)),
    "sums of rows": lambda: weights.plot_weights(torch.tensor([[1.0, 0.0], [0.25, 0.5]])),
    "weight on masked keys": lambda: weights.plot_weights(THREE, mask=causal(3)),
    "weight where no mask is known": lambda: weights.plot_weights(THREE),
    "words at rows and columns": lambda: weights.plot_weights(THREE, tokens=["the", "cat", "sat"]),
    "a guess": lambda: plot_guess(["the", "cat", "and"], [0, 0.75, 0.25], {"purred": 0.9, "sat": 0.05}),
    "NaN among weights": lambda: weights.plot_weights(torch.tensor([[NAN, NAN], [0.5, 0.5]]), mask=causal(2)),
    "masking begins": lambda: masking(SCORES, causal(3), 0),
    "masking": lambda: masking(SCORES, causal(3), 1),
    "masking ends": lambda: masking(SCORES, causal(3), 2),
    "one token, open": lambda: masking(torch.ones(1, 1), torch.tensor([[False]]), 2),
    "one token, masked": lambda: masking(torch.ones(1, 1), torch.tensor([[True]]), 2),
    "a head whose future is grey and zero is not": lambda: training.plot_head(torch.eye(3), "aba"),
    "a head whose query is read out": lambda: training.plot_head(READ_OUT, "aba", query=2),
    "the first of four heads on one scale": lambda: before_and_after()[0, 0],
    "the last of four heads on one scale": lambda: before_and_after()[1, 1],
}


def one_causal_head(x):
    return F.scaled_dot_product_attention(x, x, x, is_causal=True)


def scrambled(x):
    """Splits heads with the wrong view, and merges them back with the matching view."""
    B, T, D = x.shape
    return one_causal_head(x.view(B, 2, T, D // 2)).reshape(B, T, D)


def influence_figure(layer, *shape):
    return plot_influence(influence(layer, torch.randn(shape, generator=torch.Generator().manual_seed(0))))


def two_panels():
    axes = plt.subplots(1, 2)[1]
    training.plot_table({"r": {"c": 0.25}}, ax=axes[0])
    cache.plot_cache_step([1, 1], 1, ax=axes[1])
    axes[0].set_title("left")
    return axes


def foreign_figure():
    ax = plt.subplots()[1]
    ax.imshow(np.eye(2), cmap=WEIGHTS)
    ax.set(title="a table", xlabel="key", ylabel="query")
    return ax


COUNT, FOUR_PARTS = torch.arange(24), {"A": 327680, "B": 327680, "C": 70272, "D": 2621440}
CONTRIBUTIONS = np.array([[1.0, -2.0], [3.0, 0.5]])
STEP_TIMES = [0.002, *[0.9] * 7, *[0.7] * 7, 0.004], [0.001] * 16
LARGEST = [16, 64, 512], [0.59, 0.80, 0.93], [0.11, 0.11, 0.11]
ONE_COLUMN = {"none off": {"right": 1.0}, "head 0 off": {"right": 0.37}}
FIGURES = {
    "every index of a split, three times": lambda: plot_split(3, 2, 2),
    "a split too large for numbers": lambda: plot_split(8, 4, 4),
    "a right split": lambda: plot_head_tables(torch.stack(COUNT.view(4, 6).chunk(3, dim=1))),
    "rows that mix bands": lambda: plot_head_tables(COUNT.view(4, 2, 3).permute(2, 0, 1)),
    "leaks": lambda: influence_figure(lambda x: x.mean(1, keepdim=True).expand_as(x), 1, 4, 3),
    "lost tokens": lambda: influence_figure(lambda x: x, 1, 4, 3),
    "a wrong view at both ends, which loses the past": lambda: influence_figure(scrambled, 1, 6, 8),
    "a causal layer, which neither leaks nor loses": lambda: influence_figure(one_causal_head, 2, 5, 4),
    "the stages of a head": lambda: stages.plot_stages(story(3, 2, 2), head=1),
    "stages with a finite fill": lambda: stages.plot_stages(story(3, 1, 2, fill=-1e9)),
    "parameters of heads as bars": lambda: stages.plot_parameters({1: 64, 2: 64}, 4),
    "the names and shapes of a story": lambda: stages.plot_story(2, 5, 3, 4),
    "a story that ends in words": lambda: stages.plot_story(
        2, 3, 2, 1, {"the dog and": "barked", "the cat and": "purred"}
    ),
    "contributions that stack up to their sum": lambda: stages.plot_contributions(CONTRIBUTIONS),
    "contributions to words": lambda: stages.plot_contributions(CONTRIBUTIONS, ["barked", "purred"]),
    "bits of entropy": lambda: plot_entropy({"not scaled": 0.99, "by √d_head": 6.3}, 7),
    "largest weights": lambda: plot_largest_weight(*LARGEST),
    "old light, new dark, no old queries": lambda: cache.plot_cache_step([2, 1, 2], 1),
    "every step with its tokens": lambda: cache.plot_cache_growth([2, 1], ["the", "cat", "the"]),
    "the kv head that each query head reads": lambda: cache.plot_kv_groups([0, 0, 1, 1], 2),
    "equal caches on one line": lambda: costs.plot_cache_memory(FOUR_PARTS, dashed=["D"]),
    "the fastest of each block": lambda: costs.plot_token_times(*STEP_TIMES),
    "work on the roof": lambda: costs.plot_roofline({"decode": 1.0, "prefill": 1000.0}, 312e12, 2e12),
    "one column as bars": lambda: training.plot_table(ONE_COLUMN),
    "a table of numbers": lambda: training.plot_table({"head": {"first": torch.tensor(0.25), "self": 1.0}}),
    "rows of heads": lambda: before_and_after().ravel(),
    "rows of heads over a long text": lambda: training.plot_head_rows(
        {"layer 0": causal_weights(1, 24, 24)}, "x" * 24
    ).ravel(),
    "losses as means of ten steps": lambda: training.plot_losses({"a": [3 / (1 + n) for n in range(40)]}),
    "bits by context": lambda: training.plot_by_context(
        {"decoder": {1: 2.5, 2: 2.3, 4: 2.2}}, {"trigram": 2.25}
    ),
    "fused weights in three layouts": lambda: plot_fused_layouts(3),
    "a full ring": lambda: plot_ring(6, 4, 2),
    "a token in its slot until another takes it": lambda: plot_ring(7, 4, 2),
    "a ring one round later": lambda: plot_ring(10, 4, 2),
    "a ring that is not full": lambda: plot_ring(3, 4, 2),
    "a ring without sinks": lambda: plot_ring(7, 3),
    "sinks alone": lambda: plot_ring(3, 5, 7),
    "a ring that turns": lambda: plot_ring_turns([2, 5], 4, 2),
    "tables joined to their blocks": lambda: plot_pages({"a": [2, 0], "b": [2, 3]}, 5),
    "a free block, dashed": lambda: plot_pages({"a": [1]}, 2),
    "panels in their order, with a title given later": two_panels,
    "a picture of somebody else": foreign_figure,
} | CELLS
NAMES = {
    COMPUTED: "computed",
    OLD: "old",
    MASKED: "masked",
    EMPHASIS: "emphasis",
    INK: "ink",
    HATCH: "hatch",
    "#00000000": "none",
}


def short(numbers):
    return " ".join(f"{round(float(number), 2) + 0:g}" for number in np.ravel(numbers))


def look(patch):
    fill, edge = (
        to_hex(colour, keep_alpha=True).upper().removesuffix("FF")
        for colour in (patch.get_facecolor(), patch.get_edgecolor())
    )
    style = patch.get_hatch() or patch.get_linestyle()
    return f"{type(patch).__name__} {NAMES.get(fill, fill)}, edge {NAMES.get(edge, edge)}, {style}"


def cells(image):
    """The colour scale, and how often each colour occurs; NaN has the colour of masked cells."""
    colours = Counter(map(to_hex, image.cmap(image.norm(image.get_array())).reshape(-1, 4)))
    return f"{short(image.get_clim())}: {', '.join(f'{n} {colour}' for colour, n in sorted(colours.items()))}"


def place(patch):
    if isinstance(patch, Wedge):
        return short([patch.theta1, patch.theta2])
    if isinstance(patch, PathPatch):  # masked cells
        return ", ".join(short([*box.min(0), *box.max(0)]) for box in patch.get_path().to_polygons())
    return short(patch.get_bbox().extents) if isinstance(patch, Rectangle) else ""


def names_along(axis):
    """The tick labels, unless matplotlib chose them."""
    is_automatic = isinstance(axis.get_major_formatter(), ScalarFormatter)
    return [] if is_automatic else [label.get_text() for label in axis.get_ticklabels()]


def words_of(ax):
    """What a drawing shows: its texts, the ends of its lines, its shapes, the colours of its cells."""
    lines = [(line.get_linestyle(), line.get_xydata()) for line in ax.lines]
    lines += [("segment", part) for item in ax.collections for part in getattr(item, "get_segments", list)()]
    shapes = [(look(patch), place(patch)) for patch in ax.patches]
    words = {
        "title": [ax.get_title()],
        "axes": [ax.get_xlabel(), ax.get_xscale(), ax.get_ylabel(), ax.get_yscale()] if ax.axison else [],
        "columns": names_along(ax.xaxis) if ax.axison else [],
        "rows": names_along(ax.yaxis) if ax.axison else [],
        "texts": [text.get_text() for text in ax.texts],
        "cells": [cells(image) for image in ax.images],
        "lines": [f"{style} {short(ends[0])} to {short(ends[-1])}" for style, ends in lines],
    } | {kind: [position for other_kind, position in shapes if other_kind == kind] for kind, _ in shapes}
    return {key: " | ".join(value) for key, value in words.items() if value}


NARROW = 600  # pixels: the width of an output in a window of 800
READABLE = 7  # pixels: the smallest height of a letter


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_its_known_content_and_is_readable_in_every_theme_and_width(name, snapshot):
    axes = FIGURES[name]()
    figure_of(axes).draw_without_rendering()
    assert [description(figure_of(axes)), *map(words_of, np.ravel(axes))] == snapshot
    page = page_of(axes)
    assert "currentColor" in page
    assert "#000000" not in page
    assert "<style" not in page, "a style in an SVG is one of the whole page"
    assert len(page) < 100_000
    for svg in svgs(page):
        head, *shapes = re.findall(r"<path [^>]*>", svg)
        assert "fill: none" in head, "the ground of a figure is the page's"
        box = [float(n) for n in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()]
        for shape in shapes:
            places = np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", shape), dtype=float)
            wide = len(places) and (np.ptp(places, axis=0) > 0.98 * np.array(box)).all()
            assert not (wide and "#ffffff" in shape), "a white slab"
        assert pixels(svg, "min-width") <= NARROW
        scale = min(pixels(svg, "width"), NARROW) / box[0]
        assert min(float(size) for size in re.findall(r"<text [^>]*?([\d.]+)px", svg)) * scale >= READABLE


def page_of(axes):
    return as_html(figure_of(axes), "")


def svgs(page):
    return re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)


def pixels(svg, attribute):
    return float(re.search(rf"\b{attribute}:([\d.]+)px", svg[: svg.index(">")])[1])


# ---------------------------------------------------------------- all figures


EYE = torch.ones(1, 1)
SMALLEST = [
    (plot_split, 1, 1, 1), (plot_head_tables, EYE[None].long() - 1),
    (influence_figure, one_causal_head, 1, 1, 1), (plot_largest_weight, [1], [1.0], [1.0]),
    (plot_entropy, {"one key": 0.0}, 1), (stages.plot_story, 1, 1, 1, 1),
    (stages.plot_stages, story(1, 1, 1)), (stages.plot_parameters, {1: 4}, 1),
    (stages.plot_contributions, EYE - 1), (cache.plot_cache_step, [1], 0), (cache.plot_cache_growth, [1]),
    (cache.plot_kv_groups, [0], 1), (costs.plot_cache_memory, {"one": 1}),
    (costs.plot_token_times, [0.1], [0.01]),
    (costs.plot_roofline, {"decode": 1.0}, 1.0, 1.0), (training.plot_head, EYE, "a"),
    (plot_pages, {"a": [0]}, 1), (training.plot_head_rows, {"layer 0": EYE[None]}, "a"),
    (training.plot_losses, {"loss": [2.0] * 10}), (training.plot_table, {"r": {"c": 1.0}}),
    (plot_mask, EYE), (plot_heads, EYE), (weights.plot_scores, EYE), (weights.plot_weights, EYE),
    (masks.plot_cached_mask, EYE, 0), (masks.plot_padding, EYE),
    (training.plot_by_context, {"it": {1: 2}}, {}),
    (plot_ring, 0, 1), (plot_ring, 0, 1, 1), (plot_ring_turns, [0], 1), (plot_pages, {}, 1),
    (plot_guess, ["and"], [1.0], {}),
]  # fmt: skip


@pytest.mark.parametrize(("plot", "data"), [(plot, data) for plot, *data in SMALLEST])
def test_the_smallest_input_is_drawn_and_described_only_on_the_given_axes(plot, data):
    plt.close("all")
    options = {}
    if "ax" in inspect.signature(plot).parameters:
        figure, (target, neighbour) = plt.subplots(1, 2)
        options = {"ax": target}
    ax = np.ravel(plot(*data, **options))[0]
    ax.figure.canvas.draw()
    assert ax.has_data() or ax.texts or ax.tables
    assert description(ax.figure)
    if options:
        assert ax is target
        assert not neighbour.has_data()
        assert plt.get_fignums() == [figure.number]


def test_every_plot_function_is_called_in_this_file():
    sources = [path.read_text(encoding="utf-8") for path in Path(figures.__file__).parent.glob("*.py")]
    names = {name for source in sources for name in re.findall(r"^def (plot_\w+)", source, re.MULTILINE)}
    this_file = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in names if f"{name}(" not in this_file] == []


ONE_MASK = r"one mask is a table \(T_q, T_k\); got shape"


@pytest.mark.parametrize(
    ("plot", "table", "options", "message"),
    [
        (plot_mask, torch.zeros(2, 1, 5, 5).bool(), {}, ONE_MASK),
        (plot_mask, torch.zeros(5).bool(), {}, ONE_MASK),
        (plot_mask, torch.zeros(0, 5).bool(), {}, ONE_MASK),
        (plot_mask, torch.zeros(3, 3).masked_fill(causal(3), -INF), {}, "a mask holds True and False only"),
        (plot_heads, torch.zeros(5), {}, "got shape"),
        (plot_heads, torch.zeros(1, 1, 2, 3, 3), {}, "got shape"),
        (plot_heads, torch.zeros(3, 3), {"tokens": ["a", "b"]}, "2 tokens for 3 keys"),
        (plot_head_tables, torch.arange(12).view(1, 2, 3, 2), {}, r"heads\[0\]"),
        (plot_head_tables, torch.ones(2, 3, 2), {}, "must occur once"),
    ],
)
def test_bad_input_to_a_figure_is_refused_in_one_sentence(plot, table, options, message):
    with pytest.raises(ValueError, match=message):
        plot(table, **options)


@pytest.mark.parametrize(("alt", "text"), [((), "query 0: 1, 0; query 1: 0, 1."), (("mine",), "mine")])
def test_show_sends_the_figures_description_or_the_given_text(monkeypatch, alt, text):
    bundles = []
    monkeypatch.setattr("course_utils.figures.show.display", lambda bundle, raw: bundles.append(bundle))
    show(weights.plot_weights(torch.eye(2)), *alt)
    assert f'aria-label="{text}"' in bundles[0]["text/html"]
    assert bundles[0]["text/plain"] == f"Picture: {text}"
    slide(lambda T: weights.plot_weights(torch.eye(T)), T=(1, 6, 2))
    assert 'aria-label="query 0: 1, 0; query 1: 0, 1."' in bundles[1]["text/html"]


# ---------------------------------------------------------------- SVG


def test_long_tables_are_images_of_one_pixel_per_cell():
    page = page_of(plot_heads(causal_weights(6, 24, 24)))
    assert page.count("<image") == 1
    assert "pixelated" in page
    assert len(page) < 40_000


def test_panels_in_a_row_become_separate_svgs_with_all_titles():
    axes = masks.plot_dialects(causal(3))
    together = page_of(axes)
    assert page_of(masks.plot_dialects(causal(3))) == together  # equal figures give equal bytes
    for whole in (before_and_after(), stages.plot_stages(story(3, 1, 2))):  # rows of panels, a common title
        assert len(svgs(page_of(whole))) == 1
    assert len(svgs(together)) == 3
    assert len({re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', item)[1] for item in svgs(together)}) == 1
    titles = ["True = masked", "True = attend", "added to the scores"]
    assert [[title in item for title in titles] for item in svgs(together)] == np.eye(3, dtype=bool).tolist()


def test_texts_on_cells_keep_their_colour_and_coloured_texts_mix_with_the_theme():
    ax = plot_mask(causal(2)[None, None].int().numpy())
    ax.text(0, 0, "note", color="#D55E00")
    page = page_of(ax)
    assert len(re.findall(r"fill: #111111[^>]*>T<", page)) == 1
    assert re.search(r"color-mix\(in srgb,#d55e00 \d+%,currentColor\)[^>]*>note<", page)
    assert re.search(r"<text style=\"[^\"]*middle\"[^>]*>key position<", page), "no colour: that of the page"


def test_tiny_text_makes_the_page_scroll_rather_than_shrink():
    ax = plt.subplots(figsize=(20, 2))[1]
    ax.set_title("small", fontsize=6)
    ax.tick_params(labelsize=6)
    (svg,) = svgs(page_of(ax))
    assert pixels(svg, "min-width") == pytest.approx(pixels(svg, "width") * 7 / 8, abs=1)
