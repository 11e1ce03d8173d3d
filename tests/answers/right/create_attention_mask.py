"""Right answers to `create_attention_mask`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% or_of_two: causal triangle OR padding, both built inline
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    if device is None and key_padding_lengths is not None:
        device = key_padding_lengths.device
    mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    if is_causal:
        mask = mask | torch.triu(torch.ones_like(mask), diagonal=1)
    if key_padding_lengths is not None:
        lengths = key_padding_lengths.to(mask.device)
        pad = torch.arange(seq_len_k, device=mask.device)[None, :] >= lengths[:, None]
        mask = mask[None, None, :, :] | pad[:, None, None, :]
    return mask
# %% helpers: two helper functions and an early return
def causal_part(n_q, n_k, device):
    return torch.arange(n_k, device=device)[None, :] > torch.arange(n_q, device=device)[:, None]

def padding_part(lengths, n_k):
    return ~(torch.arange(n_k, device=lengths.device).unsqueeze(0) < lengths.unsqueeze(1))

def create_attention_mask(n_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    n_k = n_q if seq_len_k is None else seq_len_k
    if device is None:
        device = key_padding_lengths.device if key_padding_lengths is not None else "cpu"
    if is_causal:
        attn = causal_part(n_q, n_k, device)
    else:
        attn = torch.zeros(n_q, n_k, dtype=torch.bool, device=device)
    if key_padding_lengths is None:
        return attn
    pad = padding_part(key_padding_lengths.to(device), n_k)
    return torch.logical_or(attn.unsqueeze(0).unsqueeze(0), pad.unsqueeze(1).unsqueeze(2))
# %% allowed_then_not: the allowed positions multiplied together, negated at the end
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
# %% leading_ones: always four axes, (1, 1, T_q, T_k) without lengths
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    if device is None and torch.is_tensor(key_padding_lengths):
        device = key_padding_lengths.device
    if is_causal:
        mask = torch.ones(1, 1, seq_len_q, seq_len_k, device=device).triu(1).bool()
    else:
        mask = torch.zeros(1, 1, seq_len_q, seq_len_k, device=device).bool()
    if key_padding_lengths is not None:
        k = torch.arange(seq_len_k, device=device)
        padded = k >= key_padding_lengths.to(device)[:, None, None, None]
        mask = mask | padded
    return mask
# %% min_limit: one comparison with the last key that each query may see
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    if device is None and key_padding_lengths is not None:
        device = key_padding_lengths.device
    j = torch.arange(seq_len_k, device=device)
    if is_causal:
        limit = torch.arange(1, seq_len_q + 1, device=device)
    else:
        limit = torch.full((seq_len_q,), seq_len_k, device=device)
    if key_padding_lengths is None:
        return j >= limit[:, None]
    limit = torch.minimum(limit, key_padding_lengths.to(device)[:, None])
    return j >= limit[:, None, :, None]
# %% minus_inf_sum: additive masks added up, then read as a boolean
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
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    if key_padding_lengths is None:
        return torch.tensor([[is_causal and j > i for j in range(seq_len_k)] for i in range(seq_len_q)], dtype=torch.bool, device=device)
    where = device if device is not None else key_padding_lengths.device
    return torch.tensor([[[[(is_causal and j > i) or j >= n for j in range(seq_len_k)] for i in range(seq_len_q)]]
                         for n in key_padding_lengths.tolist()], dtype=torch.bool, device=where).reshape(-1, 1, seq_len_q, seq_len_k)
# %% keep_masks_inverted_at_the_end: allowed = causal AND not padded, then ~
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
