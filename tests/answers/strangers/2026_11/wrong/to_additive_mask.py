# %% crash_1: line `torch.zeros(mask.shape, dtype)`: dtype as a positional argument, TypeError
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros(mask.shape, dtype)
    out[mask] = -torch.inf
    return out
# %% single_2: multiplies by -inf, so allowed cells become NaN (0 times inf)
def to_additive_mask(mask, dtype=torch.float32):
    return mask.to(dtype) * -math.inf
# %% single_3: the smallest finite number is used instead of -inf, as in Hugging Face
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros_like(mask, dtype=dtype)
    return out.masked_fill(mask, torch.finfo(dtype).min)
# %% two_4: dtype is ignored, always float32 | inverted: allowed cells get -inf
def to_additive_mask(mask, dtype=torch.float32):
    result = torch.full(mask.shape, -math.inf, device=mask.device)
    result[mask] = 0.0
    return result
