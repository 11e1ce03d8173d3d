"""Scores with the future hidden, in NumPy

`scores` has a row for each query and a column for each key. A query may see its own position and those before
it. The other scores become minus infinity.
"""
import numpy as np

def hide_future(scores):
    n = scores.shape[0]
    rows, cols = np.indices((n, n))
    out = scores.copy()
    out[cols > rows + 1] = -np.inf  # right: out[cols > rows] = -np.inf
    return out

# ---- inputs
INPUTS = {"scores": floats("T", "T", library="numpy")}
SAME = {"with one token there is no future.": lambda T: T == 1}
MISTAKE = "create_causal_mask.off_by_one_late"
WHY = "The key right after the query stays open, and that is the future."
