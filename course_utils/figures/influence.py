"""The plot of dependence between tokens: which outputs change when one token is changed."""

import numpy as np
import torch

from ..show.colours import OLD, OPEN
from .masks import as_table, draw_cells
from .words import describe, format_runs

LEAK, LOST = "#F0A985", "#F6E58A"  # tints of Okabe and Ito's vermilion and yellow


def influence(attention, x):
    """Measure how far each output moves when one token of x (B, T, d_model) is changed: (T, T).

    attention: any function or module from (B, T, d_model) to (B, T, d_model).
    returns: entry (i, j) is the largest change of output i when 1 is added to token j.
    """
    columns = []
    with torch.no_grad():
        before = attention(x)  # (B, T, d_model)
        for j in range(x.shape[1]):
            changed = x.clone()
            changed[:, j] += 1
            columns.append((attention(changed) - before).abs().amax(dim=(0, 2)))  # (T,)
    return torch.stack(columns, dim=1)  # (T, T)


def plot_influence(moved, *, ax=None):
    """Draw an influence table (T, T), and mark where it differs from that of a causal layer.

    LEAK marks an output that moves with a later token, "lost" one that ignores an earlier token or its own.
    """
    moves = as_table(moved, "influence table").astype(float) > 1e-5  # (T, T)
    past = np.tri(len(moves), dtype=bool)
    codes = np.select([moves & past, moves & ~past, ~moves & past], [1, 2, 3], 0)
    ax = draw_cells(codes, [OPEN, OLD, LEAK, LOST], ["", "yes", "LEAK", "lost"], ax)
    ax.set(xlabel="token that is changed", ylabel="output that moves")
    leaks, lost = (codes == 2).sum(), (codes == 3).sum()
    ax.set_title(f"{leaks} leaks, {lost} lost", fontsize=10)
    tokens = [format_runs(np.flatnonzero(row)) or "none" for row in moves]
    return describe(
        ax, "; ".join(f"output {i} moves with tokens {causes}" for i, causes in enumerate(tokens))
    )
