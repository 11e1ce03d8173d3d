# %% crash_1: line `torch.arange(cache_len, seq_len_q)`: the end should be cache_len + seq_len_q; arange fails when cache_len > T_q
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    rows = torch.arange(cache_len, seq_len_q, device=device).unsqueeze(1)
    cols = torch.arange(seq_len_k, device=device).unsqueeze(0)
    return cols > rows
# %% single_2 < right/shifted_triu: off by one: triu begins at cache_len, the query's own key is masked
~ cache_len + 1) => cache_len)
# %% single_3: one token is a special case that returns a one-dimensional mask
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    if seq_len_q == 1:
        return torch.zeros(seq_len_k, dtype=torch.bool, device=device)
    full = torch.ones(seq_len_k, seq_len_k, device=device, dtype=torch.bool).triu(1)
    return full[-seq_len_q:]
# %% two_4: device is ignored | the mask says True = may attend
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    pos = torch.arange(cache_len, cache_len + seq_len_q)
    return torch.arange(seq_len_k)[None] <= pos[:, None]
