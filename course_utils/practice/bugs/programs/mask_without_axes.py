"""A batch of sentences with padding

`scores` is (B, T, T): examples, queries, keys. `lengths` has the number of real tokens of each example;
padding comes after them, and no query may look at it. The result is the weights, (B, T, T).
"""
import torch

def padded_weights(scores, lengths):
    B, T = scores.shape[:2]
    pad = torch.zeros(B, T, dtype=torch.bool)
    for b in range(B):
        pad[b, lengths[b]:] = True
    hidden = scores.masked_fill(pad, float('-inf'))  # right: hidden = scores.masked_fill(pad[:, None], float('-inf'))
    return torch.softmax(hidden, -1)

# ---- inputs
INPUTS = {"scores": floats("B", "T", "T"), "lengths": whole("B", low=1, high="T")}
SIZES = {"B": (1, 4), "T": (1, 4)}
EDGES = [{"scores": [[[-3e6, 0.0], [-3e6, 1.0]]], "lengths": [1]}]
SAME = {
    "with one example, its row of padding fits all queries.": lambda B: B == 1,
    "no token is padding.": lambda B, T, lengths: B == T and bool((lengths == T).all()),
}
MISTAKE = "MultiHeadSelfAttention.padding_without_axes"
WHY = "A (B, T) mask lines up with the last two axes, queries and keys: if B equals T it runs anyway, and query i gets the padding of example i."
