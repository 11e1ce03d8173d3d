"""An average of the visible keys

`scores` is (Tq, Tk). `hide` says which keys a query may not see. The result is a weighted average of the
rows of `V`: hidden keys have no part in it, and the weights of the others sum to 1.
"""
import torch
from torch.nn import functional as F

def blend(V, scores, hide):
    assert scores.shape == hide.shape
    weights = F.softmax(scores, dim=-1)  # right: weights = F.softmax(scores.masked_fill(hide, float("-inf")), dim=-1)
    weights = weights.masked_fill(hide, 0.0)
    return torch.mm(weights, V)

# ---- inputs
INPUTS = {"V": floats("Tk", "e"), "scores": floats("Tq", "Tk"), "hide": bools("Tq", "Tk")}
HOLDS = {"Each row of `hide` has to leave at least one key open.": lambda hide: not hide.all(-1).any()}
EDGES = [{"V": [[1.0], [2.0], [4.0]], "scores": [[-3e6, -3e6, -3e6]], "hide": [[False, True, False]]}]
SAME = {"no key is hidden.": lambda hide: not hide.any()}
MISTAKE = "masked_softmax.masked_after_softmax"
WHY = "The hidden keys are removed after the softmax: its sum included them, so the remaining weights sum to less than 1."
