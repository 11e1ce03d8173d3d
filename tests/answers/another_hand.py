"""Mistakes that the declarations know, written in another hand: [(exercise, program, mistake)]."""

import torch


def row_0_mended(w):
    entropy = -(w * w.log()).sum(-1) / torch.arange(1, w.shape[-1] + 1).log().clamp(min=0.5)
    entropy[..., 0] = 0
    return entropy


def power_first(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 1 / 2
    weights = torch.softmax(scores if mask is None else scores.masked_fill(mask, -torch.inf), -1)
    return weights @ V, weights


def rebound(attention, torch_attention):
    return torch_attention


MISTAKES = [
    ("head_entropy", row_0_mended, "zero_times_log_zero"),
    ("scaled_dot_product_attention", power_first, "scale_power_first"),
    ("load_torch_weights", rebound, "nothing_copied"),
]
