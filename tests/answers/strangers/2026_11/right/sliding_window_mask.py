# %% program_1
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    offset = seq_len_k - seq_len_q
    full = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    too_old = full.tril(offset - window)
    too_old[:, :sinks] = False
    return full.triu(offset + 1) | too_old
