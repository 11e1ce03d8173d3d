"""Interactive RoPE: a query and a key at two positions, their angles in each pair, and the score."""

import math

from matplotlib.patches import Circle

from ..figures.draw import row_of_axes
from ..show.colours import LINES
from .piece import Piece, still_of

FARTHEST = 32  # the last position of the sliders


def turn_pairs(query=5, key=2, *, d_head=8, base=10000.0):
    """Show a query and a key in each pair of features, at two positions that can be changed.

    query, key: the initial positions, 0 to FARTHEST. Before the rotation, both are [1, 0] in every pair.

    Returns a Piece.
    """
    speeds = [base ** (-2 * j / d_head) for j in range(d_head // 2)]
    data = {"query": query, "key": key, "speeds": speeds, "farthest": FARTHEST, "colours": LINES[:2]}
    pairs = [
        f"pair {j}: query at {degrees(speed * query)}°, key at {degrees(speed * key)}°, "
        f"product {products([speed], query, key)[0]:.2f}"
        for j, speed in enumerate(speeds)
    ]
    words = (
        f"a query at position {query} and a key at position {key}, as two hands in each pair of features. "
        f"{'; '.join(pairs)}. Their score, the sum, is {sum(products(speeds, query, key)):.2f}, and depends "
        f"on the distance {query - key} only."
    )
    return Piece("rope.js", data, still_of(draw_still(speeds, query, key)), words.replace("-", "−"))


def products(speeds, query, key):
    """Return each pair's share of the score: the cosine of the angle between its hands."""
    return [math.cos(speed * (query - key)) for speed in speeds]


def degrees(angle):
    return round(math.degrees(angle)) % 360


def draw_still(speeds, query, key):
    """Draw each pair as a circle with two hands; returns the Figure."""
    axes = row_of_axes(len(speeds), 1.9, 2.6)
    for j, (speed, ax) in enumerate(zip(speeds, axes, strict=True)):
        ax.add_patch(Circle((0, 0), 1, fill=False, color="#999999"))
        hands = ("k", key, LINES[1], "-", 0.75), ("q", query, LINES[0], "--", 1.22)
        for name, position, colour, style, away in hands:
            x, y = math.cos(speed * position), math.sin(speed * position)
            ax.plot([0, x], [0, y], style, color=colour, linewidth=2.5)
            label = ax.text(away * x, away * y, name, color=colour, ha="center", va="center")
            label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
        ax.set(xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), aspect="equal", title=f"pair {j}")
        product = f"{products([speed], query, key)[0]:.2f}".replace("-", "−")
        ax.text(0, -1.5, f"q·k = {product}", ha="center", va="top")
        ax.axis("off")
    figure = axes[0].figure
    total = f"{sum(products(speeds, query, key)):.2f}".replace("-", "−")
    figure.suptitle(f"query at {query}, key at {key}: score {total}", fontsize=10)
    return figure
