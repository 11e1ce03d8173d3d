"""Plots of training: heads before and after it, bits per token, and tables of scores."""

import matplotlib.pyplot as plt
import numpy as np

from ..show.colours import LINES, WEIGHTS
from .draw import axes_or_new, open_frame, write_beside
from .heads import as_heads
from .learning import plot_head as plot_head
from .learning import plot_losses as plot_losses
from .weights import draw_values
from .words import describe, describe_line, format_number


def plot_head_rows(rows, tokens):
    """Draw {name: weights (H, T, T)}, one row per name, on one colour scale; returns the Axes (rows, H)."""
    heads = {name: as_heads(weights) for name, weights in rows.items()}
    H, side = max(map(len, heads.values())), 2.7 if len(tokens) <= 18 else 4.2
    size = (side * H + 0.5, (side + 0.2) * len(rows) + 0.3)
    axes = plt.subplots(len(rows), H, figsize=size, layout="constrained", squeeze=False)[1]
    for count, (row, (name, tables)) in enumerate(zip(axes, heads.items(), strict=True), 1):
        for h, (ax, table) in enumerate(zip(row, tables, strict=True)):
            plot_head(table, tokens, ax=ax).set_title(f"{name}, head {h}", fontsize=10)
            if h:
                ax.set(ylabel="", yticks=[])
            if count < len(rows):
                ax.set(xlabel="", xticks=[])
    return axes


def plot_by_context(curves, levels, *, ax=None):
    """Draw {name: {tokens of context: bits per token}} as curves, and {name: bits per token} as lines."""
    ax = axes_or_new(ax, 4.3, 3)
    sentences = []
    for count, (name, bits) in enumerate(curves.items()):
        lengths, values, ink = list(bits), list(bits.values()), LINES[count % len(LINES)]
        ax.plot(lengths, values, "o-", color=ink)
        write_beside(ax, (lengths[-1], values[-1]), name, (0, -8), ha="right", va="top", color=ink)
        sentences.append(describe_line(name, lengths, values))
    for name, level in levels.items():
        ax.axhline(level, color=LINES[1], linestyle="--", linewidth=1)
        write_beside(ax, (lengths[-1], level), name, (0, 3), ha="right", color=LINES[1])
        sentences.append(f"{name} {format_number(level)}")
    ax.set_xscale("log", base=2)
    ax.set_xticks(lengths, lengths)
    ax.margins(y=0.14)
    ax.set(xlabel="tokens of context", ylabel="bits per token")
    open_frame(ax)
    return describe(ax, f"bits per token by context, {'; '.join(sentences)}")


def plot_table(table, *, ax=None):
    """Draw {row: {column: number from 0 to 1}} as a table, or as bars if there is only one column."""
    rows, columns = list(table), list(next(iter(table.values())))
    values = np.array([[float(table[row][column]) for column in columns] for row in rows])
    sentences = [
        f"{row}: {', '.join(f'{column} {format_number(table[row][column])}' for column in columns)}"
        for row in rows
    ]
    if len(columns) == 1:
        ax = axes_or_new(ax, 4.3, 0.9 + 0.36 * len(rows))
        bars = ax.barh(range(len(rows)), values[:, 0], height=0.66, color=LINES[0])
        ax.bar_label(bars, [format_number(value) for value in values[:, 0]], fontsize=9, padding=3)
        ax.set_yticks(range(len(rows)), rows, fontsize=9)
        ax.set(xlabel=columns[0], xlim=(0, 1.12), xticks=[0, 0.5, 1], ylim=(len(rows) - 0.4, -0.6))
        open_frame(ax)
        return describe(ax, "; ".join(sentences))
    widest = max(map(len, columns))  # letters
    ax = axes_or_new(ax, 1.2 + (0.12 + 0.07 * widest) * len(columns), 0.9 + 0.45 * len(rows))
    draw_values(values, WEIGHTS, 0, 1, ax)
    ax.set_aspect("auto")
    ax.set_xticks(range(len(columns)), columns, fontsize=9)
    ax.set_yticks(range(len(rows)), rows, fontsize=9)
    ax.set(xlabel="", ylabel="")
    ax.xaxis.tick_top()
    return describe(ax, "; ".join(sentences))
