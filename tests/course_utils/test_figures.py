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


def test_heads_open_to_all_and_padding_of_the_example():
    everything = torch.softmax(torch.randn(2, 3, 3), -1)
    assert hatched(plot_heads(everything)) == []
    padded = torch.softmax(torch.randn(1, 3, 3).index_fill(2, torch.tensor([2]), -INF), -1)
    assert hatched(plot_heads(padded)) == [(0, 2), (1, 2), (2, 2)]
    one_hot = torch.eye(3)[[0, 0, 0]]
    assert (2, 1) not in hatched(plot_heads(one_hot))


def test_weight_on_a_masked_key_is_outlined_in_heads():
    ax = plot_heads(torch.full((2, 2), 0.5), mask=causal(2))
    assert outlined(ax) == [(0, 1)]
    assert hatched(ax) == []


# ---------------------------------------------------------------- masks


@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (5, 2), (8, 8)])
def test_small_mask_prints_each_value_once(shape):
    ax = draw(plot_mask(causal(*shape)))
    assert len(texts(ax)) == shape[0] * shape[1]
    assert texts(ax).count("T") == int(causal(*shape).sum())
    assert outlined(ax, INK) == [(i, i) for i in range(min(shape))]


def test_long_mask_prints_no_values():
    assert texts(draw(plot_mask(causal(9)))) == []


def test_mask_picture_holds_the_mask():
    image = plot_mask(causal(3, 4)).images[0]
    assert np.array_equal(image.get_array(), causal(3, 4).numpy())
    masked = image.cmap(image.norm(1))
    assert to_hex(masked).upper() == MASKED


def test_mask_is_drawn_on_the_axes_given():
    ax = plt.subplots()[1]
    assert plot_mask(causal(3), ax=ax) is ax
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize(
    "form", [lambda m: m[None, None], torch.Tensor.numpy, torch.Tensor.tolist, torch.Tensor.int]
)
def test_mask_comes_in_many_forms(form):
    assert texts(plot_mask(form(causal(3)))).count("T") == 3


@pytest.mark.parametrize("mask", [torch.ones(4, 4).bool(), torch.zeros(1, 6).bool()])
def test_all_or_nothing_masked_is_drawn(mask):
    assert len(set(texts(draw(plot_mask(mask))))) == 1


@pytest.mark.parametrize("shape", [(2, 1, 5, 5), (2, 5, 5), (5,), (0, 5)])
def test_mask_of_several_tables_is_refused(shape):
    with pytest.raises(ValueError, match=r"one mask is a table \(T_q, T_k\); got shape"):
        plot_mask(torch.zeros(shape, dtype=torch.bool))


def test_additive_mask_is_refused():
    with pytest.raises(ValueError, match="a mask holds True and False only"):
        plot_mask(torch.zeros(3, 3).masked_fill(causal(3), -INF))


@pytest.mark.parametrize(("T_q", "cache_len"), [(1, 4), (3, 4), (3, 0), (20, 2)])
def test_cached_mask_outlines_each_query_s_own_key(T_q, cache_len):
    mask = torch.ones(T_q, cache_len + T_q).triu(cache_len + 1).bool()
    ax = draw(masks.plot_cached_mask(mask, cache_len))
    assert outlined(ax, INK) == [(i, cache_len + i) for i in range(T_q)]
    codes = ax.images[0].get_array()
    assert (codes == 0).sum() == T_q * cache_len
    assert (codes == 2).sum() == mask.sum()
    assert outlined(ax) == []


def test_cached_mask_names_positions():
    mask = torch.ones(2, 5).triu(4).bool()
    labels = [label.get_text() for label in masks.plot_cached_mask(mask, 3).get_yticklabels()]
    assert labels == ["query 0, position 3", "query 1, position 4"]


def test_padding_says_each_length():
    mask = torch.arange(4) >= torch.tensor([4, 2, 0])[:, None]
    ax = draw(masks.plot_padding(mask))
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["example 0, length 4", "example 1, length 2", "example 2, length 0"]
    assert texts(ax).count("T") == 6


def test_padding_shows_tokens_in_place_of_values():
    ax = draw(masks.plot_padding(torch.tensor([[False, True]]), tokens=[["cat", "pad"]]))
    assert [text for text in texts(ax) if text] == ["cat", "pad"]


def test_dialects_spell_one_mask_three_ways():
    axes = masks.plot_dialects(causal(2))
    assert [texts(draw(ax)) for ax in axes] == [
        ["False", "True", "False", "False"],
        ["True", "False", "True", "True"],
        ["0", "−inf", "0", "0"],
    ]


# ---------------------------------------------------------------- scores and weights


def test_scores_are_centred_on_zero():
    image = draw(weights.plot_scores(torch.tensor([[1.0, -4.0], [-INF, 2.0]]))).images[0]
    assert image.get_clim() == (-4, 4)
    assert image.get_array().mask.tolist() == [[False, False], [True, False]]


@pytest.mark.parametrize("value", [0.0, -INF, NAN])
def test_constant_scores_are_drawn(value):
    ax = draw(weights.plot_scores(torch.full((2, 3), value)))
    assert len(texts(ax)) == 6
    assert ax.images[0].get_clim() == (-1, 1)


def test_weights_have_one_scale_and_say_row_sums():
    ax = draw(weights.plot_weights(torch.tensor([[1.0, 0.0], [0.25, 0.5]])))
    assert ax.images[0].get_clim() == (0, 1)
    assert texts(ax) == ["1", "0", "0.25", "0.50", "sum 1.00", "sum 0.75"]


def test_weight_on_masked_keys_is_outlined():
    table = torch.tensor([[0.5, 0.5, 0.0], [0.3, 0.3, 0.4], [0.2, 0.3, 0.5]])
    assert outlined(draw(weights.plot_weights(table, mask=causal(3)))) == [(0, 1), (1, 2)]
    assert outlined(draw(weights.plot_weights(table))) == []


def test_nan_weights_are_hatched_and_named():
    ax = draw(weights.plot_weights(torch.tensor([[NAN, NAN], [0.5, 0.5]]), mask=causal(2)))
    assert sum(patch.get_hatch() == "xx" for patch in ax.patches) == 2
    assert texts(ax).count("NaN") == 2
    assert "sum NaN" in texts(ax)


def test_masking_shows_three_stages():
    scores, mask = torch.randn(4, 4), causal(4)
    axes = weights.plot_masking(scores, mask, torch.softmax(scores.masked_fill(mask, -INF), -1))
    assert [draw(ax).get_title() for ax in axes] == ["scores", "masked scores", "weights"]
    assert texts(axes[1]).count("−inf") == 6
    assert axes[0].images[0].get_clim() == axes[1].images[0].get_clim()


def test_masking_draws_one_token_and_a_fully_masked_table():
    for mask in (torch.zeros(1, 1).bool(), torch.ones(1, 1).bool()):
        axes = weights.plot_masking(torch.ones(1, 1), mask, (~mask).float())
        assert len(texts(draw(axes[2]))) == 2


# ---------------------------------------------------------------- heads


def causal_weights(*shape):
    T_q, T_k = shape[-2:]
    return torch.softmax(torch.randn(shape).masked_fill(causal(T_q, T_k), -INF), -1)


def head_labels(ax):
    return [text for text in texts(ax) if text.startswith("head")]


@pytest.mark.parametrize("shape", [(2, 3, 5, 5), (3, 5, 5), (5, 5), (1, 7, 1, 1), (2, 12, 2, 9)])
def test_heads_are_one_image_on_one_scale(shape):
    ax = draw(plot_heads(causal_weights(*shape)))
    H = shape[-3] if len(shape) > 2 else 1
    assert len(ax.images) == 1
    assert ax.images[0].get_clim() == (0, 1)
    assert head_labels(ax) == [f"head {h}" for h in range(H)]
    assert len(ax.figure.axes) == 1


def test_heads_tiles_hold_the_weights_of_the_chosen_example():
    table = causal_weights(2, 3, 5, 5)
    canvas = plot_heads(table, batch=1).images[0].get_array()
    assert np.allclose(canvas[:5, :5], table[1, 0])
    assert np.allclose(canvas[:5, 6:11], table[1, 1])
    assert np.allclose(canvas[6:, :5], table[1, 2])


def test_heads_with_gradients_and_half_precision_are_drawn():
    table = causal_weights(2, 5, 5).to(torch.bfloat16)
    canvas = draw(plot_heads(table.clone().requires_grad_())).images[0].get_array()
    assert np.allclose(canvas[:5, :5], table[0].float())


def test_nan_weights_are_grey_and_gaps_are_not():
    table = causal_weights(2, 3, 3)
    table[1, 0] = NAN
    image = draw(plot_heads(table)).images[0]
    assert int(np.ma.getmaskarray(image.get_array()).sum()) == 3
    assert matplotlib.colors.to_hex(image.cmap.get_bad()) != matplotlib.colors.to_hex(image.cmap.get_under())


def test_repeated_tokens_keep_their_positions():
    ax = plot_heads(causal_weights(1, 3, 3), tokens=["the", "cat", "the"])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["the 0", "cat 1", "the 2"]


def test_fewer_queries_than_keys_are_the_last_tokens():
    ax = plot_heads(torch.full((1, 2, 4), 0.25), tokens="abcd")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["c 2", "d 3"]


def test_many_tokens_are_not_labelled():
    assert plot_heads(causal_weights(2, 20, 20), tokens=["x"] * 20).get_xticks().size == 0


def test_heads_are_drawn_on_the_axes_given():
    ax = plt.subplots()[1]
    assert plot_heads(causal_weights(3, 4, 4), ax=ax) is ax
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize(
    ("shape", "options", "message"),
    [
        ((5,), {}, "got shape"),
        ((1, 1, 2, 3, 3), {}, "got shape"),
        ((2, 1, 3, 3), {"batch": 2}, "no example batch=2"),
        ((3, 3), {"tokens": ["a", "b"]}, "2 tokens for 3 keys"),
    ],
)
def test_heads_refuse_in_one_sentence(shape, options, message):
    with pytest.raises(ValueError, match=message):
        plot_heads(torch.zeros(shape), **options)


# ---------------------------------------------------------------- show


def test_show_gives_the_image_its_text_and_closes_the_figure(monkeypatch):
    sent = []
    monkeypatch.setattr("course_utils.figures.show.display", lambda bundle, raw: sent.append(bundle))
    show(plot_mask(causal(2)), 'a "staircase"')
    assert sent[0]["text/html"].startswith('<div role="img" aria-label="a &quot;staircase&quot;"')
    assert sent[0]["text/html"].endswith("</svg></div>")
    assert sent[0]["text/plain"] == 'Picture: a "staircase"'
    assert plt.get_fignums() == []
