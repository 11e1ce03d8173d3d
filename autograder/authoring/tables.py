"""Weight tables for the exercises that read them: causal, rows summing to 1, exact in JSON."""

import numpy as np
import torch


def causal_table(g, B, H, T):
    """(B, H, T, T): each row shares 1 among the keys that it may see, in 64ths; some shares are 0."""
    table = np.zeros((B, H, T, T))
    for b, h, i in np.ndindex(B, H, T):
        shares = g.multinomial(64, g.dirichlet(np.full(i + 1, 0.7)))
        table[b, h, i, : i + 1] = shares / 64
    return torch.from_numpy(table)
