"""The plot of all heads: each head's weights are a tile of one image, on one colour scale."""

import math

import matplotlib.pyplot as plt
import numpy as np

from ..show.colours import MASKED, WEIGHTS
from .draw import as_array, axes_or_new, draw_box, write
from .masks import hatch
from .words import describe, describe_table

LABEL_UP_TO = 12  # longer sequences get no token labels


def plot_heads(weights, tokens=None, *, batch=0, ax=None):
    """Draw every head of one example as a tile, in one image with a shared scale from 0 (white) to 1 (dark).

    weights: (H, T_q, T_k), (T_q, T_k), or (B, H, T_q, T_k), of which example `batch` is drawn; rows are
        queries, columns are keys. NaN cells, and those that `masked_cells` finds, are drawn as masked.
    tokens: T_k labels. When there are fewer queries than keys, the queries are the last tokens.
    """
    heads = as_heads(weights, batch)  # (H, T_q, T_k)
    masked = np.isnan(heads) | masked_cells(heads)  # (H, T_q, T_k)
    H, T_q, T_k = heads.shape
    gap = max(1, round(0.14 * max(T_q, T_k)))
    columns = math.ceil(math.sqrt(H))
    corners = [(h // columns * (T_q + gap), h % columns * (T_k + gap)) for h in range(H)]
    canvas = np.full((corners[-1][0] + T_q, min(H, columns) * (T_k + gap) - gap), -1.0)
    hidden = np.zeros(canvas.shape, bool)
    for head, closed_here, (top, left) in zip(heads, masked, corners, strict=True):
        canvas[top : top + T_q, left : left + T_k] = head
        hidden[top : top + T_q, left : left + T_k] = closed_here

    scale = min(3.5, 10 / columns, 1.6 if H > 1 else 9) / max(T_q, T_k)  # inches per key
    height, width = canvas.shape
    ax = axes_or_new(ax, 1.6 + scale * width, 1 + scale * (height + gap))
    colours = plt.get_cmap(WEIGHTS).with_extremes(bad=MASKED, under=(0, 0, 0, 0))  # transparent gaps
    ax.imshow(np.ma.array(canvas, mask=hidden), cmap=colours, vmin=0, vmax=1, interpolation="none")
    hatch(ax, hidden)
    ax.set(xlabel="key", ylabel="query", xlim=(-0.6, width - 0.4), ylim=(height - 0.4, -gap - 0.5))
    legend = "white 0, dark 1, hatched masked" if hidden.any() else "white 0, dark 1"
    ax.set_title(f"weights of one example:\n{legend}", fontsize=10)
    ax.spines[:].set_visible(False)
    for h, (top, left) in enumerate(corners):
        draw_box(ax, left - 0.5, top - 0.5, T_k, T_q, fill="none", edgecolor="#888888", linewidth=0.6)
        write(ax, left + T_k / 2 - 0.5, top - 0.5 - gap / 2, f"head {h}")
    label_positions(ax, corners, token_labels(tokens, T_k), T_q, T_k)
    tables = [describe_table(head, masked[h], "query", "key") for h, head in enumerate(heads)]
    return describe(ax, ". ".join(f"Head {h}: {table}" for h, table in enumerate(tables)))


def masked_cells(heads):
    """Find the masked cells (T_q, T_k): the future, and columns of padding, where every head gives 0.

    A softmax gives every open key more than 0, so zeros mean masked. If no row has two positive weights, as
    in tables made by hand, no column counts as padding.
    """
    _, T_q, T_k = heads.shape
    nothing = (heads == 0).all(axis=0)  # (T_q, T_k)
    future = np.triu(np.ones((T_q, T_k), bool), T_k - T_q + 1)
    padding = nothing.all(axis=0) & ((heads > 0).sum(axis=-1) > 1).any()  # (T_k,)
    return (future & nothing[future].all()) | padding


def as_heads(weights, batch=0):
    """Return one example's weights as a NumPy array (H, T_q, T_k)."""
    heads = as_array(weights).astype(float)
    if heads.ndim not in (2, 3, 4) or 0 in heads.shape:
        raise ValueError(
            f"weights are (B, H, T_q, T_k), (H, T_q, T_k) or (T_q, T_k); got shape {heads.shape}."
        )
    if heads.ndim == 4 and not -len(heads) <= batch < len(heads):
        raise ValueError(f"there is no example batch={batch} in weights of shape {heads.shape}.")
    return heads[batch] if heads.ndim == 4 else heads.reshape(-1, *heads.shape[-2:])


def token_labels(tokens, T_k):
    """Return T_k labels, with positions so that repeated tokens differ; None if there are too many."""
    if tokens is not None and len(tokens) != T_k:
        raise ValueError(f"{len(tokens)} tokens for {T_k} keys: give one label for each key.")
    if T_k > LABEL_UP_TO:
        return None
    return [str(j) if tokens is None else f"{tokens[j]} {j}" for j in range(T_k)]


def label_positions(ax, corners, labels, T_q, T_k):
    """Label the rows of the leftmost tiles and the columns of the lowest tiles."""
    if labels is None:
        ax.set(xticks=[], yticks=[])
        return
    tops, lefts = (sorted(set(starts)) for starts in zip(*corners, strict=True))
    turn = 90 if max(map(len, labels)) > 2 else 0
    places = [left + j for left in lefts for j in range(T_k)]
    ax.set_xticks(places, labels * len(lefts), fontsize=8, rotation=turn)
    ax.set_yticks([top + i for top in tops for i in range(T_q)], labels[-T_q:] * len(tops), fontsize=8)
    ax.tick_params(length=0)
