"""Interactive attention of one query: drag it and its keys, or change d_head, and watch the weights."""

import matplotlib.pyplot as plt
import torch

from ..figures.entropy import plot_largest_weight
from ..show.colours import HATCH, LINES, MASKED
from .piece import Piece, still_of

WORDS = ["the", "cat", "sat"]
KEYS = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]  # the numbers of lesson 01's section "On paper"
VALUES = [[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]]
QUERIES = [[1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]
WIDEST = 512


def drag_query(token=0, masked=(), *, big=False):
    """Show a query and three keys as arrows in a plane; drag them, and click a score to mask it.

    token: whose query is shown first: 0, 1 or 2.
    masked: the indices of the keys that are masked at first.
    big: adds buttons that multiply the scores by 10 000, and that switch off subtracting the maximum.

    Returns a Piece.
    """
    data = {
        "mode": "drag",
        "words": WORDS,
        "keys": KEYS,
        "values": VALUES,
        "query": QUERIES[token],
        "masked": [key in masked for key in range(len(WORDS))],
        "big": big,
    }
    scores, weights, mixed = attend(token, masked)
    rows = "; ".join(
        f"{word}: score {score:.0f}, weight {weight:.2f}"
        if key not in masked
        else f"{word}: masked, weight 0"
        for key, (word, score, weight) in enumerate(zip(WORDS, scores, weights, strict=True))
    )
    words = f"a query and three keys as arrows. {rows}. The mixed value is [{mixed[0]:.2f}, {mixed[1]:.2f}]."
    return Piece("query.js", data, still_of(draw_still(token, masked)), words)


def drag_width():
    """Show how the weights of eight random keys change while d_head grows from 1 to 512, with and without
    dividing the scores by √d_head.

    Queries and keys have independent features of mean 0 and variance 1, drawn in the page from a seed; only
    the first d_head features are used. Returns a Piece.
    """
    words = (
        "the softmax of eight scores, q·k and q·k/√d_head, for random q and k of d_head features. As d_head "
        "grows, the weights of q·k move to one key; those of q·k/√d_head do not."
    )
    return Piece("query.js", {"mode": "width", "keys": 8, "widest": WIDEST}, still_of(draw_widths()), words)


def attend(token, masked):
    """Compute the scores (3,), the weights (3,) and the mixed value (2,) of one token's query."""
    scores = torch.tensor(KEYS) @ torch.tensor(QUERIES[token])
    hidden = torch.tensor([key in masked for key in range(len(WORDS))])
    weights = scores.masked_fill(hidden, -torch.inf).softmax(0)
    return scores.tolist(), weights.tolist(), (weights @ torch.tensor(VALUES)).tolist()


# ---- the still pictures


def draw_still(token, masked):
    """Draw the initial state, as arrows and a bar for each weight; returns the Figure."""
    scores, weights, mixed = attend(token, masked)
    figure, (plane, bars) = plt.subplots(
        1, 2, figsize=(7.2, 2.7), width_ratios=[1, 1.7], layout="constrained"
    )
    for k, (word, key) in enumerate(zip(WORDS, KEYS, strict=True)):
        plane.annotate("", key, (0, 0), arrowprops={"arrowstyle": "-|>", "color": LINES[k], "lw": 2.4})
        plane.text(key[0] + 0.06, key[1] + 0.06, f"key {word}", color=LINES[k])
    query = QUERIES[token]
    plane.annotate("", query, (0, 0), arrowprops={"arrowstyle": "-|>", "color": "black", "lw": 2, "ls": "--"})
    plane.text(query[0] + 0.06, query[1] - 0.22, "query", weight="bold")
    plane.set(xlim=(-0.4, 1.9), ylim=(-0.4, 1.5), xticks=[0, 1], yticks=[0, 1])
    plane.set_aspect("equal")
    plane.grid(alpha=0.3)
    for k, word in enumerate(WORDS):
        if k in masked:
            bars.barh(k, 1, color=MASKED, edgecolor=HATCH, hatch="///", height=0.55)
        else:
            bars.barh(k, weights[k], color=LINES[k], height=0.55)
        text = "masked" if k in masked else f"score {scores[k]:.0f}, weight {weights[k]:.2f}"
        bars.text((1 if k in masked else weights[k]) + 0.02, k, text, va="center")
        bars.text(-0.02, k, word, va="center", ha="right", color=LINES[k])
    bars.set(xlim=(-0.15, 1.5), ylim=(2.6, -0.6), title=f"mixed value: [{mixed[0]:.2f}, {mixed[1]:.2f}]")
    bars.axis("off")
    return figure


def draw_widths(draws=300):
    """Draw the mean of the largest of eight weights against d_head, unscaled and scaled; returns a Figure."""
    generator = torch.Generator().manual_seed(0)
    widths = [2**n for n in range(10)]
    q = torch.randn(draws, 1, WIDEST, generator=generator)
    k = torch.randn(draws, 8, WIDEST, generator=generator)
    largest = [
        [((q * k)[..., :d].sum(-1) / d**power).softmax(-1).amax(-1).mean().item() for d in widths]
        for power in (0, 0.5)
    ]
    return plot_largest_weight(widths, *largest).figure
