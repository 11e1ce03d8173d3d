# %% arange_broadcast: key position greater than query position
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    i = torch.arange(seq_len_q, device=device).unsqueeze(1)
    j = torch.arange(seq_len_k, device=device).unsqueeze(0)
    return j > i
# %% triu_ones: upper triangle above the diagonal
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
# %% tril_not: boolean lower triangle, negated
# taken
from typing import Optional, Union
import torch

def create_causal_mask(
    seq_len_q: int,
    seq_len_k: Optional[int] = None,
    device: Optional[Union[str, torch.device]] = None,
) -> torch.Tensor:
    """True above the diagonal."""
    n_keys = seq_len_k if seq_len_k is not None else seq_len_q
    allowed = torch.ones((seq_len_q, n_keys), dtype=torch.bool, device=device).tril()
    return ~allowed
# %% numpy_triu: NumPy mask moved to the device
# taken
import numpy as np
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    m = np.triu(np.ones((seq_len_q, seq_len_k)), k=1).astype(bool)
    return torch.from_numpy(m).to(device=device)
# %% minus_inf_triangle: the additive triangle, read back as a boolean
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    bias = torch.full((seq_len_q, seq_len_k), float("-inf"), device=device).triu(1)
    return torch.isinf(bias)
# %% stack_rows: one arange comparison per query, stacked
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    keys = torch.arange(seq_len_k, device=device)
    rows = [keys > q for q in range(seq_len_q)]
    return torch.stack(rows, dim=0)
# %% library_square: nn.Transformer's float mask, cut and turned into a boolean
# taken
from torch import nn
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    n = max(seq_len_q, seq_len_k)
    square = nn.Transformer.generate_square_subsequent_mask(n, device=device)
    return square[:seq_len_q, :seq_len_k] != 0
# %% meshgrid_lt: two index grids
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    qi, kj = torch.meshgrid(torch.arange(seq_len_q), torch.arange(seq_len_k), indexing="ij")
    return torch.lt(qi, kj).to(device=device)
# %% cumsum_counts: running sum of the identity, zero before the diagonal is reached
# taken
import warnings
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        warnings.warn("no number of keys given: square mask")
        seq_len_k = seq_len_q
    steps = torch.ones(seq_len_q, seq_len_k, dtype=torch.int64, device=device)
    query_pos = torch.cumsum(steps, dim=0)
    key_pos = torch.cumsum(steps, dim=1)
    return torch.logical_not(query_pos >= key_pos)
# %% where_values: torch.where between two tensors, then bool
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    assert seq_len_q >= 1
    if seq_len_k is None:
        seq_len_k = seq_len_q
    diff = torch.arange(seq_len_k, device=device)[None, :] - torch.arange(seq_len_q, device=device)[:, None]
    one = torch.ones_like(diff)
    return torch.where(diff >= 1, one, 0 * one).to(torch.bool)
# %% asserts_on_values: a self-check that reads the numbers
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    k = seq_len_q if seq_len_k is None else seq_len_k
    mask = torch.triu(torch.ones(seq_len_q, k, dtype=torch.bool, device=device), diagonal=1)
    assert not mask[0, 0], "the first token sees itself"
    return mask
# %% nonzero_pairs: the pairs in the future, found with nonzero
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    k = seq_len_q if seq_len_k is None else seq_len_k
    future = (torch.arange(k, device=device)[None] - torch.arange(seq_len_q, device=device)[:, None]).clamp(min=0).nonzero()
    mask = torch.zeros(seq_len_q, k, dtype=torch.bool, device=device)
    mask[future[:, 0], future[:, 1]] = True
    return mask
# %% nonzero_scatter: starts all True and clears the past row by row
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    keys = seq_len_q if seq_len_k is None else seq_len_k
    mask = torch.ones((seq_len_q, keys), dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        mask[i, : i + 1] = False
    return mask
# %% cumsum_of_eye: keys up to the diagonal counted
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    seen_from = torch.eye(seq_len_q, seq_len_k, device=device).cumsum(dim=0)
    return seen_from.eq(0)
# %% axes_exchanged: builds the mask with keys as rows and queries as columns
# refused: axes_out_of_order
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    q_pos = torch.arange(seq_len_q, device=device)
    k_pos = torch.arange(seq_len_k, device=device)
    return k_pos[:, None] > q_pos[None, :]
# %% device_unused: builds the mask on the CPU whatever device was asked for
# taken, one left 1.8: fixed_device
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    n_keys = seq_len_q if seq_len_k is None else seq_len_k
    rows = [[col > row for col in range(n_keys)] for row in range(seq_len_q)]
    return torch.tensor(rows, dtype=torch.bool)
# %% device_forgotten_when_square: passes the device on only when the number of keys is given
# taken, one left 1.8: fixed_device
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        return torch.triu(torch.ones(seq_len_q, seq_len_q, dtype=torch.bool), diagonal=1)
    return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
# %% extra_axes: repeats the mask for two examples, an axis that nobody asked for
# refused: shown
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None: seq_len_k = seq_len_q
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1).repeat(2, 1, 1)
# %% tril_and_rect: inverted and bottom-right aligned
# refused: shown
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None: seq_len_k = seq_len_q
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).tril(seq_len_k - seq_len_q)
# %% list_mask: returns a nested list
# refused: number_of_results
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None: seq_len_k = seq_len_q
    return [[j > i for j in range(seq_len_k)] for i in range(seq_len_q)]
# %% strangers_2026_11/program_1
# taken
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    n = seq_len_k if seq_len_k is not None else seq_len_q
    steps = torch.ones(seq_len_q, n, dtype=torch.long, device=device)
    row = steps.cumsum(0)
    col = steps.cumsum(1)
    return torch.gt(col, row)
# %% strangers_2026_11/crash_1: line `torch.ones(seq_len_q, seq_len_k)`: seq_len_k is still None when it is not given
# refused: none_not_treated
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    return torch.triu(torch.ones(seq_len_q, seq_len_k, device=device), diagonal=1).bool()
# %% strangers_2026_11/single_2: the diagonal is masked too (>= instead of >)
# refused: diagonal_masked
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    i = torch.arange(seq_len_q, device=device).unsqueeze(1)
    j = torch.arange(seq_len_k, device=device).unsqueeze(0)
    return j >= i
# %% strangers_2026_11/two_3: the queries are aligned to the last keys instead of the first | the result holds floats, not bools
# refused: shown
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_k or seq_len_q
    full = torch.ones(seq_len_q, seq_len_k, device=device)
    return torch.triu(full, diagonal=seq_len_k - seq_len_q + 1)
# %% blind_2026_11_29/c_size_arg: crash: triu called on bool created by torch.ones(shape, bool) positional dtype
# refused: dtype_by_place
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    return torch.ones(seq_len_q, seq_len_k, torch.bool, device=device).triu(1)
