"""Every figure takes and returns Axes, draws what it promises, and refuses what it cannot draw."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from course_utils import plot_heads, plot_mask
from course_utils.figures import masks, stages, training, weights
from course_utils.figures.show import show
from course_utils.model.case import Fact
from course_utils.model.result import Picture
from course_utils.show.colours import EMPHASIS, HATCH, INK, MASKED, MASKED_CSS, SIGNED, WEIGHTS
from course_utils.show.tables import both_html
from tests.tools.masks import causal

NAN, INF = float("nan"), float("inf")


def texts(ax):
    return [text.get_text() for text in ax.texts]


def outlined(ax, colour=EMPHASIS):
    """The (query, key) cells with an outline of this colour, sorted."""
    boxes = [
        p for p in ax.patches if isinstance(p, Rectangle) and to_hex(p.get_edgecolor()).upper() == colour
    ]
    boxes = [p for p in boxes if not p.get_hatch()]
    return sorted((round(box.get_y() + 0.5), round(box.get_x() + 0.5)) for box in boxes)


def draw(ax):
    """Render, so that errors which only drawing raises are seen."""
    ax.figure.canvas.draw()
    return ax


def hatched(ax):
    """The (query, key) cells drawn as masked, sorted."""
    shapes = [p for p in ax.patches if isinstance(p, PathPatch) and p.get_hatch()]
    assert all(to_hex(p.get_facecolor()).upper() == MASKED for p in shapes)
    assert all(to_hex(p.get_edgecolor()).upper() == HATCH for p in shapes)
    rows, columns = ax.images[0].get_array().shape
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    paths = [polygon for p in shapes for polygon in p.get_path().to_polygons()]
    return [(i, j) for i, j in cells if any(Path(path).contains_point((j, i)) for path in paths)]


# ---------------------------------------------------------------- what colours mean


FUTURE = [(0, 1), (0, 2), (1, 2)]
ZEROS = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0.5, 0, 0.5]])  # a weight of 0 on an open key
MASKED_EVERYWHERE = {
    "mask": lambda: plot_mask(causal(3)),
    "cached mask": lambda: masks.plot_cached_mask(causal(3), 0),
    "dialect": lambda: masks.plot_dialects(causal(3))[2],
    "scores": lambda: weights.plot_scores(torch.zeros(3, 3).masked_fill(causal(3), -INF)),
    "weights": lambda: weights.plot_weights(ZEROS, mask=causal(3)),
    "stages": lambda: stages.plot_stages(
        dict.fromkeys(["Q", "K", "V", "heads", "scores", "weights"], ZEROS[None, None])
        | {"masked_scores": torch.zeros(1, 1, 3, 3).masked_fill(causal(3), -INF)}
    )[4],
    "head": lambda: training.plot_head(ZEROS, "abc"),
    "heads": lambda: plot_heads(ZEROS),
    "heads, given a mask": lambda: plot_heads(ZEROS, mask=causal(3)),
    "heads, with NaN": lambda: plot_heads(ZEROS.masked_fill(causal(3), NAN)),
}


@pytest.mark.parametrize("name", MASKED_EVERYWHERE)
def test_masked_is_hatched_grey_everywhere_and_zero_is_not(name):
    assert hatched(draw(MASKED_EVERYWHERE[name]())) == FUTURE


def test_a_card_hatches_what_is_masked_like_the_figures():
    yours = torch.zeros(2, 2).masked_fill(causal(2), -INF)
    page = both_html(Picture(Fact("scores"), yours, torch.zeros(2, 2), []))
    assert page.count(MASKED_CSS) == 1
    assert MASKED in MASKED_CSS
    assert HATCH in MASKED_CSS
    assert f"solid {EMPHASIS}" in page
    assert both_html(Picture(Fact("mask"), causal(2), causal(2), [])).count(MASKED_CSS) == 2


def test_weights_and_signed_numbers_have_one_scale_each_without_a_common_colour():
    table = torch.tensor([[0.5, -0.5]])
    assert weights.plot_weights(table.abs()).images[0].cmap.name == WEIGHTS
    assert weights.plot_scores(table).images[0].cmap.name == SIGNED
    ends = [plt.get_cmap(SIGNED)(end)[:3] for end in (0.0, 1.0)]
    assert not any(blue > red and blue > green + 0.1 and green > red for red, green, blue in ends)


def seen(ax):
    """What a figure says, drawn: its numbers and names, which cells are masked or outlined, its scale."""
    image = draw(ax).images[0]
    without_number = np.argwhere(np.ma.getmaskarray(image.get_array()))
    return {
        "title": ax.get_title(),
        "rows": " | ".join(label.get_text() for label in ax.get_yticklabels()),
        "texts": " ".join(texts(ax)),
        "hatched": str(hatched(ax)),
        "crossed out": sum(patch.get_hatch() == "xx" for patch in ax.patches),
        "outlined": str(outlined(ax)),
        "own keys": str(outlined(ax, INK)),
        "scale": str(image.get_clim()),
        "without number": str(without_number.tolist()),
    }


THREE = torch.tensor([[0.5, 0.5, 0.0], [0.3, 0.3, 0.4], [0.2, 0.3, 0.5]])
PADDED = torch.tensor([[[0.5, 0.5, 0.0]] * 3])
SCORES = torch.tensor([[1.0, 2, 3], [-1, 0, 1], [2, 2, 2]])
LENGTHS = torch.arange(4) >= torch.tensor([4, 2, 0])[:, None]


def masking(scores, mask, stage):
    return weights.plot_masking(scores, mask, torch.softmax(scores.masked_fill(mask, -INF), -1))[stage]


SEEN = {
    "heads open to all": lambda: plot_heads(torch.tensor([[[0.4, 0.3, 0.3]] * 3] * 2)),
    "heads with the padding of the example": lambda: plot_heads(PADDED),
    "heads where an open key gets nothing": lambda: plot_heads(torch.eye(3)[[0, 0, 0]]),
    "heads with weight on a masked key": lambda: plot_heads(torch.full((2, 2), 0.5), mask=causal(2)),
    "heads of repeated tokens": lambda: plot_heads(ZEROS, tokens=["the", "cat", "the"]),
    "fewer queries than keys": lambda: plot_heads(torch.full((1, 2, 4), 0.25), tokens="abcd"),
    "a mask of one": lambda: plot_mask(causal(1, 1)),
    "a wide mask": lambda: plot_mask(causal(2, 5)),
    "a high mask": lambda: plot_mask(causal(5, 2)),
    "a mask of eight": lambda: plot_mask(causal(8, 8)),
    "a mask too long for values": lambda: plot_mask(causal(9)),
    "all masked": lambda: plot_mask(torch.ones(4, 4).bool()),
    "nothing masked": lambda: plot_mask(torch.zeros(1, 6).bool()),
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
    "NaN among weights": lambda: weights.plot_weights(torch.tensor([[NAN, NAN], [0.5, 0.5]]), mask=causal(2)),
    "masking begins": lambda: masking(SCORES, causal(3), 0),
    "masking": lambda: masking(SCORES, causal(3), 1),
    "masking ends": lambda: masking(SCORES, causal(3), 2),
    "one token, open": lambda: masking(torch.ones(1, 1), torch.tensor([[False]]), 2),
    "one token, masked": lambda: masking(torch.ones(1, 1), torch.tensor([[True]]), 2),
}


@pytest.mark.parametrize("name", SEEN)
def test_a_figure_says(name, snapshot):
    assert seen(SEEN[name]()) == snapshot


# ---------------------------------------------------------------- masks


def test_mask_picture_holds_the_mask():
    image = plot_mask(causal(3, 4)).images[0]
    assert np.array_equal(image.get_array(), causal(3, 4).numpy())
    assert to_hex(image.cmap(image.norm(1))).upper() == MASKED


@pytest.mark.parametrize(("plot", "table"), [(plot_mask, causal(3)), (plot_heads, ZEROS)])
def test_a_figure_is_drawn_on_the_axes_given(plot, table):
    ax = plt.subplots()[1]
    assert plot(table, ax=ax) is ax
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize(
    "form", [lambda m: m[None, None], torch.Tensor.numpy, torch.Tensor.tolist, torch.Tensor.int]
)
def test_mask_comes_in_many_forms(form):
    assert texts(plot_mask(form(causal(3)))).count("T") == 3


@pytest.mark.parametrize(("T_q", "cache_len"), [(1, 4), (3, 4), (3, 0), (20, 2)])
def test_cached_mask_outlines_each_query_s_own_key(T_q, cache_len):
    mask = torch.ones(T_q, cache_len + T_q).triu(cache_len + 1).bool()
    ax = draw(masks.plot_cached_mask(mask, cache_len))
    assert outlined(ax, INK) == [(i, cache_len + i) for i in range(T_q)]
    codes = ax.images[0].get_array()
    assert (codes == 0).sum() == T_q * cache_len
    assert (codes == 2).sum() == mask.sum()
    assert outlined(ax) == []


# ---------------------------------------------------------------- heads


def causal_weights(*shape):
    T_q, T_k = shape[-2:]
    return torch.softmax(torch.randn(shape).masked_fill(causal(T_q, T_k), -INF), -1)


@pytest.mark.parametrize("shape", [(2, 3, 5, 5), (3, 5, 5), (5, 5), (1, 7, 1, 1), (2, 12, 2, 9)])
def test_heads_are_one_image_on_one_scale(shape):
    ax = draw(plot_heads(causal_weights(*shape)))
    H = shape[-3] if len(shape) > 2 else 1
    assert (len(ax.images), len(ax.figure.axes), ax.images[0].get_clim()) == (1, 1, (0, 1))
    assert [text for text in texts(ax) if text.startswith("head")] == [f"head {h}" for h in range(H)]


def test_heads_tiles_hold_the_weights_of_the_chosen_example_of_any_kind():
    table = causal_weights(2, 3, 5, 5).to(torch.bfloat16)
    canvas = draw(plot_heads(table.clone().requires_grad_(), batch=1)).images[0].get_array()
    for tile, head in ((canvas[:5, :5], 0), (canvas[:5, 6:11], 1), (canvas[6:, :5], 2)):
        assert np.allclose(tile, table[1, head].float())


def test_nan_weights_are_grey_and_gaps_are_not():
    table = causal_weights(2, 3, 3)
    table[1, 0] = NAN
    image = draw(plot_heads(table)).images[0]
    assert int(np.ma.getmaskarray(image.get_array()).sum()) == 3
    assert to_hex(image.cmap.get_bad()) != to_hex(image.cmap.get_under())


def test_many_tokens_are_not_labelled():
    assert plot_heads(causal_weights(2, 20, 20), tokens=["x"] * 20).get_xticks().size == 0


ONE_MASK = r"one mask is a table \(T_q, T_k\); got shape"


@pytest.mark.parametrize(
    ("plot", "table", "options", "message"),
    [
        (plot_mask, torch.zeros(2, 1, 5, 5).bool(), {}, ONE_MASK),
        (plot_mask, torch.zeros(2, 5, 5).bool(), {}, ONE_MASK),
        (plot_mask, torch.zeros(5).bool(), {}, ONE_MASK),
        (plot_mask, torch.zeros(0, 5).bool(), {}, ONE_MASK),
        (plot_mask, torch.zeros(3, 3).masked_fill(causal(3), -INF), {}, "a mask holds True and False only"),
        (plot_heads, torch.zeros(5), {}, "got shape"),
        (plot_heads, torch.zeros(1, 1, 2, 3, 3), {}, "got shape"),
        (plot_heads, torch.zeros(2, 1, 3, 3), {"batch": 2}, "no example batch=2"),
        (plot_heads, torch.zeros(3, 3), {"tokens": ["a", "b"]}, "2 tokens for 3 keys"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(plot, table, options, message):
    with pytest.raises(ValueError, match=message):
        plot(table, **options)


# ---------------------------------------------------------------- show


def test_show_gives_the_image_its_text_and_closes_the_figure(monkeypatch):
    sent = []
    monkeypatch.setattr("course_utils.figures.show.display", lambda bundle, raw: sent.append(bundle))
    show(plot_mask(causal(2)), 'a "staircase"')
    assert sent[0]["text/html"].startswith('<div role="img" aria-label="a &quot;staircase&quot;"')
    assert sent[0]["text/html"].endswith("</svg></div>")
    assert sent[0]["text/plain"] == 'Picture: a "staircase"'
    assert plt.get_fignums() == []
