"""A picture of a paged cache: blocks of memory, and the texts whose tables name them."""

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from ..show.colours import HEADS, INK
from .split import tint
from .words import say


def plot_pages(tables, num_blocks, *, ax=None):
    """Draw the blocks of a memory in a row, and above them each text's table, joined to its blocks.

    tables: {text: [the number of each of its blocks, in order]}; a block of several texts is shared.
    """
    ax = ax or plt.subplots(figsize=(1.4 + 0.75 * num_blocks, 2.9), layout="constrained")[1]
    owners = {block: [name for name in tables if block in tables[name]] for block in range(num_blocks)}
    width = sum(map(len, tables.values())) + len(tables) - 1
    left = (num_blocks - width) / 2
    for number, (name, blocks) in enumerate(tables.items()):
        colour = HEADS[number % len(HEADS)]
        for place, block in enumerate(blocks):
            middle = left + place + 0.5
            ax.plot([middle, block + 0.5], [0.8, 2], color=colour, linewidth=2)
            box(ax, left + place, 0, str(block), tint(colour, 0.35))
        ax.text(left + len(blocks) / 2, -0.15, name, ha="center", va="bottom", fontsize=10)
        left += len(blocks) + 1
    for block, names in owners.items():
        fill = "none" if not names else tint(HEADS[list(tables).index(names[0])], 0.35)
        box(ax, block, 2, f"block\n{block}", fill, dashed=not names)
        below = "shared" if len(names) > 1 else "free" if not names else ""
        ax.text(block + 0.5, 3.05, below, ha="center", va="top", fontsize=9)
    ax.set(xlim=(min(0, (num_blocks - width) / 2), max(num_blocks, width)), ylim=(3.4, -0.7), xticks=[])
    ax.set_yticks([0.4, 2.4], ["tables", "memory"])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    sentences = [
        f"{name} is in blocks {', '.join(map(str, blocks)) or 'none'}" for name, blocks in tables.items()
    ]
    kinds = {"shared": [b for b, names in owners.items() if len(names) > 1]}
    kinds["free"] = [b for b, names in owners.items() if not names]
    sentences += [f"{kind}: {', '.join(map(str, blocks))}" for kind, blocks in kinds.items() if blocks]
    return say(ax, f"{num_blocks} blocks of memory; {'; '.join(sentences)}")


def box(ax, x, y, word, fill, dashed=False):
    """A block, drawn as a named square whose upper left corner is (x, y)."""
    ink = "black" if fill == "none" else INK  # what is black takes the theme's colour
    style = {"linestyle": "--"} if dashed else {}
    ax.add_patch(Rectangle((x + 0.05, y), 0.9, 0.8, facecolor=fill, edgecolor="#777777", **style))
    ax.text(x + 0.5, y + 0.4, word, ha="center", va="center", fontsize=9, color=ink)
