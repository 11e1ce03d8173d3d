"""Plots of a growing KV cache, and of the kv heads that query heads share."""

from ..show.colours import COMPUTED, HEADS, INK, OLD
from .draw import axes_or_new, draw_box, row_of_axes, tint, without_frame
from .words import describe


def plot_cache_step(chunks, step, tokens=None, *, ax=None):
    """Draw one step: queries, keys and values that it computes are dark, cached keys and values are light.
    Lines lead from the last new query to every key that it reads.

    chunks: the number of new tokens in each step, such as [3, 1, 1]. step: the index of the step to draw.
    """
    cached, new, T = sum(chunks[:step]), chunks[step], sum(chunks)
    ax = axes_or_new(ax, 1.6 + 0.55 * T, 2.7)
    rows = {"Q": 0, "K": 1.6, "V": 2.6}  # space below the queries for the lines
    for name, row in rows.items():
        for j in range(T):
            is_new, is_old = cached <= j < cached + new, j < cached and name != "Q"
            place, word = (j + 0.06, row + 0.08, 0.88, 0.84), f"{name.lower()}{j}"
            if is_new or is_old:
                fill, ink = (COMPUTED, "white") if is_new else (OLD, INK)
                draw_box(ax, *place, word, fill=fill, ink=ink, edgecolor="#999999")
            else:
                draw_box(ax, *place, fill="none", edgecolor="#99999966")
    last = cached + new - 1
    for j in range(last + 1):  # the last query reads every key so far
        ax.plot([last + 0.5, j + 0.5], [0.92, 1.58], color="black", linewidth=0.8, alpha=0.6)
        ax.plot(j + 0.5, 1.62, marker="v", color="black", markersize=4, alpha=0.8)
    ax.set(xlim=(0, T), ylim=(3.6, 0))
    labels = [f"{word}\n{j}" for j, word in enumerate(tokens or [""] * T)]
    ax.set_xticks([j + 0.5 for j in range(T)], labels, fontsize=8)
    ax.set_yticks([row + 0.5 for row in rows.values()], list(rows))
    ax.set_title(f"step {step}: {new} new, {cached} cached", fontsize=10)
    without_frame(ax)
    names = [f"{word} {j}".strip() for j, word in enumerate(tokens or [""] * T)]
    text = f"Q, K and V of {', '.join(names[cached : cached + new])} are computed"
    if cached:
        text += f"; K and V of {', '.join(names[:cached])} come from the cache"
    return describe(ax, f"{text}; the query of {names[last]} reads every key so far")


def plot_cache_growth(chunks, tokens=None):
    """Draw all steps with `plot_cache_step`, side by side; returns the Axes."""
    axes = row_of_axes(len(chunks), 0.8 + 0.42 * sum(chunks), 2.6)
    for step, ax in enumerate(axes):
        plot_cache_step(chunks, step, tokens, ax=ax)
    return axes


def plot_kv_groups(reads, num_kv_heads, *, ax=None):
    """Draw which kv head each query head reads: query head h reads kv head reads[h]."""
    H = len(reads)
    ax = axes_or_new(ax, 1 + 0.55 * H, 2.4)
    colours = [HEADS[kv % len(HEADS)] for kv in range(num_kv_heads)]
    places = [(kv + 0.5) * H / num_kv_heads - 0.5 for kv in range(num_kv_heads)]
    for h, kv in enumerate(reads):
        ax.plot([h, places[kv]], [0.25, 0.75], color=colours[kv], linewidth=2)
        draw_box(ax, h - 0.38, -0.22, 0.76, 0.44, f"q{h}", fill=tint(colours[kv], 0.35))
    for kv, place in enumerate(places):
        draw_box(ax, place - 0.38, 0.78, 0.76, 0.44, f"kv{kv}", fill=colours[kv])
    ax.set(xlim=(-0.7, H - 0.3), ylim=(1.3, -0.3), xticks=[])
    ax.set_yticks([0, 1], ["query heads", "kv heads"])
    without_frame(ax)
    return describe(ax, "; ".join(f"query head {h} reads kv head {kv}" for h, kv in enumerate(reads)))
