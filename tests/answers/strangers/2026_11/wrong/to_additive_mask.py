# %% crash_1 < held_back/dtype_unused: line `torch.zeros(mask.shape, dtype)`: dtype as a positional argument, TypeError
~ device=mask.device => dtype
# %% single_2 < held_back/finfo_min: multiplies by -inf, so allowed cells become NaN (0 times inf)
~ torch.finfo(dtype).min => -math.inf
# %% single_3 < held_back/finite_minimum: the smallest finite number is used instead of -inf, as in Hugging Face
# %% two_4: dtype is ignored, always float32 | inverted: allowed cells get -inf
def to_additive_mask(mask, dtype=torch.float32):
    result = torch.full(mask.shape, -math.inf, device=mask.device)
    result[mask] = 0.0
    return result
