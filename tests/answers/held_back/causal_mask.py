"""Wrong answers for causal_mask, one mistake a cell."""
# %% lower_triangle < right/equals_zero: True where attention is allowed
~ return torch.tril(torch.ones(T, T)) == 0 => return torch.tril(torch.ones(T, T)).bool()
# %% with_diagonal < right/equals_zero: triu without its argument keeps the diagonal
~ return torch.tril(torch.ones(T, T)) == 0 => return torch.triu(torch.ones(T, T)).bool()
# %% floats < right/equals_zero: ones and zeros
~ return torch.tril(torch.ones(T, T)) == 0 => return torch.triu(torch.ones(T, T), 1)
# %% row_against_row < right/equals_zero: two rows of positions are compared
~ return torch.tril(torch.ones(T, T)) == 0 => return torch.arange(T) > torch.arange(T)
# %% batch_axes < right/equals_zero: axes for examples and heads
~ return torch.tril(torch.ones(T, T)) == 0 => return torch.triu(torch.ones(1, 1, T, T), 1).bool()
# %% columns_first: the column is the query
def causal_mask(T):
    return torch.arange(T)[:, None] > torch.arange(T)[None, :]
