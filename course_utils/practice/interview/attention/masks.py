"""The dialects of a mask: {name: (the variants of the task for which it is right, how it is made)}."""

import numpy as np


def open_cells(given, T_q, T_k):
    """(T_q, T_k): may it be attended to? The queries are the last ones."""
    return np.arange(T_k)[None, :] <= np.arange(T_q)[:, None] + T_k - T_q


def spoken(open_, style):
    """Open cells in one of the dialects."""
    if style == "masked":
        return ~open_
    if style == "attend":
        return open_.copy()
    if style == "ones":
        return open_.astype(np.float64)
    return np.where(open_, 0.0, -np.inf)


PADDED = ("padded causal", "padded causal, no queries", "padded causal, even queries")
STYLES = ("masked", "attend", "additive", "ones")
CAUSAL = {
    f"causal mask, {style}{rank}": (("causal",), style, rank)
    for style in STYLES
    for rank in ("", " 4d", " 3d")
}
PADDING = {
    f"padding mask, {style}{rank}": ((*PADDED, "padded"), style, rank)
    for style in ("masked", "attend", "ones", "additive")
    for rank in (" (B, T)", " (B, 1, 1, T)")
}
BOTH = {
    f"both masks, {style}{rank}": (("padded causal",), style, rank)
    for style in STYLES
    for rank in (" (B, 1, T, T)", " (B, T, T)")
}


def make_mask(name, given, T_q=None, T_k=None):
    """The mask of a dialect's name."""
    if name.startswith("causal"):
        _, style, rank = CAUSAL[name]
        cells = spoken(open_cells(given, T_q or given["T"], T_k or given["T"]), style)
        lead = {"": (), " 3d": (given["B"],), " 4d": (given["B"], 1)}[rank]
        return np.broadcast_to(cells, (*lead, *cells.shape)).copy()
    real = np.arange(given["T"])[None, :] < given["lengths"][:, None]
    if name.startswith("padding"):
        _, style, rank = PADDING[name]
        cells = spoken(real, style)
        return cells if rank == " (B, T)" else cells[:, None, None, :]
    _, style, rank = BOTH[name]
    cells = spoken(open_cells(given, given["T"], given["T"])[None] & real[:, None, :], style)
    return cells if rank == " (B, T, T)" else cells[:, None]
