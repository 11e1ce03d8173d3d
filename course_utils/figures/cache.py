"""Pictures of a growing cache, and of the query heads that share one."""

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from ..show.colours import COMPUTED, HEADS, INK, OLD
from .split import tint
from .words import say


def plot_cache_step(chunks, step, tokens=None, *, ax=None):
    """Draw what one step computes and keeps: queries, keys and values of new tokens dark, cached ones light;
    lines lead from the last new query to the keys that it meets.

    chunks: how many tokens each step brings, such as [3, 1, 1]; step counts from 0.
    """
    cached, new, T = sum(chunks[:step]), chunks[step], sum(chunks)
    ax = ax or plt.subplots(figsize=(1.6 + 0.55 * T, 2.7), layout="constrained")[1]
    rows = {"Q": 0, "K": 1.6, "V": 2.6}  # below the queries there is room for lines
    for name, row in rows.items():
        for j in range(T):
            is_new, is_old = cached <= j < cached + new, j < cached and name != "Q"
            fill, edge = (
                (COMPUTED if is_new else OLD, "#999999") if is_new or is_old else ("none", "#99999966")
            )
            ax.add_patch(Rectangle((j + 0.06, row + 0.08), 0.88, 0.84, facecolor=fill, edgecolor=edge))
            if is_new or is_old:
                ax.text(
                    j + 0.5,
                    row + 0.5,
                    f"{name.lower()}{j}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    color="white" if is_new else INK,
                )
    last = cached + new - 1
    for j in range(last + 1):  # the last query meets every key so far
        ax.plot([last + 0.5, j + 0.5], [0.92, 1.58], color="black", linewidth=0.8, alpha=0.6)
        ax.plot(j + 0.5, 1.62, marker="v", color="black", markersize=4, alpha=0.8)
    ax.set(xlim=(0, T), ylim=(3.6, 0))
    labels = [f"{word}\n{j}" for j, word in enumerate(tokens or [""] * T)]
    ax.set_xticks([j + 0.5 for j in range(T)], labels, fontsize=8)
    ax.set_yticks([row + 0.5 for row in rows.values()], list(rows))
    ax.set_title(f"step {step}: {new} new, {cached} cached", fontsize=10)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    names = [f"{word} {j}".strip() for j, word in enumerate(tokens or [""] * T)]
    text = f"Q, K and V of {', '.join(names[cached : cached + new])} are computed"
    if cached:
        text += f"; K and V of {', '.join(names[:cached])} come from the cache"
    return say(ax, f"{text}; the query of {names[last]} meets every key so far")


def plot_cache_growth(chunks, tokens=None, *, axes=None):
    """Draw every step of `plot_cache_step` in a strip; returns the Axes."""
    if axes is None:
        size = (len(chunks) * (0.8 + 0.42 * sum(chunks)), 2.6)
        axes = plt.subplots(1, len(chunks), figsize=size, layout="constrained", squeeze=False)[1][0]
    for step, ax in enumerate(axes):
        plot_cache_step(chunks, step, tokens, ax=ax)
    return axes


def plot_kv_groups(reads, num_kv_heads, *, ax=None):
    """Draw which kv head each query head reads: reads[h] is the number of the kv head of query head h."""
    H = len(reads)
    ax = ax or plt.subplots(figsize=(1 + 0.75 * H, 2.6), layout="constrained")[1]
    colours = [HEADS[kv % len(HEADS)] for kv in range(num_kv_heads)]
    places = [(kv + 0.5) * H / num_kv_heads - 0.5 for kv in range(num_kv_heads)]
    for h, kv in enumerate(reads):
        ax.plot([h, places[kv]], [0.25, 0.75], color=colours[kv], linewidth=2)
        box(ax, h, 0, f"q{h}", tint(colours[kv], 0.35))
    for kv, place in enumerate(places):
        box(ax, place, 1, f"kv{kv}", colours[kv])
    ax.set(xlim=(-0.7, H - 0.3), ylim=(1.3, -0.3), xticks=[])
    ax.set_yticks([0, 1], ["query heads", "kv heads"])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return say(ax, "; ".join(f"query head {h} reads kv head {kv}" for h, kv in enumerate(reads)))


def box(ax, x, y, word, colour):
    """A head, drawn as a named rectangle around (x, y)."""
    ax.add_patch(Rectangle((x - 0.38, y - 0.22), 0.76, 0.44, facecolor=colour, edgecolor="#777777"))
    ax.text(x, y, word, ha="center", va="center", fontsize=9, color=INK)
