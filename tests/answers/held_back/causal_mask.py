"""Wrong answers for causal_mask, one mistake a cell."""

# %% lower_triangle: True where attention is allowed
import torch

def causal_mask(T):
    return torch.tril(torch.ones(T, T)).bool()

# %% with_diagonal: triu without its argument keeps the diagonal
import torch

def causal_mask(T):
    return torch.triu(torch.ones(T, T)).bool()

# %% floats: ones and zeros
import torch

def causal_mask(T):
    return torch.triu(torch.ones(T, T), 1)

# %% row_against_row: two rows of positions are compared
import torch

def causal_mask(T):
    return torch.arange(T) > torch.arange(T)

# %% batch_axes: axes for examples and heads
import torch

def causal_mask(T):
    return torch.triu(torch.ones(1, 1, T, T), 1).bool()

# %% columns_first: the column is the query
import torch

def causal_mask(T):
    return torch.arange(T)[:, None] > torch.arange(T)[None, :]
