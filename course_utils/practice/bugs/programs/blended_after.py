"""An average of what may be seen

`scores` is (Tq, Tk). `hide` says which keys a query may not see. The result is a blend of the rows of `V`, in
which hidden keys have no part, and in which the weights of the others sum to 1.
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
SAME = {"no key is hidden.": lambda hide: not hide.any()}
MISTAKE = "masked_softmax.masked_after_softmax"
WHY = "The hidden keys are taken out after the softmax: they were counted in the sum, so the rest sums to less than 1."
