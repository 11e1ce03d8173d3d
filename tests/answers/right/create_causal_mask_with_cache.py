"""Right answers to `create_causal_mask_with_cache`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% shifted_triu: the diagonal moved right by the cache length
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=cache_len + 1)
# %% positions: query i stands at cache_len + i
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    query_pos = cache_len + torch.arange(seq_len_q, device=device)
    key_pos = torch.arange(seq_len_k, device=device)
    return key_pos[None, :] > query_pos[:, None]
# %% shifted_tril: allowed lower triangle, compared with 0
def create_causal_mask_with_cache(Tq, Tk, past, device=None):
    keep = torch.ones(Tq, Tk, device=device).tril(diagonal=past)
    return keep == 0
# %% cat_two_blocks: no mask for the cached part, a square triangle for the new part
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    old = torch.zeros(seq_len_q, cache_len, dtype=torch.bool, device=device)
    new = torch.ones(seq_len_q, seq_len_q, dtype=torch.bool, device=device).triu(1)
    mask = torch.cat([old, new], dim=1)
    assert mask.shape == (seq_len_q, seq_len_k)
    return mask
# %% full_then_last_rows: mask of the whole sequence, only the new rows kept
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    full = torch.triu(torch.ones(seq_len_k, seq_len_k, device=device), diagonal=1).bool()
    return full[-seq_len_q:, :]
# %% full_then_from_cache: the same with a slice from the cache length on
def create_causal_mask_with_cache(n_new: int, n_total: int, n_cached: int, device=None) -> torch.Tensor:
    pos = torch.arange(n_total, device=device)
    everything = pos.unsqueeze(0) > pos.unsqueeze(1)
    return everything[n_cached:n_cached + n_new]
# %% two_loops < loop: nested loops
~ seq_len_q, seq_len_k, dtype => (seq_len_q, seq_len_k), dtype
-         mask[i, cache_len + i + 1:] = True
+         for j in range(seq_len_k):
+             mask[i][j] = j > i + cache_len
# %% row_slices < loop: one slice per query
~ dtype=torch.bool, device => device
~ mask[i, cache_len + i + 1:] = True => mask[i, cache_len + i + 1:] = 1
~ return mask => return mask.bool()
# %% list_comprehension: nested lists
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    rows = [[not (j <= cache_len + i) for j in range(seq_len_k)] for i in range(seq_len_q)]
    return torch.tensor(rows, dtype=torch.bool, device=device)
# %% f_pad: the square mask padded on the left
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    square = torch.full((seq_len_q, seq_len_q), 1.0, device=device).triu(diagonal=1)
    return F.pad(square, (cache_len, 0), value=0.0).to(torch.bool)
# %% from_the_end: aligned by the last row and column
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_k != cache_len + seq_len_q:
        raise ValueError("seq_len_k must be cache_len + seq_len_q")
    left_q = torch.arange(seq_len_q - 1, -1, -1, device=device).view(-1, 1)
    left_k = torch.arange(seq_len_k - 1, -1, -1, device=device).view(1, -1)
    return left_k < left_q
# %% one_token_shortcut: a special case for one new token, numpy otherwise
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_q == 1:
        return torch.zeros(1, seq_len_k, dtype=torch.bool, device=device)
    mask = np.triu(np.ones((seq_len_q, seq_len_k), dtype=bool), k=1 + cache_len)
    return torch.as_tensor(mask, device=device)
# %% additive: minus infinity triangle, then isinf; a print left in
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    bias = torch.zeros(seq_len_q, seq_len_k, device=device)
    future = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)
    bias = bias.masked_fill(future, float("-inf"))
    print("cached", cache_len, "new", seq_len_q)
    return torch.isneginf(bias)
# %% checks_last_row: the last row must be free, read back and asserted
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    mask = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(cache_len + 1)
    if seq_len_k == cache_len + seq_len_q and mask[-1].any():
        raise ValueError("the last token sees everything")
    return mask
# %% last_rows_of_the_square_mask < full_then_last_rows: cut from the full one
~ full = torch.triu(torch.ones(seq_len_k, seq_len_k, device=device), diagonal=1).bool() => square = torch.ones((seq_len_k, seq_len_k), dtype=torch.bool, device=device).triu(1)
~ return full[-seq_len_q:, :] => return square[-seq_len_q:]
# %% loop: fill each row
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        mask[i, cache_len + i + 1:] = True
    return mask
# %% pad: the new square padded on the left
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    assert seq_len_k == cache_len + seq_len_q
    new = torch.ones(seq_len_q, seq_len_q, device=device).triu(1)
    return F.pad(new, (cache_len, 0), value=0.0) > 0.5
