# %% crash_1: line `torch.ones(seq_len_q, seq_len_k)`: seq_len_k is still None when it is not given
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    return torch.triu(torch.ones(seq_len_q, seq_len_k, device=device), diagonal=1).bool()
# %% single_2 < right/arange_broadcast: the diagonal is masked too (>= instead of >)
~ > i => >= i
# %% two_3: the queries are aligned to the last keys instead of the first | the result holds floats, not bools
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_k or seq_len_q
    full = torch.ones(seq_len_q, seq_len_k, device=device)
    return torch.triu(full, diagonal=seq_len_k - seq_len_q + 1)
