"""The plot of fused weights: where three layouts store the numbers of q, k and v."""

import matplotlib.pyplot as plt

from ..show.colours import HEADS, INK
from .draw import draw_box
from .words import describe

SHORT, LONG = 2.6, 0.62  # a block's sides: along d_model, and along the fused axis


def plot_fused_layouts(num_heads):
    """Draw a fused weight as nn.MultiheadAttention, GPT-NeoX and GPT-2 store it; returns the three Axes.

    Each block is one head's part of q, k or v: d_head rows, or in GPT-2 d_head columns.
    """
    in_turn = [(kind, head) for kind in "qkv" for head in range(num_heads)]
    by_head = [(kind, head) for head in range(num_heads) for kind in "qkv"]
    axes = plt.subplots(1, 3, figsize=(11, 3.6), width_ratios=[1, 1, 2.2], layout="constrained")[1]
    draw_blocks(axes[0], in_turn, "rows", "nn.MultiheadAttention, nanoGPT\n(3 · d_model, d_model)")
    draw_blocks(axes[1], by_head, "rows", "GPT-NeoX\n(3 · d_model, d_model)")
    draw_blocks(axes[2], in_turn, "columns", "GPT-2's Conv1D\n(d_model, 3 · d_model)")
    return axes


def draw_blocks(ax, blocks, along, title):
    """Draw the blocks from top to bottom (rows of the weight) or from left to right (its columns)."""
    for place, (kind, head) in enumerate(blocks):
        block = (0, place * LONG, SHORT, LONG) if along == "rows" else (place, 0, 1, SHORT)
        fill = HEADS[head % len(HEADS)]
        draw_box(ax, *block, f"{kind} {head}", fill=fill, size=10, edgecolor=INK, linewidth=0.8)
    ax.set_title(title, fontsize=10)
    ax.autoscale_view()
    ax.invert_yaxis()
    ax.set_aspect("equal")
    ax.axis("off")
    order = ", ".join(f"{kind} of head {head}" for kind, head in blocks)
    return describe(ax, f"{along} from the {'top' if along == 'rows' else 'left'}: {order}")
