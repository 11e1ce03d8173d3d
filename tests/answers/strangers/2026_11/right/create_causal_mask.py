# %% program_1
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    n = seq_len_k if seq_len_k is not None else seq_len_q
    steps = torch.ones(seq_len_q, n, dtype=torch.long, device=device)
    row = steps.cumsum(0)
    col = steps.cumsum(1)
    return torch.gt(col, row)
