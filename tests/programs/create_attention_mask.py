# %% allowed_then_not: the allowed positions multiplied together, negated at the end
# taken
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_k or seq_len_q
    if key_padding_lengths is not None and device is None:
        device = key_padding_lengths.device
    allowed = torch.ones(seq_len_q, seq_len_k, device=device)
    if is_causal:
        allowed = torch.tril(allowed)
    if key_padding_lengths is not None:
        lens = key_padding_lengths.to(allowed.device).view(-1, 1, 1, 1)
        cols = torch.arange(seq_len_k, device=allowed.device).view(1, 1, 1, -1)
        allowed = allowed * (cols < lens)
    return allowed == 0
# %% loops: Python loops over batch, queries and keys
# taken
import torch
def create_attention_mask(Tq, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    Tk = Tq if seq_len_k is None else seq_len_k
    if key_padding_lengths is None:
        out = torch.zeros(Tq, Tk, dtype=torch.bool, device=device)
        for i in range(Tq):
            for j in range(Tk):
                out[i, j] = is_causal and j > i
        return out
    lengths = [int(n) for n in key_padding_lengths]
    dev = key_padding_lengths.device if device is None else device
    out = torch.zeros(len(lengths), 1, Tq, Tk, dtype=torch.bool, device=dev)
    for b, n in enumerate(lengths):
        for i in range(Tq):
            for j in range(Tk):
                if j >= n:
                    out[b, 0, i, j] = True
                elif is_causal and j > i:
                    out[b, 0, i, j] = True
    return out
# %% clone_and_fill: expand, clone and fill the padded columns example by example
# taken
from typing import Optional
import torch

def create_attention_mask(seq_len_q: int, seq_len_k: Optional[int] = None, is_causal: bool = True,
                          key_padding_lengths: Optional[torch.Tensor] = None, device=None) -> torch.Tensor:
    if seq_len_k is None:
        seq_len_k = seq_len_q
    if device is None and key_padding_lengths is not None:
        device = key_padding_lengths.device
    base = torch.full((seq_len_q, seq_len_k), bool(is_causal), dtype=torch.bool, device=device).triu(1)
    if key_padding_lengths is None:
        return base
    B = key_padding_lengths.shape[0]
    full = base.expand(B, 1, seq_len_q, seq_len_k).clone()
    for b in range(B):
        n = key_padding_lengths[b].item()
        full[b, :, :, n:] = True
    return full
# %% minus_inf_sum: additive masks added up, then read as a boolean
# taken
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    NEG = float("-inf")
    dev = device
    if dev is None and key_padding_lengths is not None:
        dev = key_padding_lengths.device
    bias = torch.zeros(seq_len_q, seq_len_k, device=dev)
    if is_causal:
        bias = bias + torch.triu(torch.full((seq_len_q, seq_len_k), NEG, device=dev), diagonal=1)
    if key_padding_lengths is not None:
        pad = torch.arange(seq_len_k, device=dev) >= key_padding_lengths.to(bias.device).unsqueeze(-1)
        pad_bias = torch.zeros(pad.shape, device=dev).masked_fill(pad, NEG)
        bias = bias.unsqueeze(0).unsqueeze(0) + pad_bias.unsqueeze(1).unsqueeze(1)
    return bias == NEG
# %% numpy: built in NumPy, moved at the end
# taken
import numpy as np
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    mask = np.zeros((seq_len_q, seq_len_k), dtype=bool)
    if is_causal:
        mask[np.triu_indices(seq_len_q, 1, seq_len_k)] = True
    if key_padding_lengths is not None:
        if device is None:
            device = key_padding_lengths.device
        n = np.array(key_padding_lengths.tolist())
        pad = np.arange(seq_len_k)[None, :] >= n[:, None]
        mask = mask[None, None] | pad[:, None, None]
    return torch.tensor(mask, device=device)
# %% expanded_view: torch.where on indices; the result without causal part is an expanded view
# taken
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    if device is None and key_padding_lengths is not None:
        device = key_padding_lengths.device
    if key_padding_lengths is None:
        pad = torch.zeros(1, seq_len_k, dtype=torch.bool, device=device)
    else:
        pad = torch.arange(seq_len_k, device=device).expand(len(key_padding_lengths), -1) >= key_padding_lengths.to(device)[:, None]
    pad = pad[:, None, None, :].expand(-1, 1, seq_len_q, -1)
    if not is_causal:
        return pad
    future = torch.ones(seq_len_q, seq_len_k, device=device).tril() == 0
    return torch.where(future, torch.ones_like(pad), pad)
# %% stack_examples: one (T_q, T_k) mask for each example, stacked; a print and asserts
# taken
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    Tk = seq_len_q if seq_len_k is None else seq_len_k
    if device is None:
        device = torch.device("cpu") if key_padding_lengths is None else key_padding_lengths.device
    rows = torch.arange(seq_len_q, device=device).reshape(-1, 1)
    cols = torch.arange(Tk, device=device).reshape(1, -1)
    causal = (cols > rows) & is_causal
    assert causal.shape == (seq_len_q, Tk)
    if key_padding_lengths is None:
        return causal
    each = [causal | (cols >= n) for n in key_padding_lengths.to(device)]
    out = torch.stack(each, dim=0).unsqueeze(1)
    print("mask", tuple(out.shape))
    assert out.dtype == torch.bool
    return out
# %% prints_and_counts: prints how much is masked
# taken
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_k or seq_len_q
    if key_padding_lengths is not None and device is None:
        device = key_padding_lengths.device
    mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    if is_causal:
        mask = mask | torch.ones_like(mask).triu(1)
    if key_padding_lengths is not None:
        padding = torch.arange(seq_len_k, device=device) >= key_padding_lengths[:, None]
        mask = mask | padding[:, None, None, :]
    print(f"{mask.sum().item()} of {mask.numel()} are masked")
    return mask
# %% loops_everywhere: triple loop
# taken
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    if key_padding_lengths is None:
        return torch.tensor([[is_causal and j > i for j in range(seq_len_k)] for i in range(seq_len_q)], dtype=torch.bool, device=device)
    where = device if device is not None else key_padding_lengths.device
    return torch.tensor([[[[(is_causal and j > i) or j >= n for j in range(seq_len_k)] for i in range(seq_len_q)]]
                         for n in key_padding_lengths.tolist()], dtype=torch.bool, device=where).reshape(-1, 1, seq_len_q, seq_len_k)
# %% keep_masks_inverted_at_the_end: allowed = causal AND not padded, then ~
# taken
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T_q, T_k = seq_len_q, seq_len_q if seq_len_k is None else seq_len_k
    if device is None and key_padding_lengths is not None:
        device = key_padding_lengths.device
    keep = torch.ones(T_q, T_k, dtype=torch.bool, device=device)
    if is_causal:
        keep = keep.tril()
    if key_padding_lengths is not None:
        real = torch.arange(T_k, device=device).expand(len(key_padding_lengths), T_k) < key_padding_lengths.to(device).unsqueeze(-1)
        keep = keep.logical_and(real.view(-1, 1, 1, T_k))
    return keep.logical_not()
# %% effective_limit: one comparison with the smaller of two limits
# taken
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    if device is None:
        device = torch.device("cpu") if key_padding_lengths is None else key_padding_lengths.device
    keys = torch.arange(seq_len_k, device=device)
    limit = torch.arange(1, seq_len_q + 1, device=device) if is_causal else torch.full((seq_len_q,), seq_len_k, device=device)
    limit = limit[:, None]
    if key_padding_lengths is not None:
        limit = torch.minimum(limit, key_padding_lengths.to(device)[:, None, None, None])
    return keys >= limit
# %% padding_on_query_rows: puts the padding on the query axis, so whole rows are masked instead of columns
# refused: padding_on_queries
import torch
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
# %% squeezed_at_the_end: calls squeeze on the result, so a batch of one loses its axes
# refused: all_ones_squeezed
import torch
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
# %% device_forgotten_when_nothing_is_masked: the all-False mask is made without the device
# taken, one left 1.9: fixed_device
import torch
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
# %% both_inverted: True = may attend, AND of the two keep masks (whole mask inverted)
# refused: inverted
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    if device is None and key_padding_lengths is not None: device = key_padding_lengths.device
    m = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    if is_causal: m = m.tril()
    if key_padding_lengths is not None:
        m = m & (torch.arange(seq_len_k, device=device) < key_padding_lengths[:, None])[:, None, None, :]
    return m
# %% squeezed: batch axis squeezed away for B=1
# refused, 1.9: one_example_squeezed
import torch
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    if device is None and key_padding_lengths is not None: device = key_padding_lengths.device
    m = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    if is_causal: m = torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1)
    if key_padding_lengths is not None:
        m = m | (torch.arange(seq_len_k, device=device) >= key_padding_lengths[:, None])[:, None, None, :]
        if m.shape[0] == 1: m = m.squeeze(0)
    return m
# %% strangers_2026_11/program_1
# taken
import torch
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
# %% strangers_2026_11/program_2
# taken
import torch
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
# %% strangers_2026_11/crash_1: line `mask | pad`: (T_q, T_k) meets (B, T_k), the padding mask has no axes for heads and queries
# refused: shown
import torch
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
# %% strangers_2026_11/single_2: padding masks the query rows too
# refused: padding_both_sides
import torch
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
# %% strangers_2026_11/single_3: the two masks are joined with "and", so a key is hidden only if both hide it
# refused: joined_with_and
import torch
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
