"""Plots of a layer that learns: one head's weights with its tokens, and the losses of its training."""

import numpy as np
from matplotlib.patches import Rectangle

from ..show.colours import EMPHASIS, LINES, WEIGHTS
from .draw import axes_or_new, open_frame, write_beside
from .heads import as_heads
from .weights import draw_values
from .words import describe, describe_line, format_number


def plot_head(weights, tokens, *, query=None, ax=None):
    """Draw one causal head (T, T) with its tokens: white 0, dark 1, future masked; `query` is outlined."""
    (table,) = as_heads(weights)  # (T, T)
    T = len(table)
    side = min(5, 1.6 + 0.55 * T)
    ax = axes_or_new(ax, side + 0.2, side)
    draw_values(table, WEIGHTS, 0, 1, ax, np.triu(np.ones((T, T), bool), 1))
    size, step = 9 if T <= 12 else 8, 1 if T <= 18 else 4  # two-digit numbers need room
    words = [f"{token} {i}" for i, token in enumerate(tokens)]
    if T * max(map(len, tokens)) > 30:  # letters that fit below the table
        ax.set_xticks(range(T), words, fontsize=size, rotation=90)
    else:
        below = [f"{token}\n{j}" if j % step == 0 else f"{token}\n" for j, token in enumerate(tokens)]
        ax.set_xticks(range(T), below, fontsize=size)
    ax.set_yticks(range(T), words, fontsize=size)
    ax.set(xlabel="key", ylabel="query")
    bests = [(i, row[: i + 1].argmax()) for i, row in enumerate(np.nan_to_num(table, nan=-1))]
    sentences = [f"{words[i]} to {words[j]} {format_number(table[i, j])}" for i, j in bests]
    describe(ax, f"largest weight of each query: {'; '.join(sentences)}")
    if query is not None:
        ax.add_patch(Rectangle((-0.5, query - 0.5), T, 1, fill=False, edgecolor=EMPHASIS, linewidth=2.2))
        best = bests[query][1]
        ax.set_title(f"query {words[query]} gives {table[query, best]:.2f} to {words[best]}", fontsize=10)
    return ax


def plot_losses(losses, *, ax=None):
    """Draw {name: the loss of every step}, averaged over 10 steps."""
    ax = axes_or_new(ax, 4.3, 3)
    sentences = []
    for count, (name, values) in enumerate(losses.items()):
        ink = LINES[count % len(LINES)]
        means = np.mean(np.reshape(values[: len(values) // 10 * 10], (-1, 10)), axis=1)
        steps = np.arange(len(means)) * 10 + 5.0
        ax.plot(steps, means, color=ink)
        write_beside(ax, (steps[-1], means[-1]), name, (0, 6), ha="right", va="bottom", color=ink)
        sentences.append(describe_line(name, steps, means))
    ax.set(xlabel="step", ylabel="loss", ylim=(0, None))
    open_frame(ax)
    return describe(ax, f"loss by step, {'; '.join(sentences)}")
