"""Helpers that several plots share: new Axes, boxes with a label, text next to a point, frames."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from ..show.colours import INK


def as_array(values):
    """Convert a tensor of any dtype and device, an array or nested lists to a NumPy array."""
    return np.asarray(values.tolist() if hasattr(values, "tolist") else values)


def axes_or_new(ax, *size):
    """Return `ax`, or the Axes of a new figure of this size in inches if it is None."""
    return ax or plt.subplots(figsize=size, layout="constrained")[1]


def row_of_axes(count, width, height):
    """Make `count` new Axes in one row, each of this size in inches."""
    size = (count * width, height)
    return plt.subplots(1, count, figsize=size, layout="constrained", squeeze=False)[1][0]


def draw_box(ax, x, y, width, height, word="", *, fill, ink=INK, size=9, edgecolor="#777777", **look):
    """Draw a rectangle whose upper left corner is (x, y), with a word at its centre."""
    ax.add_patch(Rectangle((x, y), width, height, facecolor=fill, edgecolor=edgecolor, **look))
    if word:
        write(ax, x + width / 2, y + height / 2, word, fontsize=size, color=ink)


def write(ax, x, y, text, **look):
    """Write a text centred at (x, y)."""
    ax.text(x, y, text, **{"ha": "center", "va": "center", "fontsize": 9, **look})


def write_beside(ax, point, text, shift, **look):
    """Write a text next to a point. shift: how far to the right and up, in typographic points."""
    return ax.annotate(text, point, shift, **{"textcoords": "offset points", "fontsize": 9, **look})


def tint(colour, strength=0.55):
    """Mix a colour with white, so that black numbers can be read on it."""
    rgb = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return tuple(1 - strength * (1 - rgb))


def without_frame(ax):
    """Remove the frame and the tick marks; the tick labels stay."""
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def open_frame(ax):
    """Keep only the left and the bottom side of the frame."""
    ax.spines[["top", "right"]].set_visible(False)
