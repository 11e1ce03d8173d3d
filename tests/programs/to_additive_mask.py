# %% in_place_on_fresh: zeros_like and masked_fill_ on the new tensor
# taken
import math
import torch
def to_additive_mask(mask: torch.Tensor, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    out = torch.zeros_like(mask, dtype=dtype)
    out.masked_fill_(mask, -math.inf)
    return out
# %% full_inf_index: all -inf, allowed entries set to 0 by boolean index
# taken
import torch
def to_additive_mask(mask, dtype=torch.float32):
    bias = torch.full(mask.size(), float("-inf"), dtype=dtype, device=mask.device)
    bias[~mask] = 0
    return bias
# %% new_zeros_index: mask.new_zeros and a boolean index
# taken
import numpy as np
import torch
def to_additive_mask(mask, dtype=torch.float32):
    bias = mask.new_zeros(mask.shape, dtype=dtype)
    bias[mask] = -np.inf
    assert bias.dtype == dtype
    return bias
# %% numpy_where: through NumPy
# taken
import numpy as np
import torch
def to_additive_mask(mask, dtype=torch.float32):
    values = np.where(mask.detach().cpu().numpy(), -np.inf, 0.0)
    return torch.tensor(values, dtype=dtype, device=mask.device)
# %% reciprocal: 1 - 1/allowed
# taken
import torch
def to_additive_mask(mask, dtype=torch.float32):
    allowed = torch.logical_not(mask).to(dtype=dtype)
    return 1.0 - 1.0 / allowed
# %% product_repaired: the naive product with its NaN put right
# taken
import torch
def to_additive_mask(mask, dtype=torch.float32):
    naive = mask.to(dtype) * float("-inf")
    return torch.nan_to_num(naive, nan=0.0, neginf=float("-inf"))
# %% lookup: a table of two values indexed by the mask; a print left in
# taken
import torch
def to_additive_mask(mask, dtype=torch.float32):
    table = torch.tensor([0.0, float("-inf")], dtype=dtype, device=mask.device)
    print("additive mask of", tuple(mask.shape))
    return table[mask.long()]
# %% log_of_one_minus: log(1) = 0, log(0) = -inf
# taken
import torch
def to_additive_mask(mask, dtype=torch.float32):
    return torch.log((~mask).to(dtype))
# %% dtype_unused: always answers in float32
# taken, one left 1.914: casts_dtype
import torch
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros(mask.shape, device=mask.device)
    out[mask] = -torch.inf
    return out
# %% zeros_on_cpu: creates the zeros without the mask's device
# taken, one left 1.914: fixed_device
import torch
def to_additive_mask(mask, dtype=torch.float32):
    zero = torch.tensor(0.0, dtype=dtype)
    minus_inf = torch.full(mask.shape, float("-inf"), dtype=dtype)
    return torch.where(mask, minus_inf, zero)
# %% view_of_the_mask: flattens the mask with view, which needs it contiguous
# refused, 1.914: view_noncontiguous
import torch
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros(mask.numel(), dtype=dtype, device=mask.device)
    out[mask.view(-1)] = float("-inf")
    return out.view(mask.shape)
# %% strangers_2026_11/program_1
# taken
import math
import torch
def to_additive_mask(mask, dtype=torch.float32):
    allowed = torch.tensor(0.0, dtype=dtype, device=mask.device)
    hidden = torch.tensor(-math.inf, dtype=dtype, device=mask.device)
    return torch.where(mask, hidden, allowed)
# %% strangers_2026_11/crash_1: line `torch.zeros(mask.shape, dtype)`: dtype as a positional argument, TypeError
# refused: dtype_by_place
import torch
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros(mask.shape, dtype)
    out[mask] = -torch.inf
    return out
# %% strangers_2026_11/single_2: multiplies by -inf, so allowed cells become NaN (0 times inf)
# refused: minus_inf_times_zero
import math
import torch
def to_additive_mask(mask, dtype=torch.float32):
    return mask.to(dtype) * -math.inf
# %% strangers_2026_11/single_3: the smallest finite number is used instead of -inf, as in Hugging Face
# refused: finite_fill
import torch
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros_like(mask, dtype=dtype)
    return out.masked_fill(mask, torch.finfo(dtype).min)
# %% strangers_2026_11/two_4: dtype is ignored, always float32 | inverted: allowed cells get -inf
# refused: inverted
import math
import torch
def to_additive_mask(mask, dtype=torch.float32):
    result = torch.full(mask.shape, -math.inf, device=mask.device)
    result[mask] = 0.0
    return result
# %% blind_2026_11_29/w_bool_fill: fills a bool tensor (zeros_like mask) with -inf, True comes out, then converted: 1 instead of -inf
# refused: zero_one_mask
import torch
def to_additive_mask(mask, dtype=torch.float32):
    out = torch.zeros_like(mask)
    out = out.masked_fill(mask, float("-inf"))
    return out.to(dtype)
