"""The plot of a paged cache: blocks of memory, and the block table of each text."""

from ..show.colours import HEADS
from .draw import axes_or_new, draw_box, tint, without_frame
from .words import describe


def plot_pages(tables, num_blocks, *, ax=None):
    """Draw the blocks of memory in a row and, above them, each text's block table, with lines to its blocks.

    tables: {text: [its block numbers, in order]}; a block in several tables is labelled "shared".
    """
    ax = axes_or_new(ax, 1.4 + 0.75 * num_blocks, 2.9)
    owners = {block: [name for name in tables if block in tables[name]] for block in range(num_blocks)}
    width = sum(map(len, tables.values())) + len(tables) - 1
    left = (num_blocks - width) / 2
    for number, (name, blocks) in enumerate(tables.items()):
        colour = HEADS[number % len(HEADS)]
        for place, block in enumerate(blocks):
            middle = left + place + 0.5
            ax.plot([middle, block + 0.5], [0.8, 2], color=colour, linewidth=2)
            draw_box(ax, left + place + 0.05, 0, 0.9, 0.8, str(block), fill=tint(colour, 0.35))
        ax.text(left + len(blocks) / 2, -0.15, name, ha="center", va="bottom", fontsize=10)
        left += len(blocks) + 1
    for block, names in owners.items():
        place, word = (block + 0.05, 2, 0.9, 0.8), f"block\n{block}"
        if names:
            draw_box(ax, *place, word, fill=tint(HEADS[list(tables).index(names[0])], 0.35))
        else:
            draw_box(ax, *place, word, fill="none", ink="black", linestyle="--")  # black: the theme's colour
        below = "shared" if len(names) > 1 else "free" if not names else ""
        ax.text(block + 0.5, 3.05, below, ha="center", va="top", fontsize=9)
    ax.set(xlim=(min(0, (num_blocks - width) / 2), max(num_blocks, width)), ylim=(3.4, -0.7), xticks=[])
    ax.set_yticks([0.4, 2.4], ["tables", "memory"])
    without_frame(ax)
    sentences = [
        f"{name} is in blocks {', '.join(map(str, blocks)) or 'none'}" for name, blocks in tables.items()
    ]
    kinds = {"shared": [b for b, names in owners.items() if len(names) > 1]}
    kinds["free"] = [b for b, names in owners.items() if not names]
    sentences += [f"{kind}: {', '.join(map(str, blocks))}" for kind, blocks in kinds.items() if blocks]
    return describe(ax, f"{num_blocks} blocks of memory; {'; '.join(sentences)}")
