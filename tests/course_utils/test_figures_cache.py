"""The pictures of parts 4 and 5 draw on the Axes given, at the smallest sizes too, and say what is true."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex

from course_utils.figures.cache import plot_cache_growth, plot_cache_step, plot_kv_groups
from course_utils.figures.costs import plot_cache_memory, plot_roofline, plot_token_times
from course_utils.figures.training import plot_head, plot_head_rows, plot_losses, plot_table
from course_utils.show.colours import COMPUTED, MASKED, OLD

matplotlib.use("Agg")
NOTHING = "#00000000"


def words(ax):
    return [text.get_text() for text in ax.texts]


def causal(H, T):
    weights = torch.rand(H, T, T, generator=torch.Generator().manual_seed(0)).tril()
    return weights / weights.sum(-1, keepdim=True)


PICTURES = {
    "step": lambda ax: plot_cache_step([3, 1], 1, ax=ax),
    "groups": lambda ax: plot_kv_groups([0, 0, 1, 1], 2, ax=ax),
    "memory": lambda ax: plot_cache_memory({"one": 36864, "two": 524288}, dashed=["two"], ax=ax),
    "times": lambda ax: plot_token_times([0.1] * 16, [0.01] * 16, ax=ax),
    "roofline": lambda ax: plot_roofline({"decode": 1.0, "prefill": 2560.0}, 312e12, 2e12, ax=ax),
    "head": lambda ax: plot_head(causal(1, 4)[0], "abca", query=2, ax=ax),
    "losses": lambda ax: plot_losses({"loss": [2.0] * 20}, ax=ax),
    "table": lambda ax: plot_table({"r": {"c": 0.5}}, ax=ax),
}
SMALLEST = {
    "step": lambda: plot_cache_step([1], 0),
    "growth": lambda: plot_cache_growth([1])[0],
    "groups": lambda: plot_kv_groups([0], 1),
    "memory": lambda: plot_cache_memory({"one": 1}),
    "times": lambda: plot_token_times([0.1], [0.01]),
    "roofline": lambda: plot_roofline({"decode": 1.0}, 1.0, 1.0),
    "head": lambda: plot_head(torch.ones(1, 1), "a"),
    "rows": lambda: plot_head_rows({"layer 0": torch.ones(1, 1, 1)}, "a")[0, 0],
    "losses": lambda: plot_losses({"loss": [2.0] * 10}),
    "table": lambda: plot_table({"r": {"c": 1.0}}),
}


@pytest.mark.parametrize("name", PICTURES)
def test_draws_on_the_given_axes_only(name):
    figure, (left, right) = plt.subplots(1, 2)
    assert PICTURES[name](left) is left
    assert not right.has_data()
    assert plt.get_fignums() == [figure.number]
    figure.canvas.draw()


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_picture_can_be_drawn(name):
    ax = SMALLEST[name]()
    ax.figure.canvas.draw()
    assert ax.has_data() or ax.texts or ax.tables


def test_a_step_shows_old_light_new_dark_and_no_old_queries():
    ax = plot_cache_step([2, 1, 2], 1)
    colours = [
        to_hex(patch.get_facecolor(), keep_alpha=True).upper().removesuffix("FF") for patch in ax.patches
    ]
    assert colours[:5] == [NOTHING, NOTHING, COMPUTED, NOTHING, NOTHING]
    assert colours[5:10] == colours[10:] == [OLD, OLD, COMPUTED, NOTHING, NOTHING]
    assert words(ax) == ["q2", "k0", "k1", "k2", "v0", "v1", "v2"]
    assert ax.get_title() == "step 1: 1 new, 2 cached"


def test_the_last_new_query_is_joined_to_every_key_so_far():
    ax = plot_cache_step([2, 1, 2], 1)
    lines = [list(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) == 2]
    assert lines == [[2.5, 0.5], [2.5, 1.5], [2.5, 2.5]]


def test_old_is_lighter_than_new():
    def light(colour):
        return sum(int(colour[i : i + 2], 16) for i in (1, 3, 5))

    assert light(OLD) > 1.5 * light(COMPUTED)


def test_growth_draws_every_step_with_its_tokens():
    axes = plot_cache_growth([2, 1], ["the", "cat", "the"])
    assert [ax.get_title() for ax in axes] == ["step 0: 2 new, 0 cached", "step 1: 1 new, 2 cached"]
    assert [t.get_text() for t in axes[0].get_xticklabels()] == ["the\n0", "cat\n1", "the\n2"]


def test_every_query_head_is_joined_to_the_kv_head_that_it_reads():
    ax = plot_kv_groups([0, 0, 1, 1], 2)
    ends = [line.get_xdata()[1] for line in ax.lines]
    assert ends == [0.5, 0.5, 2.5, 2.5]
    assert words(ax) == ["q0", "q1", "q2", "q3", "kv0", "kv1"]


def test_models_with_equal_caches_share_a_line_and_say_their_kib():
    ax = plot_cache_memory({"A": 327680, "B": 327680, "C": 70272, "D": 2621440}, dashed=["D"])
    assert words(ax) == ["C: 68.6 KiB", "A, B: 320 KiB", "D: 2560 KiB"]
    assert [line.get_linestyle() for line in ax.lines] == ["-", "-", "--"]
    assert ax.lines[1].get_ydata()[0] == pytest.approx(1024 * 327680 / 2**30)
    assert ax.get_xscale() == ax.get_yscale() == "log"


def test_times_are_the_fastest_of_each_block_in_milliseconds():
    ax = plot_token_times([0.002, 0.9, 0.004, 0.005], [0.001] * 4, block=2)
    assert ax.lines[0].get_ydata() == pytest.approx([2, 4])
    assert words(ax) == ["without a cache", "with a cache"]


def test_work_stands_on_the_roof():
    ax = plot_roofline({"decode": 1.0, "prefill": 1000.0}, operations=312e12, bandwidth=2e12)
    slope, flat = (line.get_ydata()[0] for line in ax.lines[-2:])
    assert slope == pytest.approx(2)
    assert flat == pytest.approx(312)


def test_the_future_is_grey_and_zero_is_not():
    ax = plot_head(torch.eye(3), "aba")
    shown = ax.images[0].get_array()
    assert np.array_equal(np.ma.getmaskarray(shown), np.triu(np.ones((3, 3), bool), 1))
    assert to_hex(ax.images[0].cmap.get_bad()).upper() == MASKED
    assert ax.images[0].get_clim() == (0, 1)


def test_equal_tokens_keep_their_position_and_the_query_is_read_out():
    ax = plot_head(torch.tensor([[1, 0, 0], [0.5, 0.5, 0], [0.1, 0.8, 0.1]]), "aba", query=2)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a 0", "b 1", "a 2"]
    assert ax.get_title() == "query a 2 gives 0.80 to b 1"


def test_head_rows_share_one_scale_and_label_the_outer_axes():
    axes = plot_head_rows({"before": causal(2, 5), "after": 0.1 * causal(2, 5)}, "abcde")
    assert axes.shape == (2, 2)
    assert {ax.images[0].get_clim() for ax in axes.flat} == {(0, 1)}
    titles = ["before, head 0", "before, head 1", "after, head 0", "after, head 1"]
    assert [ax.get_title() for ax in axes.flat] == titles
    assert [bool(len(ax.get_xticks())) for ax in axes.flat] == [False, False, True, True]
    assert [bool(len(ax.get_yticks())) for ax in axes.flat] == [True, False, True, False]


def test_one_column_is_drawn_as_bars():
    ax = plot_table({"none off": {"right": 1.0}, "head 0 off": {"right": 0.37}})
    assert [bar.get_width() for bar in ax.patches] == [1.0, 0.37]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["none off", "head 0 off"]
    assert words(ax) == ["1", "0.37"]
    assert ax.get_xlabel() == "right"


def test_letters_of_long_texts_are_readable_on_a_narrow_page():
    axes = plot_head_rows({"layer 0": causal(2, 24)}, "x" * 24)
    labels = [label for ax in axes.flat for label in (*ax.get_xticklabels(), *ax.get_yticklabels())]
    assert {label.get_fontsize() for label in labels} == {8}
    assert [t.get_text() for t in axes[0, 0].get_xticklabels()][:5] == ["x\n0", "x\n", "x\n", "x\n", "x\n4"]
    assert len(axes[0, 0].get_yticklabels()) == 24


def test_a_table_shows_its_numbers():
    ax = plot_table({"head 0": {"first": torch.tensor(0.25), "self": 1.0}})
    assert words(ax) == ["0.25", "1"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["first", "self"]
