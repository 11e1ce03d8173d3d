# %% program_1
def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    q_pos = cache_len + torch.arange(seq_len_q, device=device)
    k_pos = torch.arange(seq_len_k, device=device)
    return q_pos[:, None] < k_pos[None, :]
