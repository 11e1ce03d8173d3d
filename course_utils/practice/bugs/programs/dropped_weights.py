"""Dropout on the weights

In training some weights are set to zero at random, each with probability `p`, and the others are scaled up to
compensate. At inference, `training` is False, and the weights stay as they are.
"""
import torch
import torch.nn.functional as F

def readout(scores, V, p, training):
    A = F.softmax(scores, dim=-1)
    A = F.dropout(A, p)  # right: A = F.dropout(A, p, training)
    out = A @ V
    return out

# ---- inputs
INPUTS = {
    "scores": floats("Tq", "Tk"),
    "V": floats("Tk", "D"),
    "p": number(0, 0.9),
    "training": flag(),
}
SAME = {
    "in training, weights are to be dropped.": lambda training: training,
    "with p = 0 nothing is dropped.": lambda p: p == 0,
}
MISTAKE = ""
WHY = "F.dropout drops unless it is told not to: its third argument, `training`, is True by default."


def tried(readout, scores, V, p, training):
    """readout(scores, V, p, training); in training, the share of weights that are dropped and the factor of the others"""
    if not training:
        return readout(scores, V, p, False)
    rows, keys = scores.repeat(-(-2000 // scores.numel()), 1), torch.eye(scores.shape[1])
    both = readout(rows, torch.cat([keys, keys], 1), p, True).view(len(rows), 2, -1)  # every weight, twice
    factor = both.mean(1) / rows.softmax(-1)
    dropped = (factor == 0).double().mean().item()
    kept = factor[factor != 0]
    if abs(dropped - p) < 6 * (p * (1 - p) / factor.numel()) ** 0.5 + 1e-9:  # any random numbers will do
        dropped = p
    return dropped, kept.min().item(), kept.max().item()
