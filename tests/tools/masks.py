"""The causal mask, which most tests of figures need."""

import torch


def causal(T_q, T_k=None):
    """(T_q, T_k), True where a key comes after the query."""
    return torch.ones(T_q, T_k or T_q, dtype=torch.bool).triu(1)
