"""Plots of masking: scores, masked scores and weights of one head, side by side."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from ..show.colours import EMPHASIS, INK, MASKED, OPEN, SIGNED, WEIGHTS
from .draw import axes_or_new, row_of_axes, write
from .masks import PRINT_UP_TO, as_mask, as_table, figure_size, frame, hatch, outline
from .words import describe, describe_table, format_number


def plot_scores(scores, *, limit=None, ax=None):
    """Draw scores (T_q, T_k): purple below 0, green above, hatched where -inf; the scale ends at `limit`."""
    scores = as_table(scores, "scores").astype(float)
    if limit is None:
        limit = np.abs(scores[np.isfinite(scores)]).max(initial=0) or 1
    ax = draw_values(scores, SIGNED, -limit, limit, ax)
    return describe(ax, describe_table(scores, np.isneginf(scores), "query", "key"))


def plot_weights(weights, *, mask=None, tokens=None, ax=None):
    """Draw weights (T_q, T_k) from 0 to 1, with each row's sum; weight on masked keys is outlined.

    tokens: labels of the rows and columns of a square table.
    """
    weights = as_table(weights, "weights").astype(float)
    hidden = np.zeros(weights.shape, bool) if mask is None else np.broadcast_to(as_mask(mask), weights.shape)
    ax = draw_values(weights, WEIGHTS, 0, 1, ax, hidden & (weights == 0))
    leaks = np.argwhere(hidden & (weights > 0))
    outline(ax, leaks)
    leaks_in_words = [
        f"query {i} gives {format_number(weights[i, j])} to the masked key {j}" for i, j in leaks[:12]
    ]
    describe(
        ax, "; ".join([describe_table(weights, hidden & (weights == 0), "query", "key"), *leaks_in_words])
    )
    if tokens is not None:
        places = range(len(tokens))
        ax.set(xticks=places, yticks=places, xticklabels=tokens, yticklabels=tokens)
        ax.set(xlabel="key", ylabel="query")
    if max(weights.shape) <= PRINT_UP_TO:
        for i, total in enumerate(weights.sum(1)):
            text = f"sum {total:.2f}".replace("nan", "NaN")
            write(ax, weights.shape[1] - 0.3, i, text, ha="left", fontsize=8, alpha=0.8)
    return ax


def plot_masking(scores, mask, weights):
    """Draw the three stages of masking one table: scores, masked scores, weights; returns the three Axes."""
    mask, scores = as_mask(mask), as_table(scores, "scores").astype(float)
    axes = row_of_axes(3, *figure_size(*scores.shape))
    plot_scores(scores, ax=axes[0]).set_title("scores", fontsize=10)
    masked, limit = np.where(mask, -np.inf, scores), axes[0].images[0].norm.vmax
    plot_scores(masked, limit=limit, ax=axes[1]).set_title("masked scores", fontsize=10)
    plot_weights(weights, mask=mask, ax=axes[2]).set_title("weights", fontsize=10)
    return axes


def draw_values(table, colours, low, high, ax=None, masked=None):
    """Draw a float table: -inf and `masked` cells hatched, NaN cells crossed; small tables show values."""
    T_q, T_k = table.shape
    ax = axes_or_new(ax, *figure_size(T_q, T_k))
    masked = np.isneginf(table) | (np.zeros(table.shape, bool) if masked is None else masked)
    colours = plt.get_cmap(colours).with_extremes(bad=MASKED)
    visible = np.ma.array(table, mask=masked | ~np.isfinite(table))
    image = ax.imshow(visible, cmap=colours, vmin=low, vmax=high, interpolation="none")
    frame(ax, T_q, T_k)
    hatch(ax, masked)
    for i, j in np.argwhere(np.isnan(table) & ~masked):
        ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, hatch="xx", facecolor=OPEN, edgecolor=EMPHASIS))
    if max(T_q, T_k) <= PRINT_UP_TO:
        for (i, j), value in np.ndenumerate(table):
            dark = np.isfinite(value) and not masked[i, j] and luminance(image.cmap(image.norm(value))) < 0.5
            ink = OPEN if dark else INK
            paper = {"facecolor": OPEN, "edgecolor": "none", "pad": 1} if np.isnan(value) else None
            write(ax, j, i, format_number(value), fontsize=8, color=ink, bbox=paper)
    return describe(ax, describe_table(table, masked))


def luminance(rgba):
    """Return the perceived brightness of a colour, from 0 to 1."""
    return 0.299 * rgba[0] + 0.587 * rgba[1] + 0.114 * rgba[2]
