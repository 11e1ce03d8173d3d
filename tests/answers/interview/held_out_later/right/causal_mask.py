# %% causal_mask_01
def causal_mask(T, device=None):
    """(T, T) bool, True where query i (row) may look at key j (column)."""
    return torch.tril(torch.ones(T, T, dtype=torch.bool, device=device))
# %% causal_mask_02
def make_additive_mask(n, dtype=np.float32):
    # add this to the scores: 0 = allowed, -inf = in the future
    m = np.zeros((n, n), dtype=dtype)
    m[np.triu_indices(n, k=1)] = -np.inf
    return m
# %% causal_mask_03
def blocked(seq_len):
    """List of lists; blocked(n)[i][j] is True when token i must NOT see token j."""
    rows = []
    for i in range(seq_len):
        row = []
        for j in range(seq_len):
            row.append(j > i)
        rows.append(row)
    return rows
# %% causal_mask_04
from typing import Optional

import torch

def build_causal_attention_mask(
    query_length: int,
    past_key_values_length: int = 0,
    dtype: torch.dtype = torch.float32,
    device: Optional[torch.device] = None,
) -> torch.Tensor:
    """Additive mask of shape (1, 1, query_length, past + query_length).

    The queries are the last `query_length` positions; 0.0 keeps a score and
    the most negative number of `dtype` removes it.
    """
    key_length = past_key_values_length + query_length
    q_pos = torch.arange(past_key_values_length, key_length, device=device)
    k_pos = torch.arange(key_length, device=device)
    allowed = k_pos[None, :] <= q_pos[:, None]
    mask = torch.zeros(query_length, key_length, dtype=dtype, device=device)
    mask = mask.masked_fill(~allowed, torch.finfo(dtype).min)
    return mask[None, None]
