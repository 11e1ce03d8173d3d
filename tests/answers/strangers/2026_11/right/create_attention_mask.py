# %% program_1
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    return torch.arange(seq_len_k, device=device)[None, :] > torch.arange(seq_len_q, device=device)[:, None]

def create_padding_mask(lengths, max_len):
    return torch.arange(max_len, device=lengths.device)[None, :] >= lengths[:, None]

def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    if device is None and key_padding_lengths is not None:
        device = key_padding_lengths.device
    if is_causal:
        mask = create_causal_mask(seq_len_q, seq_len_k, device)
    else:
        mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    if key_padding_lengths is None:
        return mask
    pad = create_padding_mask(key_padding_lengths.to(mask.device), seq_len_k)
    return mask | pad[:, None, None, :]
# %% program_2
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T_q, T_k = seq_len_q, seq_len_q if seq_len_k is None else seq_len_k
    n = key_padding_lengths
    where = device if device is not None else (None if n is None else n.device)
    i = torch.arange(T_q, device=where).view(-1, 1)
    j = torch.arange(T_k, device=where).view(1, -1)
    hidden = (j > i) if is_causal else (j < 0).expand(T_q, T_k)
    if n is not None:
        hidden = torch.logical_or(hidden, j >= n.to(where).view(-1, 1, 1, 1))
    return hidden
