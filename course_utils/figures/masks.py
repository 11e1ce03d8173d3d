"""Plots of masks: rows are queries, columns are keys, hatched grey means masked."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator

from ..show.colours import EMPHASIS, HATCH, INK, MASKED, NEW, OLD, OPEN
from .draw import as_array, axes_or_new, row_of_axes, write
from .words import describe, describe_mask

FALSE_TRUE = ["F", "T"]  # printed in the cells, as on the cards
PRINT_UP_TO = 8  # longer tables are drawn without their values
TICK_UP_TO = 16  # longer axes are labelled at a few round positions


def plot_mask(mask, *, ax=None):
    """Draw one mask (T_q, T_k), True = masked; cells with key position = query position are outlined."""
    mask = as_mask(mask)
    ax = draw_cells(mask, [OPEN, MASKED], FALSE_TRUE, ax)
    outline(ax, [(i, i) for i in range(min(mask.shape))], own=True)
    ax.set_title("T = True = masked, hatched", fontsize=10)
    return describe(ax, describe_mask(mask))


def plot_cached_mask(mask, cache_len, *, ax=None):
    """Draw a mask (T_q, T_k) whose first `cache_len` keys are cached (blue) and the others new (yellow)."""
    mask = as_mask(mask)
    T_q, T_k = mask.shape
    is_new = np.arange(T_k) >= cache_len
    ax = draw_cells(np.where(mask, 2, is_new), [OLD, NEW, MASKED], ["F", *FALSE_TRUE], ax)
    outline(ax, [(i, cache_len + i) for i in range(T_q) if cache_len + i < T_k], own=True)
    ax.axvline(cache_len - 0.5, color=INK, linewidth=2)
    ax.set_title(f"{cache_len} cached keys (blue), {T_k - cache_len} new keys (yellow)", fontsize=10)
    if T_q <= TICK_UP_TO:
        ax.set_yticks(range(T_q), [f"query {i}, position {cache_len + i}" for i in range(T_q)])
        ax.set_ylabel("")
    return describe(ax, f"{cache_len} cached keys, then {T_k - cache_len} new ones; {describe_mask(mask)}")


def plot_padding(mask, *, tokens=None, ax=None):
    """Draw a padding mask (B, max_len), one example per row; `tokens` (B lists of words) fill the cells."""
    mask = as_mask(mask)
    ax = draw_cells(mask, [OPEN, MASKED], FALSE_TRUE if tokens is None else ["", ""], ax)
    for b, words in enumerate(tokens or []):
        for j, word in enumerate(words):
            write(ax, j, b, word, color=INK)
    ax.set_yticks(range(len(mask)), [f"example {b}, length {n}" for b, n in enumerate((~mask).sum(1))])
    ax.set(xlabel="key position", ylabel="")
    ax.set_title("T = True = padding, hatched", fontsize=10)
    filled = [f"example {b} is {' '.join(map(str, words))}" for b, words in enumerate(tokens or [])]
    return describe(ax, "; ".join([*filled, describe_mask(mask, "example", "positions")]))


def plot_dialects(mask):
    """Draw one mask (T_q, T_k) in three conventions that libraries use; returns the three Axes."""
    mask = as_mask(mask)
    axes = row_of_axes(3, 10 / 3, 3.4)
    spellings = {
        "True = masked": ["False", "True"],
        "True = attend": ["True", "False"],
        "added to the scores": ["0", "−inf"],
    }
    for ax, (title, words) in zip(axes, spellings.items(), strict=True):
        draw_cells(mask, [OPEN, MASKED], words, ax).set_title(title, fontsize=10)
        describe(ax, f"{describe_mask(mask)}; masked is written {words[1]}, open {words[0]}")
    return axes


def as_mask(mask):
    """Convert a mask to a 2-d bool array, without leading axes of size 1; ValueError for anything else."""
    mask = as_table(mask, "mask")
    if not np.isin(mask, (0, 1)).all():
        raise ValueError(
            f"a mask holds True and False only; got {mask.dtype} values {np.unique(mask)[:4]}. "
            "Scores and additive masks have pictures of their own."
        )
    return mask.astype(bool)


def as_table(x, name):
    """Convert a tensor, an array or nested lists to one 2-d NumPy array, without leading axes of size 1."""
    table = as_array(x)
    shape = table.shape
    while table.ndim > 2 and table.shape[0] == 1:
        table = table[0]
    if table.ndim != 2 or 0 in shape:
        raise ValueError(
            f"one {name} is a table (T_q, T_k); got shape {shape}. "
            f"Choose one example and one head first, for instance {name}[0, 0]."
        )
    return table


def draw_cells(codes, colours, words, ax=None):
    """Draw an integer table: a cell with code c has colours[c] and, in a small table, the text words[c]."""
    T_q, T_k = codes.shape
    ax = axes_or_new(ax, *figure_size(T_q, T_k))
    ax.imshow(codes, cmap=ListedColormap(colours), vmin=-0.5, vmax=len(colours) - 0.5, interpolation="none")
    frame(ax, T_q, T_k)
    if MASKED in colours:
        hatch(ax, codes == colours.index(MASKED))
    if max(T_q, T_k) <= PRINT_UP_TO:
        for (i, j), code in np.ndenumerate(codes):
            write(ax, j, i, words[int(code)], fontsize=8, color=INK)
    return ax


def figure_size(T_q, T_k):
    """Return the width and height in inches for one table."""
    cell = min(0.42, 4 / max(T_q, T_k))
    return 2.2 + cell * T_k, 1.3 + cell * T_q


def frame(ax, T_q, T_k):
    """Name the axes, put the ticks on whole positions and draw thin lines between the cells."""
    ax.set(xlabel="key position", ylabel="query position")
    for axis, length in ((ax.xaxis, T_k), (ax.yaxis, T_q)):
        axis.set_major_locator(MaxNLocator(integer=True))
        if length <= TICK_UP_TO:
            axis.set_ticks(range(length))
        axis.set_ticks(np.arange(length - 1) + 0.5, minor=True)
    ax.grid(which="minor", color="#E0E0E0", linewidth=0.5)
    ax.tick_params(which="both", length=0)


def outline(ax, cells, *, own=False):
    """Outline the cells (query, key) boldly; with `own`, thinly, for keys at the query's own position."""
    colour, width, inset = (INK, 1.2, 0.07) if own else (EMPHASIS, 2.2, 0)
    for i, j in cells:
        place, side = (j - 0.5 + inset, i - 0.5 + inset), 1 - 2 * inset
        ax.add_patch(Rectangle(place, side, side, fill=False, edgecolor=colour, linewidth=width))


def hatch(ax, masked):
    """Draw masked cells in hatched grey, as one shape with a box for each run of masked cells in a row."""
    boxes = []
    for i, row in enumerate(np.asarray(masked, dtype=int)):
        ends = np.flatnonzero(np.diff(row, prepend=0, append=0)).reshape(-1, 2)
        top, low = i - 0.5, i + 0.5
        for left, right in ends - 0.5:
            boxes.append([(left, top), (right, top), (right, low), (left, low), (left, top)])
    if boxes:
        codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(boxes)
        path = Path(np.concatenate(boxes), codes)
        ax.add_patch(PathPatch(path, facecolor=MASKED, edgecolor=HATCH, hatch="////", linewidth=0))
