"""Interactive online softmax: blocks of keys are read, and three numbers are carried along."""

import math

from ..figures.draw import row_of_axes
from ..show.colours import COMPUTED, OLD
from .piece import Piece, still_of

SCORES = {
    "1, 3, 2, 5": [1, 3, 2, 5],
    "the largest first": [5, 3, 2, 1],
    "far from 0": [1001, 1003, 1002, 1005],
}
VALUES = [10, 20, 30, 40]


def read_blocks(block=2):
    """Show the online softmax of one query over four keys, block by block.

    block: how many keys are read at a time at first.

    Returns a Piece.
    """
    first = next(iter(SCORES.values()))
    data = {"scores": SCORES, "values": VALUES, "block": block, "old": OLD, "computed": COMPUTED}
    sentences = [
        f"After block {number}: m = {m}, l = {l:.3f}, o = {o:.3f}"
        for number, (m, l, o) in enumerate(carried(first, block), 1)
    ]
    _, l, o = carried(first, block)[-1]
    words = (
        f"scores {', '.join(map(str, first))} and values {', '.join(map(str, VALUES))}, read in blocks of "
        f"{block}. {'. '.join(sentences)}. The output is o / l = {o / l:.2f}."
    )
    return Piece("online.js", data, still_of(draw_still(first, block)), words)


def carried(scores, block):
    """Return (m, l, o) after each block of keys."""
    m, l, o, states = -math.inf, 0.0, 0.0, []
    for start in range(0, len(scores), block):
        new = [*zip(scores, VALUES, strict=True)][start : start + block]
        old_m, m = m, max(m, *(score for score, _ in new))
        factor = math.exp(old_m - m)
        l = l * factor + sum(math.exp(score - m) for score, _ in new)
        o = o * factor + sum(math.exp(score - m) * value for score, value in new)
        states.append((m, l, o))
    return states


def draw_still(scores, block):
    """Draw, after each block, the exponential of each key read so far; returns the Figure."""
    states = carried(scores, block)
    axes = row_of_axes(len(states), 3.4, 2.5)
    for number, ((m, l, o), ax) in enumerate(zip(states, axes, strict=True)):
        end = min(len(scores), (number + 1) * block)
        shares = [math.exp(score - m) for score in scores[:end]]
        colours = [COMPUTED if key >= number * block else OLD for key in range(end)]
        ax.bar(range(end), shares, color=colours, edgecolor="#777777")
        for key, share in enumerate(shares):
            ax.text(key, share + 0.03, f"{share:.3f}", ha="center")
        ax.set(xlim=(-0.6, len(scores) - 0.4), ylim=(0, 1.2), yticks=[], xlabel=f"exp(score − {m})")
        ax.set_xticks(range(end), [f"score {score}" for score in scores[:end]], fontsize=8)
        ax.set_title(f"block {number + 1}: l = {l:.3f}, o = {o:.3f}, o / l = {o / l:.2f}", fontsize=9)
        ax.spines[["top", "right", "left"]].set_visible(False)
    return axes[0].figure
