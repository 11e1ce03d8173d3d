"""Wrong answers for to_additive_mask, one mistake a cell."""
# %% product_with_minus_inf < right/log_of_allowed: multiplies the mask by -inf, which gives NaN where attention is allowed
~ return torch.log((~mask).to(dtype)) => return mask.to(dtype) * float("-inf")
# %% log_of_the_mask: takes log of the mask itself, so the allowed positions get -inf
def to_additive_mask(mask, dtype=torch.float32):
    # log(1) = 0 and log(0) = -inf
    return torch.log(mask.to(dtype))
# %% dtype_unused: always answers in float32
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros(mask.shape, device=mask.device)
    out[mask] = -torch.inf
    return out
# %% finite_minimum: fills with the smallest finite number instead of -inf
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros_like(mask, dtype=dtype)
    return out.masked_fill(mask, torch.finfo(dtype).min)
# %% fill_thrown_away: calls masked_fill without keeping its result, so everything stays 0
def to_additive_mask(mask, dtype=torch.float32):
    additive = torch.zeros_like(mask, dtype=dtype)
    additive.masked_fill(mask, float("-inf"))
    return additive
# %% zeros_on_cpu: creates the zeros without the mask's device
def to_additive_mask(mask, dtype=torch.float32):
    zero = torch.tensor(0.0, dtype=dtype)
    minus_inf = torch.full(mask.shape, float("-inf"), dtype=dtype)
    return torch.where(mask, minus_inf, zero)
# %% log_mask < right/log_of_allowed: log(mask), so -inf where allowed
~ return torch.log((~mask).to(dtype)) => return torch.log(mask.to(dtype))
# %% finfo_min: the lowest finite number
def to_additive_mask(mask, dtype=torch.float32):
    return mask.to(dtype) * torch.finfo(dtype).min
# %% inv_and_dtype < right/where_scalars: inverted and float32 always
~ (mask, float("-inf"), 0.0).to(dtype) => (mask, torch.tensor(0.0), torch.tensor(float('-inf')))
# %% view_of_the_mask: flattens the mask with view, which needs it contiguous
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros(mask.numel(), dtype=dtype, device=mask.device)
    out[mask.view(-1)] = float("-inf")
    return out.view(mask.shape)
