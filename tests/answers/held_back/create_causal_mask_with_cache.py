"""Wrong answers for create_causal_mask_with_cache, one mistake a cell."""
# %% first_rows_of_square < right/full_then_last_rows: cuts the first T_q rows out of the full square mask instead of the last ones
~ full = torch.triu(torch.ones(seq_len_k, seq_len_k, device=device), diagonal=1).bool() => square = torch.triu(torch.ones(seq_len_k, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
~ return full[-seq_len_q:, :] => return square[:seq_len_q, :]
# %% offset_subtracted: moves the diagonal left by the cache length instead of right
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    ones = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    return ones.triu(diagonal=1 - cache_len)
# %% diagonal_one_short < right/f_pad: the offset is the cache length without the + 1, so the current token itself is masked
~ square = torch.full((seq_len_q, seq_len_q), 1.0, device=device).triu(diagonal=1) => full = torch.ones((seq_len_q, seq_len_k), device=device)
~ F.pad(square, (cache_len, 0), value=0.0) => torch.triu(full, diagonal=cache_len)
# %% cached_block_masked: glues a block of True in front of the square mask, so every cached key is forbidden
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    past = torch.ones(seq_len_q, cache_len, dtype=torch.bool, device=device)
    new = torch.ones(seq_len_q, seq_len_k - cache_len, dtype=torch.bool, device=device).triu(1)
    return torch.cat((past, new), dim=-1)
# %% none_for_single_token: returns None when there is one new token instead of an all-False row
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_q == 1:
        return None   # one new token sees everything
    q_pos = cache_len + torch.arange(seq_len_q, device=device)
    k_pos = torch.arange(seq_len_k, device=device)
    return k_pos[None, :] > q_pos[:, None]
# %% square_block_first: puts the causal block of the new tokens before the columns of the cache
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    causal = torch.triu(torch.ones(seq_len_q, seq_len_q, device=device), diagonal=1).bool()
    visible = torch.zeros(seq_len_q, cache_len, device=device).bool()
    return torch.cat([causal, visible], dim=1)
# %% allowed_instead_of_masked < right/loop: writes the right positions but marks what may be seen
~ mask[i, cache_len + i + 1:] = True => mask[i, : cache_len + i + 1] = True
# %% device_forgotten_for_one_token: a shortcut for one new token makes its mask without the device
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_q == 1:
        return torch.zeros(1, seq_len_k, dtype=torch.bool)
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)
# %% width_added: T_k taken as the number of new keys, width cache_len + T_k
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    new = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1)
    old = torch.zeros(seq_len_q, cache_len, dtype=torch.bool, device=device)
    return torch.cat([old, new], dim=1)
# %% no_mask_with_cache: all False as soon as anything is cached
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if cache_len > 0:
        return torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1)
# %% rows_from_full: other rows of the square mask than the last ones
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    full = torch.ones(seq_len_k, seq_len_k, dtype=torch.bool, device=device).triu(1)
    return full[cache_len - seq_len_q : cache_len] if cache_len >= seq_len_q else full[:seq_len_q]
# %% full_slice_minus < right/full_then_last_rows: last rows by -seq_len_q but keys also cut
~ triu(torch.ones(seq_len_k, seq_len_k, device=device), diagonal=1).bool() => ones(seq_len_k, seq_len_k, dtype=torch.bool, device=device).triu(1)
~ return full[-seq_len_q:, :] => return full[cache_len:, cache_len:]
# %% mask_kept_without_device: remembers masks by their sizes and forgets the device
masks = {}

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    sizes = (seq_len_q, seq_len_k, cache_len)
    if sizes not in masks:
        masks[sizes] = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)
    return masks[sizes]
