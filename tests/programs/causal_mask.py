# %% compare: positions, a row against a column
# taken
import torch
def causal_mask(T):
    return torch.arange(T) > torch.arange(T)[:, None]
# %% triu: above the diagonal
# taken
import torch
def causal_mask(T):
    return torch.triu(torch.ones(T, T), diagonal=1).bool()
# %% not_tril: everything that is not below
# taken
import torch
def causal_mask(T):
    return ~torch.ones(T, T, dtype=torch.bool).tril()
# %% list_of_lists: as in the picture
# taken
import torch
def causal_mask(T):
    return torch.tensor([[j > i for j in range(T)] for i in range(T)])
# %% loops: one entry at a time
# taken
import torch
def causal_mask(n):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i + 1:] = True
    return mask
# %% equals_zero: where tril has nothing left
# taken
import torch
def causal_mask(T):
    return torch.tril(torch.ones(T, T)) == 0
# %% row_against_row: two rows of positions are compared
# refused: shown
import torch
def causal_mask(T):
    return torch.arange(T) > torch.arange(T)
# %% batch_axes: axes for examples and heads
# refused: axes_folded
import torch
def causal_mask(T):
    return torch.triu(torch.ones(1, 1, T, T), 1).bool()
