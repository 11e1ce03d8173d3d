"""Right answers to `mean_over_tokens`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% named: the axis by its name
def mean_over_tokens(x):
    return torch.mean(x, dim=-2)
# %% einsum: a sum, divided by the number of tokens
def mean_over_tokens(x):
    return torch.einsum("btd->bd", x) / x.shape[1]
# %% stacked: each sequence by itself
def mean_over_tokens(x):
    return torch.stack([sequence.mean(0) for sequence in x])
