"""Weights over the kept keys

`keep` says which keys to keep for each query. The others get no weight at all, and each row sums to 1.
"""
import numpy as np

def WeightsOver(keep, scores):
    Scores = np.where(keep, scores, 0.0)  # right: Scores = np.where(keep, scores, -np.inf)
    Scores = Scores - Scores.max(axis=-1, keepdims=True)
    E = np.exp(Scores)
    Z = E.sum(axis=-1, keepdims=True)
    return E / Z

# ---- inputs
INPUTS = {"keep": bools("Tq", "Tk", library="numpy"), "scores": floats("Tq", "Tk", library="numpy")}
HOLDS = {"Each row of `keep` needs at least one True.": lambda keep: keep.any(-1).all()}
EDGES = [{"keep": [[True, False]], "scores": [[-3e6, 0.0]]}]
SAME = {"every key stays.": lambda keep: keep.all()}
MISTAKE = "masked_softmax.filled_with_zero"
WHY = "A score of 0 is an ordinary score, since exp(0) is 1, so hidden keys still get some weight."
