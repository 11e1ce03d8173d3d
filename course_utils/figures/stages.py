"""Plots of multi-head attention as a whole: one head's stages, all shapes, and what each head adds."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyBboxPatch
from matplotlib.patheffects import AbstractPathEffect, withStroke

from ..show.colours import HEADS, INK, OPEN, SIGNED
from .draw import axes_or_new, open_frame, tint, without_frame, write
from .masks import as_table
from .weights import draw_values, plot_weights
from .words import describe, describe_table, format_number

TOKEN, HEAD, TABLE = (tint(colour, 0.45) for colour in HEADS[:3])
STEPS = [
    "",
    "project",
    "split into heads",
    "compare, and scale",
    "mask the future",
    "softmax over the keys",
    "mix the values",
    "merge the heads",
    "project once more",
]
READ_OUT = "add X, and read out\nthe next word"


def plot_stages(trace, *, head=0):
    """Draw the stages of one head, from Q and K to the head's output; returns the seven Axes.

    trace: a dict with Q, K, V, scores, masked_scores, weights and heads, each (B, H, T, ...).
    """
    names = ["Q", "K", "scores", "masked_scores", "weights", "V", "heads"]
    tables = {name: as_table(trace[name][0, head], name).astype(float) for name in names}
    spaces = {"left": 0.09, "right": 0.98, "top": 0.92, "bottom": 0.06, "wspace": 0.4, "hspace": 0.42}
    is_small = max(size for table in tables.values() for size in table.shape) <= 4  # fits on a phone
    shape, size = ((4, 2), (5.2, 9.6)) if is_small else ((3, 3), (9, 8.6))
    figure, grid = plt.subplots(*shape, figsize=size, gridspec_kw=spaces)
    for ax in grid.ravel()[7:]:
        ax.remove()
    figure.suptitle(f"head {head} of example 0", fontsize=11)
    axes = dict(zip(names, grid.ravel()[:7], strict=True))
    for name, rows in (("Q", "query"), ("K", "key"), ("V", "key"), ("heads", "query")):
        limit = np.abs(tables["V" if name == "heads" else name]).max() or 1  # outputs are mixtures of V
        draw_values(tables[name], SIGNED, -limit, limit, axes[name])
        axes[name].set(xlabel="feature", ylabel=f"{rows} position")
        describe(axes[name], describe_table(tables[name], row="position", column="feature"))
    hidden = tables["masked_scores"] <= -1e4  # a finite fill counts as -inf, and gets no colour
    limit = np.abs(tables["scores"]).max() or 1
    draw_values(tables["scores"], SIGNED, -limit, limit, axes["scores"])
    draw_values(np.where(hidden, -np.inf, tables["scores"]), SIGNED, -limit, limit, axes["masked_scores"])
    plot_weights(tables["weights"], mask=hidden, ax=axes["weights"])
    titles = ["Q", "K", "scores", "masked scores", "weights", "V", "output of the head"]
    for place, (name, title) in enumerate(zip(names, titles, strict=True), 1):
        axes[name].set_title(f"{place}. {title} {tables[name].shape}", fontsize=10)
    return list(axes.values())


def plot_story(B, T, H, d_head, next_words=None, *, ax=None):
    """Draw the path from X to Y: every tensor with its shape, and the step that computes it.

    next_words: {sentence: the word after it}, drawn above X and below Y.
    """
    D, next_words = H * d_head, next_words or {}
    ax = axes_or_new(ax, 5.8, 8 + 1.4 * bool(next_words))
    tokens = (TOKEN, f"(B, T, d_model) = {(B, T, D)}")
    heads = (HEAD, f"(B, H, T, d_head) = {(B, H, T, d_head)}")
    tables = (TABLE, f"(B, H, T, T) = {(B, H, T, T)}")
    rows = [
        [("X", 1, tokens)],
        [(n, x, tokens) for x, n in enumerate("QKV")],
        [(n, x, heads) for x, n in enumerate("QKV")],
        [("scores", 0.5, tables)],
        [("masked scores", 0.5, tables)],
        [("weights", 0.5, tables)],
        [("heads", 1.25, heads)],
        [("merged", 1.25, tokens)],
        [("Y", 1.25, tokens)],
    ]
    links = [(0, 1, 1, x) for x in range(3)] + [(1, x, 2, x) for x in range(3)]  # (row, x) to (row, x)
    links += [(2, 0, 3, 0.5), (2, 1, 3, 0.5), (3, 0.5, 4, 0.5), (4, 0.5, 5, 0.5), (5, 0.5, 6, 1.25)]
    links += [(2, 2, 6, 1.25), (6, 1.25, 7, 1.25), (7, 1.25, 8, 1.25)]
    for link in links:
        draw_link(ax, *link)
    for row, boxes in enumerate(rows):
        ax.text(-1.35, row - 0.5, STEPS[row], va="center", fontsize=9, style="italic")
        for name, x, look in boxes:
            draw_tensor(ax, row, x, name, *look)
    if next_words:
        draw_link(ax, -1, 1, 0, 1)
        write(ax, 1, -1, "\n".join(next_words))
        draw_link(ax, 8, 1.25, 9, 1.25)
        ax.text(-1.35, 8.5, READ_OUT, va="center", fontsize=9, style="italic")
        write(ax, 1.25, 9, "\n".join(next_words.values()), fontweight="bold")
    ax.set(xlim=(-1.4, 2.5), ylim=(9.4, -1.3) if next_words else (8.4, -0.4))
    ax.axis("off")
    lines = [
        f"{step + ': ' if step else ''}{', '.join(name for name, *_ in boxes)} {boxes[0][2][1]}"
        for step, boxes in zip(STEPS, rows, strict=True)
    ]
    lines += [f"after “{sentence}”: {word}" for sentence, word in next_words.items()]
    return describe(ax, "; ".join(lines))


def draw_link(ax, row, x, row_below, x_below):
    """Draw an arrow from the lower edge of one box to the upper edge of another."""
    arrow = {"arrowstyle": "-|>", "color": "black", "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (x_below, row_below - 0.34), (x, row + 0.34), arrowprops=arrow)


def draw_tensor(ax, row, x, name, colour, shape):
    """Draw a box with the tensor's name, its axes and its sizes; shape: "(axes) = (sizes)"."""
    look = {"boxstyle": "round,pad=0.02", "facecolor": colour, "edgecolor": "#777777"}
    ax.add_patch(FancyBboxPatch((x - 0.43, row - 0.3), 0.86, 0.6, **look))
    symbols, sizes = shape.split(" = ")
    write(ax, x, row, f"{name}\n{symbols}\n{sizes}", color=INK)


def plot_parameters(counts, d_model, *, ax=None):
    """Draw {number of heads: number of parameters} as bars. Only lessons of earlier releases draw it."""
    ax = axes_or_new(ax, 5, 0.6 + 0.4 * len(counts))
    names = [f"H = {H}, d_head = {d_model // H}" for H in counts]
    ax.bar_label(ax.barh(names, list(counts.values()), color=HEADS[5]), padding=3)
    ax.set_title(f"parameters: 4 d_model² = {4 * d_model**2:,}, however many heads", fontsize=10)
    ax.set(xlim=(0, 1.2 * max(counts.values())), xticks=[])
    without_frame(ax)
    return describe(
        ax,
        "; ".join(f"{name}: {count} parameters" for name, count in zip(names, counts.values(), strict=True)),
    )


def plot_contributions(parts, names=None, *, ax=None):
    """Draw what each head adds to one token's output, parts (H, D), stacked, and the sum in black.

    names: the D things that are added to, such as words; by default, features of the output.
    """
    parts = as_table(parts, "parts").astype(float)
    H, D = parts.shape
    ax = axes_or_new(ax, 4.3, 3.8)
    above, below = np.zeros(D), np.zeros(D)
    for h, part in enumerate(parts):
        bottom, colour = np.where(part >= 0, above, below), HEADS[h % len(HEADS)]
        ax.bar(range(D), part, 0.8, bottom, edgecolor="white", color=colour, label=f"head {h}")
        above, below = above + part.clip(min=0), below + part.clip(max=0)
    lefts = np.arange(D) - 0.45
    rim: list[AbstractPathEffect] = [
        withStroke(linewidth=5, foreground=OPEN)
    ]  # so that the sum is visible on every bar and theme
    ax.hlines(parts.sum(0), lefts, lefts + 0.9, color=INK, linewidth=2.5, label="sum", path_effects=rim)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.use_sticky_edges = False  # so that a sum at the very top is not cut off
    ax.margins(y=0.08)
    ax.set_xticks(range(D))
    if names:
        ax.set_xticks(range(D), names, rotation=90)
    ax.set(xlabel="" if names else "feature of the output", ylabel="added by the head")
    sums = f"sum: {', '.join(map(format_number, parts.sum(0)))}"
    sentences = [f"head {h}: {', '.join(map(format_number, part))}" for h, part in enumerate(parts)]
    places = ", ".join(names) if names else f"features 0 to {D - 1}"
    describe(ax, f"added to {places}: {'; '.join([*sentences, sums])}")
    legend = ax.legend(
        loc="lower center", bbox_to_anchor=(0.5, 1), ncols=min(4, H + 1), frameon=False, fontsize=9
    )
    for handle in filter(None, legend.legend_handles):
        handle.set_path_effects(rim)
    open_frame(ax)
    return ax
