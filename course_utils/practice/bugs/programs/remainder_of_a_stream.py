"""A softmax that reads once

`xs` is read from its first number to its last, and its sum of exp is kept relative to the largest number so
far. The result is the share of each number. It works for numbers of any size.
"""
import numpy as np

def stream_softmax(xs):
    unit, kept = xs[0], 1.0
    for x in xs[1:]:
        if x <= unit:
            kept += np.exp(x - unit)
        else:
            kept *= np.exp(unit - x)
            kept += 1.0
            unit = x
    return np.exp(xs - unit) / kept

# ---- inputs
INPUTS = {"xs": floats("N", library="numpy", spread=300)}
