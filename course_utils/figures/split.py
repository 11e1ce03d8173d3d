"""Plots of splitting x into heads: where each number of x goes, and where a wrong view puts it."""

import matplotlib.pyplot as plt
import numpy as np

from ..show.colours import EMPHASIS, HEADS
from .draw import as_array, axes_or_new, draw_box, tint, write
from .words import describe

GAP = 0.7  # between two bands, and between two heads, in cells
BEFORE = 3.3  # the space to the left of a table, in cells: for an arrow, or the names of rows
PRINT_UP_TO = 120  # larger tables are drawn without their numbers


def plot_split(T, H, d_head, *, figure=None):
    """Draw one example x (T, d_model) of the numbers 0, 1, 2, ...: whole, cut into bands, and as H heads;
    returns the three Axes. figure: an empty Figure or SubFigure to draw on."""
    d_model, height = H * d_head, H * T + (H - 1) * GAP
    banded, middle = d_model + (H - 1) * GAP, (height - T) / 2
    widths = [BEFORE + d_model, BEFORE + banded, BEFORE + d_head + 3.8]
    cell = min(0.42, 9.2 / sum(widths))
    size = (cell * sum(widths), cell * (height + 2) + 0.5)
    figure = figure or plt.figure(figsize=size, layout="constrained")
    axes = figure.subplots(1, 3, width_ratios=widths)
    for ax, width in zip(axes, widths, strict=True):
        canvas(ax, width=width - BEFORE, height=height, top=1.9)
    whole, bands, heads = axes
    index = right_places(T, H, d_head)
    for h in range(H):
        draw_table(whole, index[h], h * d_head, middle, H, d_head)
        draw_table(bands, index[h], h * (d_head + GAP), middle, H, d_head)
        draw_table(heads, index[h], 0, h * (T + GAP), H, d_head)
        write(bands, h * (d_head + GAP) + d_head / 2, middle - 0.35, f"band {h}")
        for t in range(T):
            write(heads, d_head + 0.25, h * (T + GAP) + t + 0.5, f"head {h}, token {t}", ha="left")
    for t in range(T):
        write(whole, -0.25, middle + t + 0.5, f"token {t}", ha="right")
    above = {"va": "bottom", "fontsize": 10}
    write(whole, d_model / 2, middle - 0.3, f"x  (T, d_model)\n({T}, {d_model})", **above)
    write(bands, banded / 2, middle - 0.8, f"(T, H, d_head)\n({T}, {H}, {d_head})", **above)
    write(heads, d_head / 2, -0.3, f"(H, T, d_head)\n({H}, {T}, {d_head})", **above)
    arrow(bands, -BEFORE, -0.3, height / 2, "view:\ncut each row")
    arrow(heads, -BEFORE, -0.3, height / 2, "transpose:\nheads first")
    parts = [f"head {h} gets band {h}, features {h * d_head} to {(h + 1) * d_head - 1}" for h in range(H)]
    describe(whole, f"x of shape ({T}, {d_model})")
    describe(bands, f"each row is cut into {H} bands of {d_head}")
    describe(heads, f"{', '.join(parts)}, of all tokens")
    return axes


def plot_head_tables(heads, *, ax=None):
    """Draw heads (H, T, d_head) of the numbers 0, 1, 2, ... of x, and name the token and band of each row.

    The colour of a cell is the band that its number comes from; rows with wrong numbers are marked.
    """
    heads = as_index(heads)
    H, T, d_head = heads.shape
    wanted = right_places(T, H, d_head)
    width, height = d_head + 7, H * T + (H - 1) * GAP
    cell = min(0.42, 9.2 / (BEFORE + width))
    ax = axes_or_new(ax, cell * (BEFORE + width), cell * (height + 0.3) + 0.5)
    canvas(ax, width, height, top=0.3)
    for h in range(H):
        top = h * (T + GAP)
        draw_table(ax, heads[h], 0, top, H, d_head)
        write(ax, -0.9, top + T / 2, f"head {h}", ha="right", fontsize=10)
        for t in range(T):
            good = (heads[h, t] == wanted[h, t]).all()
            write(ax, -0.25, top + t + 0.5, f"{t}", ha="right")
            mark, ink = ("", "black") if good else ("   ✗", EMPHASIS)
            label = f"{owner(heads[h, t], H, d_head)}{mark}"
            write(ax, d_head + 0.25, top + t + 0.5, label, ha="left", color=ink)
    placed = int((heads == wanted).sum())
    ax.set_title(f"{placed} of {heads.size} numbers in place ({placed / heads.size:.0%})", fontsize=10)
    rows = [f"head {h} row {t}: {owner(heads[h, t], H, d_head)}" for h in range(H) for t in range(T)]
    return describe(ax, "; ".join(rows[:48]))


def right_places(T, H, d_head):
    """Return the number of x that belongs in each place of the heads (H, T, d_head)."""
    h, t, f = np.ogrid[:H, :T, :d_head]
    return t * H * d_head + h * d_head + f


def as_index(heads):
    """Convert heads to an int array (H, T, d_head); ValueError unless each of 0 to size - 1 occurs once."""
    array = as_array(heads)
    if array.ndim != 3:
        raise ValueError(f"one example's heads are (H, T, d_head); got shape {array.shape}. Choose heads[0].")
    if not np.array_equal(np.sort(array, axis=None), np.arange(array.size)):
        raise ValueError(f"each number from 0 to {array.size - 1} must occur once: split torch.arange(...).")
    return array.astype(int)


def owner(row, H, d_head):
    """Name the token and band whose features a row holds, or "a mixture"."""
    places = {(int(i) // (H * d_head), int(i) % (H * d_head) // d_head) for i in row}
    return "token {}, band {}".format(*places.pop()) if len(places) == 1 else "a mixture"


def draw_table(ax, index, left, top, H, d_head):
    """Draw a table of numbers of x, each cell in the colour of the band that its number comes from."""
    for (i, j), number in np.ndenumerate(index):
        band = number % (H * d_head) // d_head
        word = str(number) if index.size * H <= PRINT_UP_TO else ""
        look = {"fill": tint(HEADS[band % len(HEADS)]), "edgecolor": "white", "linewidth": 1.2}
        draw_box(ax, left + j, top + i, 1, 1, word, size=8, **look)


def canvas(ax, width, height, top):
    """Remove the frame of Axes, and give them square cells, the first row at the top."""
    ax.set(xlim=(-BEFORE, width), ylim=(height + 0.1, -top), aspect="equal")
    ax.axis("off")


def arrow(ax, start, end, y, text):
    ax.annotate("", (end, y), (start, y), arrowprops={"arrowstyle": "-|>", "color": "black"})
    write(ax, (start + end) / 2, y - 0.2, text, va="bottom", fontsize=8.5)
