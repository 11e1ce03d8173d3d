"""Right answers to `create_padding_mask`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% arange_broadcast: positions at or after the length
def create_padding_mask(lengths, max_len):
    positions = torch.arange(max_len, device=lengths.device)
    return positions[None, :] >= lengths[:, None]
# %% not_less: the valid positions, negated
def create_padding_mask(lengths: torch.Tensor, max_len: int) -> torch.Tensor:
    valid = torch.arange(max_len, device=lengths.device).unsqueeze(0) < lengths.unsqueeze(1)
    return ~valid
# %% loop_rows: zeros, then one slice per sequence
def create_padding_mask(lengths, max_len):
    B = lengths.shape[0]
    mask = torch.zeros(B, max_len, dtype=torch.bool, device=lengths.device)
    for b in range(B):
        mask[b, lengths[b]:] = True
    return mask
# %% loop_tolist: Python integers and single entries
def create_padding_mask(lens, max_len):
    mask = torch.ones((len(lens), max_len), dtype=torch.bool, device=lens.device)
    for row, n in enumerate(lens.tolist()):
        for col in range(n):
            mask[row, col] = False
    return mask
# %% list_comprehension: nested lists handed to torch.tensor
def create_padding_mask(lengths, max_len):
    table = [[pos >= n for pos in range(max_len)] for n in lengths.tolist()]
    return torch.tensor(table, dtype=torch.bool, device=lengths.device)
# %% stack_of_rows: one comparison for each length, stacked
def create_padding_mask(lengths, max_len):
    pos = torch.arange(max_len, device=lengths.device)
    return torch.stack([pos >= n for n in lengths])
# %% expand_compare: both sides expanded to (B, max_len) first
def create_padding_mask(lengths, max_len):
    B = lengths.size(0)
    pos = torch.arange(0, max_len, dtype=lengths.dtype, device=lengths.device).expand(B, max_len)
    lim = lengths.view(-1, 1).expand(B, max_len)
    out = torch.ge(pos, lim)
    assert out.shape == (B, max_len)
    return out
# %% cat_zeros_ones: a piece of False and a piece of True for each sequence
def create_padding_mask(lengths, max_len):
    rows = []
    for n in lengths:
        n = int(n)
        keep = torch.zeros(n, dtype=torch.bool)
        pad = torch.ones(max_len - n, dtype=torch.bool)
        rows.append(torch.cat([keep, pad]))
    return torch.stack(rows).to(lengths.device)
# %% tril_lookup: row n of a table of masks, indexed by the lengths
def create_padding_mask(lengths, max_len):
    table = torch.ones(max_len + 1, max_len, device=lengths.device).tril(-1) == 0
    return table[lengths.long()]
# %% numpy: computed in NumPy, brought back
def create_padding_mask(lengths, max_len):
    n = lengths.cpu().numpy()
    grid = np.arange(max_len).reshape(1, -1) >= n.reshape(-1, 1)
    return torch.from_numpy(grid).to(lengths.device)
# %% pad_sequence: ones of each length, padded with 0 by the library
import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

def create_padding_mask(lengths, max_len):
    ones = [torch.ones(int(n), device=lengths.device) for n in lengths]
    padded = pad_sequence(ones, batch_first=True, padding_value=0.0)
    padded = F.pad(padded, (0, max_len - padded.shape[1]))
    return padded == 0
# %% cumsum_scatter: a mark at each length, then a running sum
def create_padding_mask(lengths, max_len):
    marks = torch.zeros(lengths.shape[0], max_len + 1, dtype=torch.long, device=lengths.device)
    marks.scatter_(1, lengths.long().unsqueeze(1), 1)
    return marks.cumsum(dim=1)[:, :max_len].bool()
# %% subtract_and_sign: remaining length, zero or less means padding
import warnings
import torch

def create_padding_mask(lengths, max_len):
    if max_len > 100:
        warnings.warn("long padding mask")
    left = lengths.reshape(-1, 1) - torch.arange(max_len, device=lengths.device)
    return torch.logical_not(left.clamp(min=0).to(torch.bool))
# %% loop_with_slices: a row for each length
def create_padding_mask(lengths, max_len):
    rows = []
    for n in lengths.tolist():
        row = torch.zeros(max_len, dtype=torch.bool, device=lengths.device)
        row[n:] = True
        rows.append(row)
    return torch.stack(rows)
# %% triangle_lookup < tril_lookup: rows of a (max_len + 1) triangle picked by the lengths
~ (max_len + 1, max_len, device=lengths.device).tril(-1) == 0 => (max_len + 1, max_len, dtype=torch.bool, device=lengths.device).triu()
~ return table[lengths.long()] => return table[lengths]
# %% cumsum_of_one_hot: from the length on
def create_padding_mask(lengths, max_len):
    start = F.one_hot(lengths.long(), max_len + 1)[:, :max_len]
    return start.cumsum(dim=1).bool()
