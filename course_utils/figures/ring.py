"""The plot of a cache that never grows: a ring of slots, in which the newest token overwrites the oldest."""

import math

import numpy as np
from matplotlib.patches import Wedge

from ..show.colours import COMPUTED, INK, OLD
from .draw import axes_or_new, draw_box, row_of_axes, without_frame, write
from .words import describe, format_runs


def plot_ring(newest, window, sinks=0, *, ax=None):
    """Draw the cache after the token at position `newest`: a ring of slots, and the sinks, which stay."""
    ax = axes_or_new(ax, 2.9, 2.7)
    positions = list(range(max(sinks, newest - window + 1), newest + 1))
    positions_by_slot = {(position - sinks) % window: position for position in positions}
    for slot in range(window):
        position = positions_by_slot.get(slot)
        end = 90 - 360 * slot / window
        fill = "none" if position is None else COMPUTED if position == newest else OLD
        ax.add_patch(
            Wedge((0, 0), 1, end - 360 / window, end, width=0.5, facecolor=fill, edgecolor="#777777")
        )
        if position is not None:
            angle = math.radians(end - 180 / window)
            ink = "white" if position == newest else INK
            write(ax, 0.75 * math.cos(angle), 0.75 * math.sin(angle), str(position), color=ink, fontsize=10)
    for place in range(min(sinks, newest + 1)):
        fill, ink = (COMPUTED, "white") if place == newest else (OLD, INK)
        draw_box(ax, -1.7, 0.55 - 0.45 * place, 0.4, 0.4, str(place), fill=fill, ink=ink, size=10)
    left = -1.75 if sinks else -1.1
    ax.set(xlim=(left, 1.1), ylim=(-1.1, 1.1), aspect="equal", xticks=[], yticks=[])
    ax.set_title(f"after token {newest}", fontsize=10)
    without_frame(ax)
    tokens = f"{'tokens' if len(positions) > 1 else 'token'} {format_positions(positions)}"
    ring = f"the ring of {window} slots holds {tokens}" if positions else "the ring is empty"
    new = f"; {newest} is new, in slot {(newest - sinks) % window}" if newest in positions else ""
    stay = f"; beside it, the sinks {format_positions(range(min(sinks, newest + 1)))}" if sinks else ""
    return describe(ax, ring + new + stay)


def format_positions(positions):
    return format_runs(np.array(positions, dtype=int))


def plot_ring_turns(positions, window, sinks=0):
    """Draw `plot_ring` after each of these positions, side by side; returns the Axes."""
    axes = row_of_axes(len(positions), 2.9, 2.7)
    for newest, ax in zip(positions, axes, strict=True):
        plot_ring(newest, window, sinks, ax=ax)
    return axes
