"""One weight set for all libraries: a layer of the course with biases, and what it gives."""

import math

import torch
from torch import nn

from course_utils import standins

NAMES = ("q_proj", "k_proj", "v_proj", "out_proj")
D, H = 12, 3  # d_model, heads of 4


def randn(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def layer_with_biases(kv_heads=H):
    """A layer with a cache whose weights and biases are drawn, in float64."""
    layer = standins.GroupedQueryAttentionWithCache(D, H if kv_heads == H else 6, kv_heads)
    for name in NAMES:
        rows = getattr(layer, name).weight.shape[0]
        linear = nn.Linear(D, rows, dtype=torch.float64)
        linear.weight.data, linear.bias.data = randn(rows, D) / math.sqrt(D), randn(rows)
        setattr(layer, name, linear.requires_grad_(False))
    return layer


def rows(layer, kind):
    """The weights or biases of q, k and v, one below the other: (3 D, D) or (3 D,)."""
    return torch.cat([getattr(getattr(layer, name), kind) for name in NAMES[:3]])


def wrong_by(theirs, ours):
    return (torch.as_tensor(theirs) - ours).abs().max().item()
