# %% cat_two_blocks: no mask for the cached part, a square triangle for the new part
# taken
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    old = torch.zeros(seq_len_q, cache_len, dtype=torch.bool, device=device)
    new = torch.ones(seq_len_q, seq_len_q, dtype=torch.bool, device=device).triu(1)
    mask = torch.cat([old, new], dim=1)
    assert mask.shape == (seq_len_q, seq_len_k)
    return mask
# %% full_then_from_cache: the same with a slice from the cache length on
# taken
import torch
def create_causal_mask_with_cache(n_new: int, n_total: int, n_cached: int, device=None) -> torch.Tensor:
    pos = torch.arange(n_total, device=device)
    everything = pos.unsqueeze(0) > pos.unsqueeze(1)
    return everything[n_cached:n_cached + n_new]
# %% from_the_end: aligned by the last row and column
# taken
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_k != cache_len + seq_len_q:
        raise ValueError("seq_len_k must be cache_len + seq_len_q")
    left_q = torch.arange(seq_len_q - 1, -1, -1, device=device).view(-1, 1)
    left_k = torch.arange(seq_len_k - 1, -1, -1, device=device).view(1, -1)
    return left_k < left_q
# %% one_token_shortcut: a special case for one new token, numpy otherwise
# taken
import numpy as np
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_q == 1:
        return torch.zeros(1, seq_len_k, dtype=torch.bool, device=device)
    mask = np.triu(np.ones((seq_len_q, seq_len_k), dtype=bool), k=1 + cache_len)
    return torch.as_tensor(mask, device=device)
# %% additive: minus infinity triangle, then isinf; a print left in
# taken
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    bias = torch.zeros(seq_len_q, seq_len_k, device=device)
    future = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)
    bias = bias.masked_fill(future, float("-inf"))
    print("cached", cache_len, "new", seq_len_q)
    return torch.isneginf(bias)
# %% checks_last_row: the last row must be free, read back and asserted
# taken
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    mask = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)
    if seq_len_k == cache_len + seq_len_q and mask[-1].any():
        raise ValueError("the last token sees everything")
    return mask
# %% loop: fill each row
# taken
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        mask[i, cache_len + i + 1:] = True
    return mask
# %% pad: the new square padded on the left
# taken
import torch
import torch.nn.functional as F
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    assert seq_len_k == cache_len + seq_len_q
    new = torch.ones(seq_len_q, seq_len_q, device=device).triu(1)
    return F.pad(new, (cache_len, 0), value=0.0) > 0.5
# %% device_forgotten_for_one_token: a shortcut for one new token makes its mask without the device
# taken, one left 1.88: fixed_device
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_q == 1:
        return torch.zeros(1, seq_len_k, dtype=torch.bool)
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)
# %% no_mask_with_cache: all False as soon as anything is cached
# refused: shown
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if cache_len > 0:
        return torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1)
# %% rows_from_full: other rows of the square mask than the last ones
# refused: shown; seed 3 refused: cache_ignored
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    full = torch.ones(seq_len_k, seq_len_k, dtype=torch.bool, device=device).triu(1)
    return full[cache_len - seq_len_q : cache_len] if cache_len >= seq_len_q else full[:seq_len_q]
# %% mask_kept_without_device: remembers masks by their sizes and forgets the device
# taken, one left 1.88: fixed_device
import torch
masks = {}

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    sizes = (seq_len_q, seq_len_k, cache_len)
    if sizes not in masks:
        masks[sizes] = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)
    return masks[sizes]
# %% strangers_2026_11/program_1
# taken
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    q_pos = cache_len + torch.arange(seq_len_q, device=device)
    k_pos = torch.arange(seq_len_k, device=device)
    return q_pos[:, None] < k_pos[None, :]
# %% strangers_2026_11/crash_1: line `torch.arange(cache_len, seq_len_q)`: the end should be cache_len + seq_len_q; arange fails when cache_len > T_q
# refused: shown; seed 3 refused: axis_cut
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    rows = torch.arange(cache_len, seq_len_q, device=device).unsqueeze(1)
    cols = torch.arange(seq_len_k, device=device).unsqueeze(0)
    return cols > rows
# %% strangers_2026_11/single_2: off by one: triu begins at cache_len, the query's own key is masked
# refused: diagonal_masked
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=cache_len)
# %% strangers_2026_11/single_3: one token is a special case that returns a one-dimensional mask
# refused, 1.76: shown
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_q == 1:
        return torch.zeros(seq_len_k, dtype=torch.bool, device=device)
    full = torch.ones(seq_len_k, seq_len_k, device=device, dtype=torch.bool).triu(1)
    return full[-seq_len_q:]
# %% strangers_2026_11/two_4: device is ignored | the mask says True = may attend
# refused: inverted
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    pos = torch.arange(cache_len, cache_len + seq_len_q)
    return torch.arange(seq_len_k)[None] <= pos[:, None]
