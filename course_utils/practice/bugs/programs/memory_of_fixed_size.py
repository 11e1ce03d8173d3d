"""Attention without a softmax

`q` and `k` are (T, d), and `v` is (T, e). Token i sees the tokens 0 to i. Its weights are proportional to f(q) · f(k), where
f(z) is elu(z) + 1, and sum to 1. The loop carries sums of a fixed size from token to token.
"""
import torch
from torch.nn.functional import elu

def linear_attention(q, k, v):
    q, k = elu(q) + 1, elu(k) + 1
    memory = torch.zeros(k.shape[1], v.shape[1])
    total = torch.zeros(k.shape[1])
    rows = []
    for query, key, value in zip(q, k, v):
        memory = memory + torch.outer(key, value)
        total = key  # right: total = total + key
        rows.append(query @ memory / (query @ total))
    return torch.stack(rows)

# ---- inputs
INPUTS = {"q": floats("T", "d"), "k": floats("T", "d"), "v": floats("T", "e")}
SAME = {"with one token nothing was summed before.": lambda T: T == 1}
WHY = "The memory holds all tokens so far, but the divisor only the last one, so from the second token on the weights sum to more than 1."
