"""A mask as numbers to add

`keep` is True where a query may look. The result is `scores` with the rest masked: minus infinity
where `keep` is False, and unchanged elsewhere.
"""
import numpy as np

def biased(scores, keep):
    if scores.shape != keep.shape:
        raise ValueError("scores and keep differ in shape")
    closed = 1.0 - keep.astype(scores.dtype)
    bias = closed * -np.inf  # right: bias = np.where(keep, 0.0, -np.inf).astype(scores.dtype)
    return scores + bias

# ---- inputs
INPUTS = {"scores": floats("Tq", "Tk", library="numpy"), "keep": bools("Tq", "Tk", library="numpy")}
SAME = {"nothing is open, so minus infinity is right everywhere.": lambda keep: not keep.any()}
MISTAKE = "to_additive_mask.minus_inf_times_zero"
WHY = "0 times minus infinity is NaN, so the scores of the open keys are lost."
