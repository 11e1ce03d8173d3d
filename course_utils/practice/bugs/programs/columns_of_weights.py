"""Softmax, one column for each query

`logits` has a row for each key and a column for each query. Each column becomes weights that sum to 1,
however large or small its entries are.
"""
import torch
from torch import Tensor


def column_softmax(logits: Tensor) -> Tensor:
    """Weights over the keys: each column sums to 1."""
    z = logits - logits.max()  # right: z = logits - logits.max(dim=0, keepdim=True).values
    e: Tensor = z.exp()
    return e / e.sum(dim=0, keepdim=True)

# ---- inputs
INPUTS = {"logits": floats("K", "Q", spread=200)}
SAME = {
    "with one column, its maximum is the global one.": lambda Q: Q == 1,
    "no column is far enough below another for exp to underflow to 0.": lambda logits: logits.amax(0).max() - logits.amax(0).min() < 60,
}
MISTAKE = "softmax.global_max"
WHY = "One maximum is taken over all columns: in a column far below it, every exp is 0, and 0 / 0 is NaN."
