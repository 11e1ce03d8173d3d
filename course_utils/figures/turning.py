"""The plot of RoPE: the pairs of features of one vector, rotated further at each position."""

import math

import matplotlib.pyplot as plt

from ..show.colours import LINES
from .draw import row_of_axes
from .words import describe


def plot_turning(turned):
    """Draw each pair of features of one vector as an arrow, at positions 0, 1, 2, ...; returns the Axes.

    turned: (T, d_head), the vector rotated to each position; features j and j + d_head / 2 are a pair.
    """
    half = turned.shape[-1] // 2
    axes = row_of_axes(half, 2, 2.2)
    for j, ax in enumerate(axes):
        draw_pair(ax, turned[:, [j, j + half]].tolist(), j, half)
    return axes


def draw_pair(ax, arrows, j, half):
    """Draw one pair: a circle, and an arrow for each position, darker for later positions."""
    length = math.hypot(*arrows[0]) or 1
    ax.add_patch(plt.Circle((0, 0), length, fill=False, color="black", alpha=0.25))
    for t, (x, y) in enumerate(arrows):
        alpha = 0.5 + 0.5 * (t + 1) / len(arrows)
        ax.plot([0, x], [0, y], color=LINES[0], alpha=alpha, linewidth=2)
        ax.plot(x, y, "o", color=LINES[0], alpha=alpha, markersize=4)
    for t, angle in labels(arrows).items():
        side = "left" if len(t) > 1 and math.cos(angle) > 0.5 else "center"
        away = 1.12 if side == "left" else 1.22
        place = away * length * math.cos(angle), away * length * math.sin(angle)
        ax.text(*place, t, ha=side, va="center")
    ax.set(xlim=(-1.4 * length, 1.7 * length), ylim=(-1.4 * length, 1.4 * length), aspect="equal")
    ax.set(xticks=[], yticks=[], xlabel=f"feature {j}", ylabel=f"feature {j + half}")
    ax.set_title(f"pair {j}", fontsize=10)
    ax.spines[:].set_visible(False)
    degrees = ", ".join(f"{round(math.degrees(math.atan2(y, x))) % 360}" for x, y in arrows)
    describe(
        ax, f"features {j} and {j + half} at positions 0 to {len(arrows) - 1} point to {degrees} degrees"
    )


def labels(arrows):
    """Return {"0", "1" or "0 to 3": angle}; consecutive positions with close angles share a label."""
    groups = []
    for t, (x, y) in enumerate(arrows):
        angle = math.atan2(y, x)
        if groups and abs(math.remainder(angle - groups[-1][-1][1], math.tau)) < 0.2:
            groups[-1].append((t, angle))
        else:
            groups.append([(t, angle)])
    return {
        str(first[0]) if first is last else f"{first[0]} to {last[0]}": (first[1] + last[1]) / 2
        for first, *_, last in (group if len(group) > 1 else group * 2 for group in groups)
    }
