"""Wrong answers for create_causal_mask, one mistake a cell."""

# %% diagonal_masked: compares with >= so that a token may not see itself and row 0 sees nothing
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    i = torch.arange(seq_len_q, device=device).unsqueeze(1)
    j = torch.arange(seq_len_k, device=device).unsqueeze(0)
    return j >= i

# %% tril_of_ones: returns the lower triangle, True where attention is allowed, so the polarity is inverted
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_k or seq_len_q
    return torch.tril(torch.ones(seq_len_q, seq_len_k, device=device)).bool()

# %% aligned_bottom_right: lines up the last query with the last key, so positions no longer start at 0 when T_k differs
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    T_q = seq_len_q
    T_k = T_q if seq_len_k is None else seq_len_k
    full = torch.ones((T_q, T_k), dtype=torch.bool, device=device)
    return torch.triu(full, diagonal=T_k - T_q + 1)

# %% loop_starts_one_late: the inner loop starts at i + 2, so each token still sees its next token
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        for j in range(i + 2, seq_len_k):
            mask[i, j] = True
    return mask

# %% axes_exchanged: builds the mask with keys as rows and queries as columns
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    q_pos = torch.arange(seq_len_q, device=device)
    k_pos = torch.arange(seq_len_k, device=device)
    return k_pos[:, None] > q_pos[None, :]

# %% float_not_bool: returns zeros and ones as floats instead of a boolean mask
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None: seq_len_k = seq_len_q
    return torch.triu(torch.ones(seq_len_q, seq_len_k, device=device), diagonal=1)

# %% device_unused: builds the mask on the CPU whatever device was asked for
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    n_keys = seq_len_q if seq_len_k is None else seq_len_k
    rows = [[col > row for col in range(n_keys)] for row in range(seq_len_q)]
    return torch.tensor(rows, dtype=torch.bool)

# %% device_forgotten_when_square: passes the device on only when the number of keys is given
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        return torch.triu(torch.ones(seq_len_q, seq_len_q, dtype=torch.bool), diagonal=1)
    return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)

# %% extra_axes: repeats the mask for two examples, an axis that nobody asked for
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None: seq_len_k = seq_len_q
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).triu(1).repeat(2, 1, 1)

# %% tril_and_rect: inverted and bottom-right aligned
import torch
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None: seq_len_k = seq_len_q
    return torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device).tril(seq_len_k - seq_len_q)

# %% list_mask: returns a nested list
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None: seq_len_k = seq_len_q
    return [[j > i for j in range(seq_len_k)] for i in range(seq_len_q)]
