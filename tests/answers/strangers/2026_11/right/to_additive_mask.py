# %% program_1
def to_additive_mask(mask, dtype=torch.float32):
    allowed = torch.tensor(0.0, dtype=dtype, device=mask.device)
    hidden = torch.tensor(-math.inf, dtype=dtype, device=mask.device)
    return torch.where(mask, hidden, allowed)
