"""Programs whose layout shows only in their results, not in their names."""

import numpy as np
import torch
from torch import nn


class NoMaskOnceCached(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        B, T, D = x.shape
        k, v = self.k(x), self.v(x)
        if cache is not None:
            k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
        saved = k, v
        q, k, v = (t.view(B, -1, self.h, D // self.h).transpose(1, 2) for t in (self.q(x), k, v))
        scores = q @ k.mT / (D // self.h) ** 0.5
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)), saved


def numpy_split_heads(X, num_heads):
    return X.reshape(*X.shape[:2], num_heads, -1).transpose(0, 2, 1, 3)


def numpy_online_softmax_attention(Q, K, V, block_size):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)) @ V
