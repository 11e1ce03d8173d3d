"""Interactive ring cache: which slot each token takes, and what the cache holds."""

from ..figures.ring import plot_ring_turns
from ..show.colours import COMPUTED, OLD
from .piece import Piece, still_of

TOKENS = 14
MOST_WINDOW, MOST_SINKS = 8, 4


def fill_ring(window=4, sinks=2):
    """Show the slots of a ring cache, token by token.

    Returns a Piece.
    """
    last = sinks + window
    data = {
        "window": window,
        "sinks": sinks,
        "tokens": TOKENS,
        "most": [MOST_WINDOW, MOST_SINKS],
        "first": last,
        "old": OLD,
        "computed": COMPUTED,
    }
    turns = [sinks, last - 1, last, last + 1]
    words = (
        f"a cache with {sinks} sinks and a ring of {window} slots. Token p after the sinks goes into slot "
        f"(p − {sinks}) mod {window}. The ring is full after token {last - 1}; token {last} then takes the "
        f"slot of token {last - window}, and token {last + 1} that of token {last + 1 - window}."
    )
    return Piece("ring.js", data, still_of(plot_ring_turns(turns, window, sinks)[0].figure), words)
