"""Two rounds over a padded batch

`ids` is (B, T): the letters of sentences, padded at the end. `lengths` says how many letters of each are
real, and `table` has a vector for each letter. In each of two rounds, every real token adds to itself a weighted
average of the real tokens in its sentence. The result is the mean over the real tokens, (B, D), and what the
padding contains makes no difference.
"""
import numpy as np


def softmax(s):
    s = s - s.max(axis=-1, keepdims=True)
    e = np.exp(s)
    return e / e.sum(axis=-1, keepdims=True)


def one_round(h, real):
    width = h.shape[-1]
    scores = np.einsum('bid,bjd->bij', h, h) / np.sqrt(width)
    scores = np.where(real[:, None, :], scores, -np.inf)
    return h + softmax(scores) @ h


def encode(ids, lengths, table):
    steps = ids.shape[1]
    real = np.arange(steps)[None, :] < lengths[:, None]     # (B, T)

    h = table[ids]                                          # (B, T, D)
    for _ in range(2):
        h = one_round(h, real)

    total = h.sum(axis=1)  # right: total = (h * real[:, :, None]).sum(axis=1)
    return total / real.sum(axis=1, keepdims=True)

# ---- inputs
INPUTS = {
    "ids": whole("B", "T", low=0, high="V - 1", library="numpy"),
    "lengths": whole("B", low=1, high="T", library="numpy"),
    "table": floats("V", "D", library="numpy"),
}
SAME = {"no token is padding.": lambda lengths, T: (lengths == T).all()}
MISTAKE = "MultiHeadSelfAttention.padding_ignored"
WHY = "Padding is kept out of the attention, but not out of the mean: the padded positions are summed too."
