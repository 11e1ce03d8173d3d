"""Plots of how sharp attention is: the largest weight against d_head, and the entropy of the rows."""

from ..show.colours import LINES, OPEN
from .draw import axes_or_new, open_frame, write_beside
from .words import describe

SCALED, OTHER, UNSCALED = LINES[:3]


def plot_largest_weight(widths, unscaled, scaled, *, ax=None):
    """Draw the largest weight of a row against d_head, with and without the scale."""
    ax = axes_or_new(ax, 3.8, 3.2)
    for values, colour, name, marker in (
        (unscaled, UNSCALED, "not scaled", "o"),
        (scaled, SCALED, "divided by √d_head", "s"),
    ):
        ax.plot(widths, values, color=colour, marker=marker)
        write_beside(ax, (widths[-1], values[-1]), name, (8, 9), ha="right", color=colour)
        for width, value in zip(widths, values, strict=True):
            write_beside(ax, (width, value), f"{value:.2f}", (4, -14), fontsize=8)
    ax.set_xscale("log", base=2)
    ax.set_xticks(widths, [str(width) for width in widths])
    ax.set(xlabel="d_head", ylabel="largest weight in a row", ylim=(0, 1.08))
    ax.margins(x=0.12)
    pairs = [
        f"{d}: {a:.2f} not scaled, {b:.2f} scaled" for d, a, b in zip(widths, unscaled, scaled, strict=True)
    ]
    open_frame(ax)
    return describe(ax, f"largest weight for d_head = {'; '.join(pairs)}")


def plot_entropy(bits, most, *, ax=None):
    """Draw mean row entropies {name: bits} as bars, with a line at `most`, the entropy of uniform weights."""
    ax = axes_or_new(ax, 4, 0.9 + 0.6 * len(bits))
    colours = [UNSCALED, SCALED, OTHER]
    for row, value in enumerate(bits.values()):
        ax.barh(row, value, height=0.6, color=colours[row % len(colours)])
        shift, side, ink = (-0.1, "right", OPEN) if value > most / 2 else (0.1, "left", "black")
        ax.text(value + shift, row, f"{value:.2f}", va="center", fontsize=9, ha=side, color=ink)
    ax.axvline(most, color="black", linestyle="--", linewidth=1)
    ax.text(most, -0.62, f"{most:.2f}: uniform ", ha="right", fontsize=8.5)
    ax.set_yticks(range(len(bits)), list(bits))
    ax.set(xlabel="entropy of a row, in bits", xlim=(0, 1.05 * most), ylim=(len(bits) - 0.5, -0.9))
    words = "; ".join(f"{name}: {value:.2f}" for name, value in bits.items())
    open_frame(ax)
    return describe(ax, f"mean entropy in bits: {words}; uniform weights have {most:.2f}")
