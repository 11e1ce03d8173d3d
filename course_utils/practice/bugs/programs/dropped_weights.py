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
