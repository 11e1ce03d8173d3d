"""Pictures of the whole story: its stages for one head, its shapes, and what its parameters cost."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyBboxPatch

from .masks import as_table
from .split import HEAD_COLOURS, tint
from .weights import draw_values, plot_weights

TOKENS, HEADS, TABLES = (tint(colour, 0.45) for colour in HEAD_COLOURS[:3])
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


def plot_stages(trace, *, batch=0, head=0, axes=None):
    """Draw one head's stages of `trace`, from Q and K to the head's output; returns the seven Axes.

    trace: a dict with Q, K, V, scores, masked_scores, weights and heads, each (B, H, T, ...).
    """
    names = ["Q", "K", "scores", "masked_scores", "weights", "V", "heads"]
    tables = {name: as_table(trace[name][batch, head], name).astype(float) for name in names}
    if axes is None:
        spaces = {"left": 0.05, "right": 0.98, "top": 0.9, "bottom": 0.09, "wspace": 0.45, "hspace": 0.42}
        figure, grid = plt.subplots(2, 4, figsize=(12, 6), gridspec_kw=spaces)
        grid[1, 3].remove()
        axes = grid.ravel()[:7]
        figure.suptitle(f"head {head} of example {batch}", fontsize=11)
    axes = dict(zip(names, axes, strict=True))
    for name, rows in (("Q", "query"), ("K", "key"), ("V", "key"), ("heads", "query")):
        limit = np.abs(tables["V" if name == "heads" else name]).max() or 1  # outputs are mixed values
        draw_values(tables[name], "PuOr_r", -limit, limit, axes[name])
        axes[name].set(xlabel="feature", ylabel=f"{rows} position")
    hidden = tables["masked_scores"] <= -1e4  # a finite fill is as good as -inf, and has no colour either
    limit = np.abs(tables["scores"]).max() or 1
    draw_values(tables["scores"], "RdBu_r", -limit, limit, axes["scores"])
    draw_values(np.where(hidden, -np.inf, tables["scores"]), "RdBu_r", -limit, limit, axes["masked_scores"])
    plot_weights(tables["weights"], mask=hidden, ax=axes["weights"])
    titles = ["Q", "K", "scores", "masked scores", "weights", "V", "output of the head"]
    for number, (name, title) in enumerate(zip(names, titles, strict=True), 1):
        axes[name].set_title(f"{number}. {title} {tables[name].shape}", fontsize=10)
    return list(axes.values())


def plot_story(B, T, H, d_head, *, ax=None):
    """Draw the way from X to Y: every tensor with its shape, and the step that leads to it."""
    ax = ax or plt.subplots(figsize=(9.5, 8), layout="constrained")[1]
    D = H * d_head
    tokens = (TOKENS, f"(B, T, d_model) = {(B, T, D)}")
    heads = (HEADS, f"(B, H, T, d_head) = {(B, H, T, d_head)}")
    tables = (TABLES, f"(B, H, T, T) = {(B, H, T, T)}")
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
    links = [
        (0, 1, 1, 0),
        (0, 1, 1, 1),
        (0, 1, 1, 2),
        (1, 0, 2, 0),
        (1, 1, 2, 1),
        (1, 2, 2, 2),
        (2, 0, 3, 0.5),
        (2, 1, 3, 0.5),
        (3, 0.5, 4, 0.5),
        (4, 0.5, 5, 0.5),
        (5, 0.5, 6, 1.25),
        (2, 2, 6, 1.25),
        (6, 1.25, 7, 1.25),
        (7, 1.25, 8, 1.25),
    ]
    for row, x, below, x_below in links:
        ax.annotate(
            "",
            (x_below, below - 0.34),
            (x, row + 0.34),
            arrowprops={"arrowstyle": "-|>", "color": "#555555", "shrinkA": 0, "shrinkB": 0},
        )
    for row, boxes in enumerate(rows):
        ax.text(-1.45, row - 0.5, STEPS[row], va="center", fontsize=10, style="italic")
        for name, x, (colour, shape) in boxes:
            ax.add_patch(
                FancyBboxPatch(
                    (x - 0.43, row - 0.3),
                    0.86,
                    0.6,
                    boxstyle="round,pad=0.02",
                    facecolor=colour,
                    edgecolor="#555555",
                )
            )
            symbols, sizes = shape.split(" = ")
            ax.text(x, row, f"{name}\n{symbols}\n{sizes}", ha="center", va="center", fontsize=9)
    ax.set(xlim=(-1.5, 2.5), ylim=(8.4, -0.4))
    ax.axis("off")
    return ax


def plot_parameters(counts, d_model, *, ax=None):
    """Draw the number of parameters for several numbers of heads, {H: count}, against 4 d_model squared."""
    ax = ax or plt.subplots(figsize=(8, 3.4), layout="constrained")[1]
    bars = ax.bar(range(len(counts)), list(counts.values()), width=0.6, color=HEAD_COLOURS[0])
    ax.bar_label(bars, fontsize=9, padding=2)
    ax.hlines(4 * d_model**2, -0.6, len(counts) - 0.4, color="black", linestyle="--", linewidth=1)
    ax.text(len(counts) - 0.35, 4 * d_model**2, "4 d_model²", va="center", fontsize=9)
    ax.set_xticks(range(len(counts)), [f"H = {H}\nd_head = {d_model // H}" for H in counts], fontsize=8.5)
    ax.set(ylabel="parameters", ylim=(0, 4.6 * d_model**2), xlim=(-0.6, len(counts) + 0.5))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def plot_contributions(parts, *, ax=None):
    """Draw what each head adds to one token's output: parts (H, d_model), stacked, and their sum in black."""
    parts = as_table(parts, "parts").astype(float)
    H, D = parts.shape
    ax = ax or plt.subplots(figsize=(8, 3.4), layout="constrained")[1]
    above, below = np.zeros(D), np.zeros(D)
    for h, part in enumerate(parts):
        ax.bar(
            range(D),
            part,
            bottom=np.where(part >= 0, above, below),
            width=0.8,
            edgecolor="white",
            color=HEAD_COLOURS[h % len(HEAD_COLOURS)],
            label=f"head {h}",
        )
        above, below = above + part.clip(min=0), below + part.clip(max=0)
    lefts = np.arange(D) - 0.45
    ax.hlines(parts.sum(0), lefts, lefts + 0.9, color="black", linewidth=2.5, label="sum")
    ax.axhline(0, color="#555555", linewidth=0.8)
    ax.use_sticky_edges = False  # so that a sum at the very top is not cut off
    ax.margins(y=0.08)
    ax.set_xticks(range(D))
    ax.set(xlabel="feature of the output", ylabel="added by the head")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
