"""Model solutions: masks. True hides a key from a query."""

import torch


def causal_mask(T, device=None):
    position = torch.arange(T, device=device)
    return position[None, :] > position[:, None]  # (T, T): row = query, column = key


def cached_mask(T_new, T_past, device=None):
    queries = torch.arange(T_new, device=device) + T_past  # the new tokens come after the cached ones
    keys = torch.arange(T_past + T_new, device=device)
    return keys[None, :] > queries[:, None]  # (T_new, T_past + T_new)


def padded_mask(T, lengths):
    position = torch.arange(T, device=lengths.device)
    future = position[None, :] > position[:, None]  # (T, T)
    padding = position >= lengths[:, None]  # (B, T): keys
    return future | padding[:, None, None, :]  # (B, 1, T, T): the axis of size 1 is for the heads
