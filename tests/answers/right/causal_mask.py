"""Right answers to `causal_mask`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% compare: positions, a row against a column
def causal_mask(T):
    return torch.arange(T) > torch.arange(T)[:, None]
# %% triu < equals_zero: above the diagonal
~ return torch.tril(torch.ones(T, T)) == 0 => return torch.triu(torch.ones(T, T), diagonal=1).bool()
# %% not_tril: everything that is not below
def causal_mask(T):
    return ~torch.ones(T, T, dtype=torch.bool).tril()
# %% list_of_lists: as in the picture
def causal_mask(T):
    return torch.tensor([[j > i for j in range(T)] for i in range(T)])
# %% loops: one entry at a time
def causal_mask(n):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i + 1:] = True
    return mask
# %% equals_zero: where tril has nothing left
def causal_mask(T):
    return torch.tril(torch.ones(T, T)) == 0
