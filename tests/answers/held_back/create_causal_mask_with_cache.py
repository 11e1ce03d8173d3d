"""Wrong answers for create_causal_mask_with_cache, one mistake a cell."""

# %% first_rows_of_square: cuts the first T_q rows out of the full square mask instead of the last ones
import torch

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    square = torch.triu(torch.ones(seq_len_k, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
    return square[:seq_len_q, :]

# %% offset_subtracted: moves the diagonal left by the cache length instead of right
import torch

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    ones = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    return ones.triu(diagonal=1 - cache_len)

# %% diagonal_one_short: the offset is the cache length without the + 1, so the current token itself is masked
import torch

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    full = torch.ones((seq_len_q, seq_len_k), device=device)
    return torch.triu(full, diagonal=cache_len).to(torch.bool)

# %% cached_block_masked: glues a block of True in front of the square mask, so every cached key is forbidden
import torch

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    past = torch.ones(seq_len_q, cache_len, dtype=torch.bool, device=device)
    new = torch.ones(seq_len_q, seq_len_k - cache_len, dtype=torch.bool, device=device).triu(1)
    return torch.cat((past, new), dim=-1)

# %% none_for_single_token: returns None when there is one new token instead of an all-False row
import torch

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_q == 1:
        return None   # one new token sees everything
    q_pos = cache_len + torch.arange(seq_len_q, device=device)
    k_pos = torch.arange(seq_len_k, device=device)
    return k_pos[None, :] > q_pos[:, None]

# %% square_block_first: puts the causal block of the new tokens before the columns of the cache
import torch

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    causal = torch.triu(torch.ones(seq_len_q, seq_len_q, device=device), diagonal=1).bool()
    visible = torch.zeros(seq_len_q, cache_len, device=device).bool()
    return torch.cat([causal, visible], dim=1)

# %% allowed_instead_of_masked: writes the right positions but marks what may be seen
import torch

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        mask[i, : cache_len + i + 1] = True
    return mask

# %% device_forgotten_for_one_token: a shortcut for one new token makes its mask without the device
import torch

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_q == 1:
        return torch.zeros(1, seq_len_k, dtype=torch.bool)
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)

# %% width_added: T_k taken as the number of new keys, width cache_len + T_k
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    new = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1)
    old = torch.zeros(seq_len_q, cache_len, dtype=torch.bool, device=device)
    return torch.cat([old, new], dim=1)

# %% no_mask_with_cache: all False as soon as anything is cached
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if cache_len > 0:
        return torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1)

# %% rows_from_full: other rows of the square mask than the last ones
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    full = torch.ones(seq_len_k, seq_len_k, dtype=torch.bool, device=device).triu(1)
    return full[cache_len - seq_len_q : cache_len] if cache_len >= seq_len_q else full[:seq_len_q]

# %% full_slice_minus: last rows by -seq_len_q but keys also cut
import torch
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    full = torch.ones(seq_len_k, seq_len_k, dtype=torch.bool, device=device).triu(1)
    return full[cache_len:, cache_len:]

# %% mask_kept_without_device: remembers masks by their sizes and forgets the device
import torch

masks = {}

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    sizes = (seq_len_q, seq_len_k, cache_len)
    if sizes not in masks:
        masks[sizes] = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)
    return masks[sizes]
