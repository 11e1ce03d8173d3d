"""The pictures of parts 2 and 3 draw on the Axes given, at the smallest sizes too, and say what is true."""

import math

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
import torch.nn.functional as F

from course_utils.figures.entropy import plot_entropy, plot_largest_weight
from course_utils.figures.influence import influence, plot_influence
from course_utils.figures.slide import slide
from course_utils.figures.split import plot_head_tables, plot_split
from course_utils.figures.stages import plot_contributions, plot_parameters, plot_stages, plot_story

matplotlib.use("Agg")


def words(ax):
    return [text.get_text() for text in ax.texts]


def causal(x):
    """One causal head without projections."""
    return F.scaled_dot_product_attention(x, x, x, is_causal=True)


def story(T, H, d_head, *, fill=-math.inf):
    """Random stages of H heads, (1, H, T, ...), whose masked scores have `fill` in the future."""
    torch.manual_seed(0)
    Q, K, V = torch.randn(3, 1, H, T, d_head)
    scores = torch.einsum("bhid,bhjd->bhij", Q, K)
    masked = torch.where(torch.ones(T, T).tril().bool(), scores, fill)
    weights = masked.softmax(-1)
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "scores": scores,
        "masked_scores": masked,
        "weights": weights,
        "heads": weights @ V,
    }


PICTURES = {
    "split": lambda ax: plot_split(3, 2, 2, ax=ax),
    "head tables": lambda ax: plot_head_tables(torch.arange(12).view(2, 3, 2), ax=ax),
    "influence": lambda ax: plot_influence(torch.ones(3, 3), ax=ax),
    "largest weight": lambda ax: plot_largest_weight([16, 64], [0.6, 0.8], [0.1, 0.1], ax=ax),
    "entropy": lambda ax: plot_entropy({"not scaled": 1.0, "scaled": 6.3}, 7, ax=ax),
    "story": lambda ax: plot_story(2, 5, 3, 4, ax=ax),
    "parameters": lambda ax: plot_parameters({1: 576, 3: 576}, 12, ax=ax),
    "contributions": lambda ax: plot_contributions(torch.randn(3, 12), ax=ax),
}
SMALLEST = {
    "split": lambda: plot_split(1, 1, 1),
    "head tables": lambda: plot_head_tables(torch.zeros(1, 1, 1, dtype=torch.long)),
    "influence": lambda: plot_influence(influence(causal, torch.randn(1, 1, 1))),
    "largest weight": lambda: plot_largest_weight([1], [1.0], [1.0]),
    "entropy": lambda: plot_entropy({"one key": 0.0}, 1),
    "stages": lambda: plot_stages(story(1, 1, 1)),
    "story": lambda: plot_story(1, 1, 1, 1),
    "parameters": lambda: plot_parameters({1: 4}, 1),
    "contributions": lambda: plot_contributions(torch.zeros(1, 1)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_picture_draws_on_the_axes_given_and_returns_them(name):
    ax = plt.subplots()[1]
    assert PICTURES[name](ax) is ax
    assert ax.has_data() or ax.texts
    assert len(plt.get_fignums()) == 1
    ax.figure.canvas.draw()


@pytest.mark.parametrize("name", SMALLEST)
def test_one_token_one_head_one_feature_is_drawn(name):
    ax = np.ravel(SMALLEST[name]())[0]
    ax.figure.canvas.draw()
    assert ax.has_data() or ax.texts


def test_split_shows_every_index_three_times():
    shown = [word for word in words(plot_split(3, 2, 2)) if word.isdigit()]
    assert sorted(shown, key=int) == [str(i) for i in range(12) for _ in range(3)]


def test_larger_splits_print_no_numbers():
    assert not [word for word in words(plot_split(16, 4, 8)) if word.isdigit()]


@pytest.mark.parametrize(("T", "H", "placed"), [(4, 3, 4), (5, 3, 6), (7, 4, 8), (1, 3, 6), (5, 1, 10)])
def test_head_tables_count_what_a_wrong_view_puts_in_place(T, H, placed):
    """Rows t of head h with t (H - 1) = h (T - 1) are in place: gcd(T - 1, H - 1) + 1 of them, or all."""
    ax = plot_head_tables(torch.arange(T * H * 2).view(H, T, 2))
    assert ax.get_title().startswith(f"{placed} of {2 * T * H} ")
    assert sum("✗" in word for word in words(ax)) == T * H - placed // 2


def test_head_tables_call_the_right_split_right():
    x = torch.arange(24).view(4, 6)
    ax = plot_head_tables(torch.stack(x.chunk(3, dim=1)))
    assert ax.get_title() == "24 of 24 numbers in place (100%)"
    assert "token 3, band 2" in words(ax)
    assert not any("✗" in word for word in words(ax))


def test_head_tables_say_when_a_row_mixes_bands():
    interleaved = torch.arange(24).view(4, 2, 3).permute(2, 0, 1)
    assert any("a mixture" in word for word in words(plot_head_tables(interleaved)))


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        (torch.arange(12).view(1, 2, 3, 2), "heads\\[0\\]"),
        (torch.ones(2, 3, 2), "must occur once"),
    ],
)
def test_head_tables_refuse_what_they_cannot_judge(heads, message):
    with pytest.raises(ValueError, match=message):
        plot_head_tables(heads)


def test_influence_of_a_causal_layer_is_its_past():
    x = torch.randn(2, 5, 4)
    before = x.clone()
    moved = influence(causal, x)
    assert torch.equal(moved > 1e-5, torch.ones(5, 5).tril().bool())
    assert torch.equal(x, before)
    assert plot_influence(moved).get_title() == "0 leaks, 0 lost"


def test_influence_names_leaks_and_lost_tokens():
    mean = influence(lambda x: x.mean(1, keepdim=True).expand_as(x), torch.randn(1, 4, 3))
    everything = plot_influence(mean)
    assert everything.get_title() == "6 leaks, 0 lost"
    alone = plot_influence(influence(lambda x: x, torch.randn(1, 4, 3)))
    assert alone.get_title() == "0 leaks, 6 lost"
    assert words(alone).count("lost") == 6


def test_wrong_view_with_the_matching_merge_leaks_nothing_and_loses_the_past():
    def scrambled(x):
        B, T, D = x.shape
        return causal(x.view(B, 2, T, D // 2)).reshape(B, T, D)

    assert plot_influence(influence(scrambled, torch.randn(1, 6, 8))).get_title() == "0 leaks, 9 lost"


def test_stages_show_seven_tables_with_their_shapes_on_the_axes_given():
    arguments = plt.subplots(2, 4)[1].ravel()[:7]
    axes = plot_stages(story(5, 3, 4), head=2, axes=arguments)
    assert all(a is b for a, b in zip(axes, arguments, strict=True))
    assert [ax.get_title() for ax in axes] == [
        "1. Q (5, 4)",
        "2. K (5, 4)",
        "3. scores (5, 5)",
        "4. masked scores (5, 5)",
        "5. weights (5, 5)",
        "6. V (5, 4)",
        "7. output of the head (5, 4)",
    ]


def test_stages_print_the_numbers_of_the_head_asked_for():
    stages = story(3, 2, 2)
    shown = words(plot_stages(stages, head=1)[0])
    assert shown == [f"{number:.2f}" for number in stages["Q"][0, 1].flatten().tolist()]


def test_stages_draw_a_finite_fill_as_masked_and_keep_one_scale():
    axes = plot_stages(story(4, 1, 2, fill=-1e9))
    assert words(axes[3]).count("−inf") == 6
    assert axes[2].images[0].get_clim() == axes[3].images[0].get_clim()


def test_story_names_every_tensor_with_its_shape():
    text = "\n".join(words(plot_story(2, 5, 3, 4)))
    for name in ("X", "Q", "K", "V", "scores", "masked scores", "weights", "heads", "merged", "Y"):
        assert f"{name}\n(B" in text, name
    for shape in ("(2, 5, 12)", "(2, 3, 5, 4)", "(2, 3, 5, 5)"):
        assert shape in text, shape


def test_parameters_are_four_squares_of_one_area_cut_into_heads():
    ax = plot_parameters({1: 576, 3: 576, 12: 576}, 12)
    areas = [patch.get_width() * patch.get_height() for patch in ax.patches]
    groups = [areas[:4], areas[4:16], areas[16:]]
    assert [len(group) for group in groups] == [4, 12, 48]
    assert sum(groups[0]) == pytest.approx(sum(groups[1])) == pytest.approx(sum(groups[2]))
    assert words(ax).count("576") == 3
    assert "4 d_model² = 576" in ax.get_title()
    assert [label.get_text() for label in ax.get_xticklabels()] == [
        "H = 1\nd_head = 12",
        "H = 3\nd_head = 4",
        "H = 12\nd_head = 1",
    ]


def test_contributions_stack_up_to_their_sum():
    parts = np.array([[1.0, -2.0], [3.0, 0.5]])
    ax = plot_contributions(parts)
    assert [bar.get_height() for bar in ax.patches] == [1.0, -2.0, 3.0, 0.5]
    assert [bar.get_y() for bar in ax.patches] == [0, 0, 1.0, 0]
    sums = [segment[0, 1] for segment in ax.collections[0].get_segments()]
    assert sums == [4.0, -1.5]


def test_entropy_bars_are_the_bits():
    ax = plot_entropy({"not scaled": 0.99, "by √d_head": 6.3}, 7)
    assert [bar.get_width() for bar in ax.patches] == [0.99, 6.3]
    assert {"0.99", "6.30", "7.00: uniform "} <= set(words(ax))


def test_largest_weight_lines_hold_the_values():
    ax = plot_largest_weight([16, 64, 512], [0.59, 0.80, 0.93], [0.11, 0.11, 0.11])
    assert [list(line.get_ydata()) for line in ax.lines] == [[0.59, 0.80, 0.93], [0.11, 0.11, 0.11]]
    assert {"not scaled", "divided by √d_head"} <= set(words(ax))


def test_sliders_draw_at_once_and_again_when_moved(monkeypatch):
    shown, drawn = [], []
    monkeypatch.setattr("course_utils.figures.slide.display", shown.append)

    def draw(T, H):
        drawn.append((T, H))
        return plot_split(T, H, 2)

    slide(draw, T=(1, 6, 4), H=(1, 4, 3))
    *sliders, picture = shown[0].children
    before = picture.value
    assert "<svg" in before
    assert [(s.description, s.min, s.max, s.value) for s in sliders] == [("T", 1, 6, 4), ("H", 1, 4, 3)]
    sliders[1].value = 2
    assert drawn == [(4, 3), (4, 2)]
    assert picture.value != before
    assert plt.get_fignums() == []
