"""Weights in 8 bits

`W` is (out, in). Each row is stored as whole numbers from -127 to 127 and a scale of its own, by which its largest weight in
absolute value becomes 127 or -127. The result is `x` times the weights that are restored from this, (T, out).
"""
import numpy as np

def narrow_linear(x, W):
    scale = W.max(axis=1, keepdims=True) / 127  # right: scale = np.abs(W).max(axis=1, keepdims=True) / 127
    scale[scale == 0] = 1.0             # a row of zeros
    stored = np.round(W / scale).astype(np.int8)
    restored = stored * scale
    return x @ restored.T

# ---- inputs
INPUTS = {"x": floats("T", "D", library="numpy"), "W": floats("O", "D", library="numpy")}
EDGES = [{"x": [[1.0, 2.0]], "W": [[0.0, 0.0], [-3.0, 1.0]]}]
SAME = {"the largest weight of each row, in absolute value, is positive.": lambda W: (W.max(1) == np.abs(W).max(1)).all()}
WHY = "The largest weight need not be the largest in absolute value: a negative weight that is larger then does not fit into int8, and usually wraps around."
