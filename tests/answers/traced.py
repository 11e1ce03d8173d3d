"""Functions whose lines make the stages of attention, with variables and with entries."""

import math

import torch


def with_variables(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split(X @ W) for W in (W_Q, W_K, W_V))
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    masked = scores.masked_fill(future(scores), -math.inf)
    weights = torch.softmax(
        masked,
        dim=-1,
    )
    heads = weights @ V
    heads = heads
    both = dict(Q=Q, K=K, V=V)  # noqa: C408
    return dict(both, scores=scores, masked_scores=masked, weights=weights, heads=weights @ V)


def with_entries(X, W_Q, W_K, W_V, W_O, num_heads):
    story = {
        "Q": split(X @ W_Q),  # (B, H, T, d_head)
        "K": split(X @ W_K),
    }
    story["scores"] = story["Q"] @ story["K"].mT / 2
    out = story["scores"] @ W_O
    story["output"] = out
    out = None
    return story


def split(x):
    return x


future = split
