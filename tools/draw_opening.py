"""Draw the opening picture of lesson 00 from the model's own numbers: `python -m tools.draw_opening`.

The picture has no background, and its colours can be read on white and on black.
"""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch

from course_utils import standins, world
from course_utils.show.colours import LINES

PICTURE = Path(__file__).resolve().parents[1] / "solutions" / "00_start_here" / "guess.png"
SENTENCE = "the small dog slept near the cat and"
INK, BLUE, GREEN = "#808080", "#2E86C8", LINES[1]


def guess():
    """Return the words, the weights (T,) of the last one, and the likeliest next word."""
    model = world.load("who")
    words = model.words(SENTENCE)
    x = model.vectors(words)  # (T, D)
    story = standins.trace_causal_attention(x[None], *model.matrices(), num_heads=model.num_heads)
    logits = model.readout(x + story["output"][0])  # (T, V)
    (word,) = model.likeliest(logits[-1], 1)
    return words, story["weights"][0, 0, -1].tolist(), word


def main():
    """Write solutions/00_start_here/guess.png."""
    words, weights, word = guess()
    figure, ax = plt.subplots(figsize=(7.2, 2.2))
    ax.set(xlim=(0, 7.2), ylim=(0, 2.2))
    ax.axis("off")
    look: dict[str, Any] = {"fontsize": 19, "family": "DejaVu Sans", "va": "center", "ha": "left"}
    x, y, middles = 0.05, 0.95, []
    for text, weight in zip([*words, "____"], [*weights, 0], strict=True):
        color = BLUE if weight > 0.5 else INK
        drawn = ax.text(x, y, text, color=color, weight="bold" if weight > 0.5 else "normal", **look)
        box = drawn.get_window_extent().transformed(ax.transData.inverted())
        middles.append((box.x0 + box.x1) / 2)
        x = box.x1 + 0.12
    for middle, weight in zip(middles, weights, strict=False):
        if weight > 0.01:
            curve = {"connectionstyle": "arc3,rad=0.28", "arrowstyle": "-|>", "mutation_scale": 18}
            start, end = (middles[len(words) - 1], y + 0.22), (middle, y + 0.22)
            ax.add_patch(FancyArrowPatch(start, end, color=BLUE, linewidth=1 + 3 * weight, **curve))
            label = f"looked here: {weight:.2f}"
            ax.text(
                (start[0] + end[0]) / 2, y + 1.1, label, color=BLUE, fontsize=13, ha="center", va="center"
            )
    look["ha"] = "right"
    ax.text(x - 0.12, y - 0.5, f"guess: {word}", color=GREEN, weight="bold", **look)
    figure.savefig(PICTURE, transparent=True, dpi=100, bbox_inches="tight", pad_inches=0.04)
    print(f"{PICTURE.name}  {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
