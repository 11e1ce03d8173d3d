"""Pictures of how sharp attention is: the largest weight as heads grow, and the entropy of the rows."""

import matplotlib.pyplot as plt

from ..show.colours import LINES, OPEN
from .words import say

SCALED, OTHER, UNSCALED = LINES[:3]


def plot_largest_weight(widths, unscaled, scaled, *, ax=None):
    """Draw the largest weight of a row against d_head, with and without the scale."""
    ax = ax or plt.subplots(figsize=(5, 3.4), layout="constrained")[1]
    for values, colour, name, marker in (
        (unscaled, UNSCALED, "not scaled", "o"),
        (scaled, SCALED, "divided by √d_head", "s"),
    ):
        ax.plot(widths, values, color=colour, marker=marker)
        ax.annotate(
            name,
            (widths[-1], values[-1]),
            (8, 9),
            textcoords="offset points",
            ha="right",
            color=colour,
            fontsize=9,
        )
        for width, value in zip(widths, values, strict=True):
            ax.annotate(f"{value:.2f}", (width, value), (4, -14), textcoords="offset points", fontsize=8)
    ax.set_xscale("log", base=2)
    ax.set_xticks(widths, [str(width) for width in widths])
    ax.set(xlabel="d_head", ylabel="largest weight in a row", ylim=(0, 1.08))
    ax.margins(x=0.12)
    pairs = [
        f"{d}: {a:.2f} not scaled, {b:.2f} scaled" for d, a, b in zip(widths, unscaled, scaled, strict=True)
    ]
    say(ax, f"largest weight for d_head = {'; '.join(pairs)}")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_entropy(bits, most, *, ax=None):
    """Draw the mean entropy of the rows, {name: bits}, as bars against `most`, that of uniform weights."""
    ax = ax or plt.subplots(figsize=(5, 0.9 + 0.6 * len(bits)), layout="constrained")[1]
    colours = [UNSCALED, SCALED, OTHER]
    for row, value in enumerate(bits.values()):
        ax.barh(row, value, height=0.6, color=colours[row % len(colours)])
        inside = value > most / 2
        ax.text(
            value + (-0.1 if inside else 0.1),
            row,
            f"{value:.2f}",
            va="center",
            fontsize=9,
            ha="right" if inside else "left",
            color=OPEN if inside else "black",
        )
    ax.axvline(most, color="black", linestyle="--", linewidth=1)
    ax.text(most, -0.62, f"{most:.2f}: uniform ", ha="right", fontsize=8.5)
    ax.set_yticks(range(len(bits)), list(bits))
    ax.set(xlabel="entropy of a row, in bits", xlim=(0, 1.05 * most), ylim=(len(bits) - 0.5, -0.9))
    words = "; ".join(f"{name}: {value:.2f}" for name, value in bits.items())
    say(ax, f"mean entropy in bits: {words}; uniform weights have {most:.2f}")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
