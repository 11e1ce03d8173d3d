"""Right answers to `masked_scores`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% masked_fill < large_number: with torch.inf
~ return scores.masked_fill(mask, -1e9) => return scores.masked_fill(mask, -torch.inf)
# %% float_inf < large_number: with Python's infinity
~ return scores.masked_fill(mask, -1e9) => return scores.masked_fill(mask, float('-inf'))
# %% where: the score where the mask is False
def masked_scores(scores, mask):
    return torch.where(mask, torch.tensor(float('-inf'), dtype=scores.dtype), scores)
# %% large_number: a number that is low enough for any score here
def masked_scores(scores, mask):
    return scores.masked_fill(mask, -1e9)
# %% own_copy: changes a clone in place
def masked_scores(scores, mask):
    hidden = scores.clone()
    hidden[mask] = -torch.inf
    return hidden
# %% additive < large_number: zeros, filled, and added
~ return scores.masked_fill(mask, -1e9) => return scores + torch.zeros_like(scores).masked_fill(mask, -torch.inf)
