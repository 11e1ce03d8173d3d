# %% crash_1: line `mask | pad`: (T_q, T_k) meets (B, T_k), the padding mask has no axes for heads and queries
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    return torch.arange(seq_len_k, device=device)[None, :] > torch.arange(seq_len_q, device=device)[:, None]

def create_padding_mask(lengths, max_len):
    return torch.arange(max_len, device=lengths.device)[None, :] >= lengths[:, None]

def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_k or seq_len_q
    if key_padding_lengths is not None and device is None:
        device = key_padding_lengths.device
    mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    if is_causal:
        mask = mask | create_causal_mask(seq_len_q, seq_len_k, device=device)
    if key_padding_lengths is not None:
        pad = create_padding_mask(key_padding_lengths, seq_len_k)
        mask = (mask | pad)[:, None]
    return mask
# %% single_2: padding masks the query rows too
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    return torch.arange(seq_len_k, device=device)[None, :] > torch.arange(seq_len_q, device=device)[:, None]

def create_padding_mask(lengths, max_len):
    return torch.arange(max_len, device=lengths.device)[None, :] >= lengths[:, None]

def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    if key_padding_lengths is not None and device is None:
        device = key_padding_lengths.device
    m = create_causal_mask(seq_len_q, seq_len_k, device) if is_causal else \
        torch.zeros((seq_len_q, seq_len_k), dtype=torch.bool, device=device)
    if key_padding_lengths is not None:
        keys = create_padding_mask(key_padding_lengths, seq_len_k)[:, None, None, :]
        queries = create_padding_mask(key_padding_lengths, seq_len_q)[:, None, :, None]
        m = m | keys | queries
    return m
# %% single_3: the two masks are joined with "and", so a key is hidden only if both hide it
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    return torch.arange(seq_len_k, device=device)[None, :] > torch.arange(seq_len_q, device=device)[:, None]

def create_padding_mask(lengths, max_len):
    return torch.arange(max_len, device=lengths.device)[None, :] >= lengths[:, None]

def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    lengths = key_padding_lengths
    if lengths is None:
        if is_causal:
            return create_causal_mask(seq_len_q, seq_len_k, device)
        return torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    pad = create_padding_mask(lengths, seq_len_k)[:, None, None, :].expand(-1, 1, seq_len_q, -1)
    if not is_causal:
        return pad
    return pad & create_causal_mask(seq_len_q, seq_len_k, lengths.device)
