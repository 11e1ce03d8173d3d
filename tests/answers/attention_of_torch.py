"""torch's own operator between four layers, and a buffer that no checkpoint knows."""

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    """torch's own operator between four layers, and a buffer that no checkpoint knows."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.register_buffer("own", torch.ones(3))

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        layers = (self.W_q, self.W_k, self.W_v)
        Q, K, V = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in layers)
        heads = F.scaled_dot_product_attention(Q, K, V, is_causal=is_causal)
        return self.W_o(heads.transpose(1, 2).flatten(2))  # (B, T, d_model)
