"""Right answers to `to_additive_mask`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% zeros_masked_fill: zeros of the dtype, filled
def to_additive_mask(mask, dtype=torch.float32):
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(mask, float("-inf"))
# %% where_scalars: torch.where between two numbers, cast at the end
def to_additive_mask(mask, dtype=torch.float32):
    return torch.where(mask, float("-inf"), 0.0).to(dtype)
# %% where_tensors: torch.where between two tensors of the dtype
def to_additive_mask(m, dtype=torch.float32):
    neg = torch.full(m.shape, -torch.inf, dtype=dtype, device=m.device)
    zero = torch.zeros_like(neg)
    return torch.where(m, neg, zero)
# %% log_of_allowed: log(1) = 0 and log(0) = -inf
def to_additive_mask(mask, dtype=torch.float32):
    return torch.log((~mask).to(dtype))
# %% in_place_on_fresh: zeros_like and masked_fill_ on the new tensor
def to_additive_mask(mask: torch.Tensor, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    out = torch.zeros_like(mask, dtype=dtype)
    out.masked_fill_(mask, -math.inf)
    return out
# %% full_inf_index: all -inf, allowed entries set to 0 by boolean index
def to_additive_mask(mask, dtype=torch.float32):
    bias = torch.full(mask.size(), float("-inf"), dtype=dtype, device=mask.device)
    bias[~mask] = 0
    return bias
# %% new_zeros_index: mask.new_zeros and a boolean index
def to_additive_mask(mask, dtype=torch.float32):
    bias = mask.new_zeros(mask.shape, dtype=dtype)
    bias[mask] = -np.inf
    assert bias.dtype == dtype
    return bias
# %% numpy_where: through NumPy
def to_additive_mask(mask, dtype=torch.float32):
    values = np.where(mask.detach().cpu().numpy(), -np.inf, 0.0)
    return torch.tensor(values, dtype=dtype, device=mask.device)
# %% reciprocal: 1 - 1/allowed
def to_additive_mask(mask, dtype=torch.float32):
    allowed = torch.logical_not(mask).to(dtype=dtype)
    return 1.0 - 1.0 / allowed
# %% product_repaired: the naive product with its NaN put right
def to_additive_mask(mask, dtype=torch.float32):
    naive = mask.to(dtype) * float("-inf")
    return torch.nan_to_num(naive, nan=0.0, neginf=float("-inf"))
# %% lookup: a table of two values indexed by the mask; a print left in
def to_additive_mask(mask, dtype=torch.float32):
    table = torch.tensor([0.0, float("-inf")], dtype=dtype, device=mask.device)
    print("additive mask of", tuple(mask.shape))
    return table[mask.long()]
# %% log_of_one_minus < log_of_allowed: log(1) = 0, log(0) = -inf
# %% item_assignment: new_zeros and index
def to_additive_mask(mask, dtype=torch.float32):
    additive = mask.new_zeros(mask.size(), dtype=dtype)
    additive[mask] = -torch.inf
    return additive
# %% where_tensors_again: torch.where with two tensors
def to_additive_mask(mask, dtype=torch.float32):
    zero = torch.zeros((), dtype=dtype, device=mask.device)
    low = torch.full((), float("-inf"), dtype=dtype, device=mask.device)
    return torch.where(mask, low, zero)
