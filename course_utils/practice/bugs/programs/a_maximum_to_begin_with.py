"""Two passes over the logits

The first pass finds the largest logit, the second sums exp relative to it. The result is the share of each
logit. Logits may be far above 0 or far below it.
"""
import numpy as np

def shares_of(logits):
    biggest = 0.0  # right: biggest = -np.inf
    for x in logits:
        if x > biggest:
            biggest = x
    total = 0.0
    for x in logits:
        total += np.exp(x - biggest)
    return np.array([np.exp(x - biggest) / total for x in logits])

# ---- inputs
INPUTS = {"logits": floats("N", library="numpy", spread=2000)}
SIZES = {"N": (1, 3)}
EDGES = [{"logits": [-3e6, -3e6 - 1]}]
SAME = {"the largest is not far enough below 0 for exp to underflow to 0.": lambda logits: logits.max() > -60}
MISTAKE = "online_softmax_attention.maximum_starts_at_zero"
WHY = "If all logits are far below 0, the maximum stays 0, every exp is 0, and 0 / 0 is NaN."
