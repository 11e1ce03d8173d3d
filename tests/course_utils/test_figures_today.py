"""The pictures of part 7 draw on the Axes given, at the smallest sizes too, and say what is true."""

import matplotlib
import matplotlib.pyplot as plt
import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle, Wedge

from course_utils.figures.pages import plot_pages
from course_utils.figures.ring import plot_ring, plot_ring_turns
from course_utils.figures.turning import plot_turning
from course_utils.figures.words import description
from course_utils.show.colours import COMPUTED, OLD

matplotlib.use("Agg")


def words(ax):
    return [text.get_text() for text in ax.texts]


def turned(speeds, T=4):
    """A vector of ones and zeros, whose pair j is turned by t * speeds[j] at position t."""
    angles = torch.arange(T)[:, None] * torch.tensor(speeds)  # (T, d_head / 2)
    return torch.cat([angles.cos(), angles.sin()], dim=1)  # (T, d_head)


def test_draws_on_the_given_axes_only():
    for draw in (
        lambda ax: plot_ring(5, 4, 2, ax=ax),
        lambda ax: plot_pages({"a": [1, 0]}, 3, ax=ax),
        lambda ax: plot_turning(turned([1.0]), axes=[ax])[0],
    ):
        plt.close("all")
        figure, (left, right) = plt.subplots(1, 2)
        assert draw(left) is left
        assert not right.has_data()
        assert plt.get_fignums() == [figure.number]
        figure.canvas.draw()


@pytest.mark.parametrize(
    "draw",
    [
        lambda: plot_ring(0, 1),
        lambda: plot_ring(0, 1, 1),
        lambda: plot_ring_turns([0], 1)[0],
        lambda: plot_pages({}, 1),
        lambda: plot_pages({"a": [0]}, 1),
        lambda: plot_turning(turned([0.0], 1))[0],
    ],
)
def test_the_smallest_picture_can_be_drawn(draw):
    ax = draw()
    ax.figure.canvas.draw()
    assert ax.patches
    assert description(ax.figure)


# ---- RoPE


def test_every_pair_has_its_panel_and_says_where_its_arrows_point():
    axes = plot_turning(turned([torch.pi / 2, torch.pi / 6]))
    assert [ax.get_title() for ax in axes] == ["pair 0", "pair 1"]
    assert [(ax.get_xlabel(), ax.get_ylabel()) for ax in axes] == [
        ("feature 0", "feature 2"),
        ("feature 1", "feature 3"),
    ]
    assert description(axes[0].figure) == (
        "pair 0: features 0 and 2 at positions 0 to 3 point to 0, 90, 180, 270 degrees. "
        "pair 1: features 1 and 3 at positions 0 to 3 point to 0, 30, 60, 90 degrees."
    )


def test_arrows_too_close_for_two_labels_share_one():
    fast, slow, still = plot_turning(turned([1.0, 0.1, 0.0]))
    assert words(fast) == ["0", "1", "2", "3"]
    assert words(slow) == words(still) == ["0 to 3"]


def test_an_arrow_ends_where_the_features_say():
    (ax,) = plot_turning(torch.tensor([[3.0, 4.0], [-4.0, 3.0]]))
    ends = [(line.get_xdata()[-1], line.get_ydata()[-1]) for line in ax.lines[::2]]
    assert ends == [(3, 4), (-4, 3)]


# ---- the ring


@pytest.mark.parametrize(("window", "sinks"), [(4, 2), (3, 0), (1, 1), (5, 7)])
def test_the_ring_shows_the_last_tokens_and_the_sinks(window, sinks):
    for newest in range(15):
        ax = plot_ring(newest, window, sinks)
        shown = sorted(map(int, words(ax)))
        assert shown == [p for p in range(newest + 1) if p < sinks or p > newest - window]
        dark = [patch for patch in ax.patches if to_hex(patch.get_facecolor()).upper() == COMPUTED]
        assert len(dark) == 1
        plt.close("all")


def test_a_token_stays_in_its_slot_until_another_takes_it():
    def slots(newest):
        ax = plot_ring(newest, 4, 2)
        wedges = [patch for patch in ax.patches if isinstance(patch, Wedge)]
        return [to_hex(wedge.get_facecolor()).upper() for wedge in wedges]

    assert slots(6) == [COMPUTED, OLD, OLD, OLD]
    assert slots(7) == [OLD, COMPUTED, OLD, OLD]
    assert slots(10) == slots(6)


def test_a_ring_that_is_not_full_has_empty_slots():
    ax = plot_ring(3, 4, 2)
    assert sum(patch.get_facecolor()[3] == 0 for patch in ax.patches) == 2
    assert description(ax.figure) == (
        "after token 3: the ring of 4 slots holds tokens 2 to 3; 3 is new, in slot 1; "
        "beside it, the sinks 0 to 1."
    )


# ---- pages


def test_tables_are_joined_to_their_blocks():
    ax = plot_pages({"a": [2, 0], "b": [2, 3]}, 5)
    assert [line.get_xdata()[1] for line in ax.lines] == [2.5, 0.5, 2.5, 3.5]
    assert words(ax).count("shared") == 1
    assert words(ax).count("free") == 2
    assert description(ax.figure) == (
        "5 blocks of memory; a is in blocks 2, 0; b is in blocks 2, 3; shared: 2; free: 1, 4."
    )


def test_a_free_block_is_dashed():
    ax = plot_pages({"a": [1]}, 2)
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert [patch.get_linestyle() for patch in boxes] == ["solid", "--", "solid"]
