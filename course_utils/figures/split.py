"""Plots of splitting x into heads: where each number of x goes, and where a wrong view puts it."""

import numpy as np

from ..show.colours import EMPHASIS, HEADS
from .draw import as_array, axes_or_new, draw_box, tint, write
from .words import describe

GAP = 0.7  # between two bands, and between two heads, in cells
PRINT_UP_TO = 120  # larger tables are drawn without their numbers


def plot_split(T, H, d_head, *, ax=None):
    """Draw one example x (T, d_model) of the numbers 0, 1, 2, ...: whole, cut into bands, and as H heads."""
    d_model, height = H * d_head, H * T + (H - 1) * GAP
    banded = d_model + (H - 1) * GAP
    lefts = [0, d_model + 3, d_model + banded + 6]
    middle = (height - T) / 2
    ax = canvas(ax, width=lefts[2] + d_head + 3.8, height=height, top=1.9)
    index = right_places(T, H, d_head)
    for h in range(H):
        draw_table(ax, index[h], lefts[0] + h * d_head, middle, H, d_head)
        draw_table(ax, index[h], lefts[1] + h * (d_head + GAP), middle, H, d_head)
        draw_table(ax, index[h], lefts[2], h * (T + GAP), H, d_head)
        write(ax, lefts[1] + h * (d_head + GAP) + d_head / 2, middle - 0.35, f"band {h}")
        for t in range(T):
            write(ax, lefts[2] + d_head + 0.25, h * (T + GAP) + t + 0.5, f"head {h}, token {t}", ha="left")
    for t in range(T):
        write(ax, -0.25, middle + t + 0.5, f"token {t}", ha="right")
    above = {"va": "bottom", "fontsize": 10}
    write(ax, lefts[0] + d_model / 2, middle - 0.3, f"x  (T, d_model)\n({T}, {d_model})", **above)
    write(ax, lefts[1] + banded / 2, middle - 0.8, f"(T, H, d_head)\n({T}, {H}, {d_head})", **above)
    write(ax, lefts[2] + d_head / 2, -0.3, f"(H, T, d_head)\n({H}, {T}, {d_head})", **above)
    arrow(ax, d_model + 0.3, lefts[1] - 0.3, height / 2, "view:\ncut each row")
    arrow(ax, lefts[1] + banded + 0.3, lefts[2] - 0.3, height / 2, "transpose:\nheads first")
    bands = [f"head {h} gets band {h}, features {h * d_head} to {(h + 1) * d_head - 1}" for h in range(H)]
    return describe(
        ax,
        f"x of shape ({T}, {d_model}) is cut into {H} bands of {d_head}; {', '.join(bands)}, of all tokens",
    )


def plot_head_tables(heads, *, ax=None):
    """Draw heads (H, T, d_head) of the numbers 0, 1, 2, ... of x, and name the token and band of each row.

    The colour of a cell is the band that its number comes from; rows with wrong numbers are marked.
    """
    heads = as_index(heads)
    H, T, d_head = heads.shape
    wanted = right_places(T, H, d_head)
    ax = canvas(ax, width=d_head + 7, height=H * T + (H - 1) * GAP, top=0.3)
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
    """Return Axes without a frame, with square cells and the first row at the top."""
    left = 2.7
    cell = min(0.42, 9.2 / (left + width))
    ax = axes_or_new(ax, cell * (left + width), cell * (top + height) + 0.5)
    ax.set(xlim=(-left, width), ylim=(height + 0.1, -top), aspect="equal")
    ax.axis("off")
    return ax


def arrow(ax, start, end, y, text):
    ax.annotate("", (end, y), (start, y), arrowprops={"arrowstyle": "-|>", "color": "black"})
    write(ax, (start + end) / 2, y - 0.2, text, va="bottom", fontsize=8.5)
