"""What several pictures are drawn with: Axes, boxes with a word in them, words beside a point."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from ..show.colours import INK


def as_array(values):
    """A tensor of any dtype and device, an array or nested lists, as a NumPy array."""
    return np.asarray(values.tolist() if hasattr(values, "tolist") else values)


def one_of(ax, *size):
    """These Axes, or new ones in a figure of this size in inches."""
    return ax or plt.subplots(figsize=size, layout="constrained")[1]


def strip(count, width, height):
    """So many new Axes in one row, each of this size."""
    size = (count * width, height)
    return plt.subplots(1, count, figsize=size, layout="constrained", squeeze=False)[1][0]


def box(ax, x, y, width, height, word="", *, fill, ink=INK, size=9, **look):
    """A rectangle whose upper left corner is (x, y), with a word in its middle."""
    look = {"edgecolor": "#777777"} | look
    ax.add_patch(Rectangle((x, y), width, height, facecolor=fill, **look))
    if word:
        write(ax, x + width / 2, y + height / 2, word, fontsize=size, color=ink)


def write(ax, x, y, text, **look):
    """A text around (x, y)."""
    ax.text(x, y, text, **{"ha": "center", "va": "center", "fontsize": 9, **look})


def beside(ax, point, text, shift, **look):
    """A text so many points to the right of a point, and above it."""
    return ax.annotate(text, point, shift, **{"textcoords": "offset points", "fontsize": 9, **look})


def tint(colour, strength=0.55):
    """A colour mixed with white, light enough for black numbers."""
    rgb = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return tuple(1 - strength * (1 - rgb))


def without_frame(ax):
    """Neither frame nor ticks; their labels stay."""
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def open_frame(ax):
    """A frame at the left and at the bottom only."""
    ax.spines[["top", "right"]].set_visible(False)
