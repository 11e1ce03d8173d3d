"""Wrong answers for create_attention_mask, one mistake a cell."""
# %% causal_returns_early: returns the causal mask before looking at the lengths, so padding is dropped when causal
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    if device is None and key_padding_lengths is not None:
        device = key_padding_lengths.device
    if is_causal:
        m = torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
        if key_padding_lengths is not None:
            return m.expand(key_padding_lengths.size(0), 1, seq_len_q, seq_len_k)
        return m
    m = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    if key_padding_lengths is not None:
        pad = torch.arange(seq_len_k, device=device) >= key_padding_lengths.unsqueeze(1)
        m = m | pad[:, None, None, :]
    return m
# %% exclusive_or: joins the two masks with ^ so a key that is both padded and in the future becomes visible
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T_k = seq_len_q if seq_len_k is None else seq_len_k
    if key_padding_lengths is not None:
        device = key_padding_lengths.device
    q = torch.arange(seq_len_q, device=device)
    k = torch.arange(T_k, device=device)
    mask = (k[None, :] > q[:, None]) & is_causal
    if key_padding_lengths is None:
        return mask
    padding = (k[None, :] >= key_padding_lengths[:, None]).view(-1, 1, 1, T_k)
    return mask ^ padding
# %% padding_on_query_rows: puts the padding on the query axis, so whole rows are masked instead of columns
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_k or seq_len_q
    if device is None and key_padding_lengths is not None:
        device = key_padding_lengths.device
    mask = torch.zeros(seq_len_q, seq_len_k, device=device).bool()
    if is_causal:
        mask = torch.ones(seq_len_q, seq_len_k, device=device).triu(1).bool()
    if key_padding_lengths is not None:
        pad = torch.arange(seq_len_q, device=device)[None, :] >= key_padding_lengths[:, None]   # (B, T)
        mask = mask[None, None] | pad[:, None, :, None]
    return mask
# %% no_head_axis: returns (B, T_q, T_k), without the axis of 1 that stands for the heads
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    if key_padding_lengths is not None and device is None:
        device = key_padding_lengths.device
    rows = torch.arange(seq_len_q, device=device)[:, None]
    cols = torch.arange(seq_len_k, device=device)[None, :]
    mask = cols > rows if is_causal else torch.zeros_like(cols > rows)
    if key_padding_lengths is not None:
        mask = mask.unsqueeze(0) | (cols >= key_padding_lengths[:, None]).unsqueeze(1)
    return mask
# %% squeezed_at_the_end: calls squeeze on the result, so a batch of one loses its axes
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if seq_len_k is None: seq_len_k = seq_len_q
    if key_padding_lengths is None:
        lengths = torch.tensor([seq_len_k], device=device)
    else:
        lengths = key_padding_lengths
    pad = torch.arange(seq_len_k, device=lengths.device)[None, None, None, :] >= lengths[:, None, None, None]
    causal = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=lengths.device).triu(diagonal=1)
    if not is_causal:
        causal = torch.zeros_like(causal)
    return (causal | pad).squeeze()
# %% not_expanded: without causality it returns (B, 1, 1, T_k) and leaves the query axis to broadcasting
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T_q, T_k = seq_len_q, (seq_len_q if seq_len_k is None else seq_len_k)
    pad = None
    if key_padding_lengths is not None:
        device = key_padding_lengths.device
        pad = (torch.arange(T_k, device=device) >= key_padding_lengths[:, None])[:, None, None, :]
    if is_causal:
        causal = torch.triu(torch.ones(T_q, T_k, dtype=torch.bool, device=device), 1)
        return causal if pad is None else causal | pad
    if pad is None:
        return torch.zeros(T_q, T_k, dtype=torch.bool, device=device)
    return pad
# %% none_when_nothing_masked: returns None when there is neither causality nor padding
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    mask = None
    if is_causal:
        dev = device if key_padding_lengths is None else key_padding_lengths.device
        mask = torch.ones(seq_len_q, seq_len_k, device=dev).triu(1) == 1
    if key_padding_lengths is not None:
        pos = torch.arange(seq_len_k, device=key_padding_lengths.device)
        pad = (pos >= key_padding_lengths[:, None])[:, None, None].expand(-1, 1, seq_len_q, -1)
        mask = pad if mask is None else mask | pad
    return mask
# %% device_forgotten_when_nothing_is_masked: the all-False mask is made without the device
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    if is_causal:
        mask = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1)
    else:
        mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool)
    if key_padding_lengths is not None:
        padded = torch.arange(seq_len_k, device=key_padding_lengths.device) >= key_padding_lengths[:, None]
        mask = mask.to(padded.device) | padded[:, None, None, :]
    return mask
# %% both_inverted < bottom_right_pad: True = may attend, AND of the two keep masks (whole mask inverted)
-     m = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
-     if is_causal: m = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1 + seq_len_k - seq_len_q)
+     m = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
+     if is_causal: m = m.tril()
~ | (torch.arange(seq_len_k, device=device) >= key_padding_lengths[:, None]) => & (torch.arange(seq_len_k, device=device) < key_padding_lengths[:, None])
# %% squeezed < bottom_right_pad: batch axis squeezed away for B=1
~ 1 + seq_len_k - seq_len_q => 1
          m = m | (torch.arange(seq_len_k, device=device) >= key_padding_lengths[:, None])[:, None, None, :]
+         if m.shape[0] == 1: m = m.squeeze(0)
# %% bottom_right_pad: causal bottom-right aligned, as in caching
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    if device is None and key_padding_lengths is not None: device = key_padding_lengths.device
    m = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    if is_causal: m = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1 + seq_len_k - seq_len_q)
    if key_padding_lengths is not None:
        m = m | (torch.arange(seq_len_k, device=device) >= key_padding_lengths[:, None])[:, None, None, :]
    return m
