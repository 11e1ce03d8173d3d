"""Model solutions: masks. True means that a query may attend."""

import torch


def causal_mask(T):
    position = torch.arange(T)
    return position[None, :] <= position[:, None]  # (T, T): row = query, column = key


def cached_mask(n_cached, n_new):
    queries = torch.arange(n_new) + n_cached  # the new tokens come after the cached ones
    keys = torch.arange(n_cached + n_new)
    return keys[None, :] <= queries[:, None]  # (n_new, n_cached + n_new)


def padded_mask(lengths, T):
    position = torch.arange(T)
    past = position[None, :] <= position[:, None]  # (T, T)
    real = position[None, :] < lengths[:, None]  # (B, T): keys that are not padding
    return past & real[:, None, :]  # (B, T, T); as (B, 1, T, T) it broadcasts over heads
