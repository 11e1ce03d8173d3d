"""Right answers to `create_causal_mask`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% triu_ones: upper triangle above the diagonal
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
# %% arange_broadcast: key position greater than query position
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    i = torch.arange(seq_len_q, device=device).unsqueeze(1)
    j = torch.arange(seq_len_k, device=device).unsqueeze(0)
    return j > i
# %% tril_equals_zero: lower triangle of ones, compared with 0
def create_causal_mask(Tq, seq_len_k=None, device=None):
    Tk = seq_len_k or Tq
    return torch.tril(torch.ones(Tq, Tk, device=device)) == 0
# %% tril_not: boolean lower triangle, negated
from typing import Optional, Union
import torch

def create_causal_mask(
    seq_len_q: int,
    seq_len_k: Optional[int] = None,
    device: Optional[Union[str, torch.device]] = None,
) -> torch.Tensor:
    """True above the diagonal."""
    n_keys = seq_len_k if seq_len_k is not None else seq_len_q
    allowed = torch.ones((seq_len_q, n_keys), dtype=torch.bool, device=device).tril()
    return ~allowed
# %% two_loops: nested Python loops writing single entries
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        seq_len_k = seq_len_q
    mask = torch.zeros(seq_len_q, seq_len_k, dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        for j in range(seq_len_k):
            if j > i:
                mask[i, j] = True
    return mask
# %% row_slices: one slice assignment per query
def create_causal_mask(n, seq_len_k=None, device=None):
    m = n if seq_len_k is None else seq_len_k
    mask = torch.full((n, m), False, device=device)
    for query in range(n):
        mask[query, query + 1:] = True
    return mask
# %% list_of_lists: nested comprehension handed to torch.tensor
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_k or seq_len_q
    return torch.tensor([[j > i for j in range(seq_len_k)] for i in range(seq_len_q)], device=device)
# %% numpy_triu < triu_ones: NumPy mask moved to the device
-     return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
+     m = np.triu(np.ones((seq_len_q, seq_len_k)), k=1).astype(bool)
+     return torch.from_numpy(m).to(device=device)
# %% minus_inf_triangle < triu_ones: the additive triangle, read back as a boolean
-     return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
+     bias = torch.full((seq_len_q, seq_len_k), float("-inf"), device=device).triu(1)
+     return torch.isinf(bias)
# %% stack_rows: one arange comparison per query, stacked
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    keys = torch.arange(seq_len_k, device=device)
    rows = [keys > q for q in range(seq_len_q)]
    return torch.stack(rows, dim=0)
# %% square_then_slice < triu_ones: the biggest square, cut to size (a view of a larger tensor)
-     return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
+     n = max(seq_len_q, seq_len_k)
+     square = torch.ones(n, n, device=device).triu(diagonal=1).bool()
+     return square[:seq_len_q, :seq_len_k]
# %% library_square: nn.Transformer's float mask, cut and turned into a boolean
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    n = max(seq_len_q, seq_len_k)
    square = nn.Transformer.generate_square_subsequent_mask(n, device=device)
    return square[:seq_len_q, :seq_len_k] != 0
# %% meshgrid_lt < triu_ones: two index grids
-     return torch.triu(torch.ones(seq_len_q, seq_len_k, dtype=torch.bool, device=device), diagonal=1)
+     qi, kj = torch.meshgrid(torch.arange(seq_len_q), torch.arange(seq_len_k), indexing="ij")
+     return torch.lt(qi, kj).to(device=device)
# %% cumsum_counts: running sum of the identity, zero before the diagonal is reached
import warnings
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    if seq_len_k is None:
        warnings.warn("no number of keys given: square mask")
        seq_len_k = seq_len_q
    steps = torch.ones(seq_len_q, seq_len_k, dtype=torch.int64, device=device)
    query_pos = torch.cumsum(steps, dim=0)
    key_pos = torch.cumsum(steps, dim=1)
    return torch.logical_not(query_pos >= key_pos)
# %% where_values: torch.where between two tensors, then bool
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    assert seq_len_q >= 1
    if seq_len_k is None:
        seq_len_k = seq_len_q
    diff = torch.arange(seq_len_k, device=device)[None, :] - torch.arange(seq_len_q, device=device)[:, None]
    one = torch.ones_like(diff)
    return torch.where(diff >= 1, one, 0 * one).to(torch.bool)
# %% asserts_on_values: a self-check that reads the numbers
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    k = seq_len_q if seq_len_k is None else seq_len_k
    mask = torch.triu(torch.ones(seq_len_q, k, dtype=torch.bool, device=device), diagonal=1)
    assert not mask[0, 0], "the first token sees itself"
    return mask
# %% nonzero_pairs: the pairs in the future, found with nonzero
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    k = seq_len_q if seq_len_k is None else seq_len_k
    future = (torch.arange(k, device=device)[None] - torch.arange(seq_len_q, device=device)[:, None]).clamp(min=0).nonzero()
    mask = torch.zeros(seq_len_q, k, dtype=torch.bool, device=device)
    mask[future[:, 0], future[:, 1]] = True
    return mask
# %% nonzero_scatter: starts all True and clears the past row by row
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    keys = seq_len_q if seq_len_k is None else seq_len_k
    mask = torch.ones((seq_len_q, keys), dtype=torch.bool, device=device)
    for i in range(seq_len_q):
        mask[i, : i + 1] = False
    return mask
# %% nested_list_tensor: torch.tensor of comprehension
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    n = seq_len_k if seq_len_k is not None else seq_len_q
    return torch.tensor([[key > query for key in range(n)] for query in range(seq_len_q)], dtype=torch.bool, device=device)
# %% cumsum_of_eye: keys up to the diagonal counted
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    seq_len_k = seq_len_q if seq_len_k is None else seq_len_k
    seen_from = torch.eye(seq_len_q, seq_len_k, device=device).cumsum(dim=0)
    return seen_from.eq(0)
