# %% arange_broadcast: positions at or after the length
# taken
import torch
def create_padding_mask(lengths, max_len):
    positions = torch.arange(max_len, device=lengths.device)
    return positions[None, :] >= lengths[:, None]
# %% not_less: the valid positions, negated
# taken
import torch
def create_padding_mask(lengths: torch.Tensor, max_len: int) -> torch.Tensor:
    valid = torch.arange(max_len, device=lengths.device).unsqueeze(0) < lengths.unsqueeze(1)
    return ~valid
# %% loop_tolist: Python integers and single entries
# taken
import torch
def create_padding_mask(lens, max_len):
    mask = torch.ones((len(lens), max_len), dtype=torch.bool, device=lens.device)
    for row, n in enumerate(lens.tolist()):
        for col in range(n):
            mask[row, col] = False
    return mask
# %% stack_of_rows: one comparison for each length, stacked
# taken
import torch
def create_padding_mask(lengths, max_len):
    pos = torch.arange(max_len, device=lengths.device)
    return torch.stack([pos >= n for n in lengths])
# %% expand_compare: both sides expanded to (B, max_len) first
# taken
import torch
def create_padding_mask(lengths, max_len):
    B = lengths.size(0)
    pos = torch.arange(0, max_len, dtype=lengths.dtype, device=lengths.device).expand(B, max_len)
    lim = lengths.view(-1, 1).expand(B, max_len)
    out = torch.ge(pos, lim)
    assert out.shape == (B, max_len)
    return out
# %% cat_zeros_ones: a piece of False and a piece of True for each sequence
# taken
import torch
def create_padding_mask(lengths, max_len):
    rows = []
    for n in lengths:
        n = int(n)
        keep = torch.zeros(n, dtype=torch.bool)
        pad = torch.ones(max_len - n, dtype=torch.bool)
        rows.append(torch.cat([keep, pad]))
    return torch.stack(rows).to(lengths.device)
# %% tril_lookup: row n of a table of masks, indexed by the lengths
# taken
import torch
def create_padding_mask(lengths, max_len):
    table = torch.ones(max_len + 1, max_len, device=lengths.device).tril(-1) == 0
    return table[lengths.long()]
# %% numpy: computed in NumPy, brought back
# taken
import numpy as np
import torch
def create_padding_mask(lengths, max_len):
    n = lengths.cpu().numpy()
    grid = np.arange(max_len).reshape(1, -1) >= n.reshape(-1, 1)
    return torch.from_numpy(grid).to(lengths.device)
# %% pad_sequence: ones of each length, padded with 0 by the library
# taken
import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

def create_padding_mask(lengths, max_len):
    ones = [torch.ones(int(n), device=lengths.device) for n in lengths]
    padded = pad_sequence(ones, batch_first=True, padding_value=0.0)
    padded = F.pad(padded, (0, max_len - padded.shape[1]))
    return padded == 0
# %% subtract_and_sign: remaining length, zero or less means padding
# taken
import warnings
import torch

def create_padding_mask(lengths, max_len):
    if max_len > 100:
        warnings.warn("long padding mask")
    left = lengths.reshape(-1, 1) - torch.arange(max_len, device=lengths.device)
    return torch.logical_not(left.clamp(min=0).to(torch.bool))
# %% loop_with_slices: a row for each length
# taken
import torch
def create_padding_mask(lengths, max_len):
    rows = []
    for n in lengths.tolist():
        row = torch.zeros(max_len, dtype=torch.bool, device=lengths.device)
        row[n:] = True
        rows.append(row)
    return torch.stack(rows)
# %% cumsum_of_one_hot: from the length on
# taken
import torch.nn.functional as F
def create_padding_mask(lengths, max_len):
    start = F.one_hot(lengths.long(), max_len + 1)[:, :max_len]
    return start.cumsum(dim=1).bool()
# %% empty_sequences_kept_alive: raises every length to at least 1, so an empty sequence keeps one visible key
# refused, 1.88: shown
import torch
def create_padding_mask(lengths, max_len):
    lengths = torch.clamp(lengths, min=1)   # otherwise the softmax has nothing to look at
    return torch.arange(max_len, device=lengths.device)[None, :] >= lengths[:, None]
# %% positions_on_cpu: makes the positions without a device, so they do not meet lengths on another one
# taken, one left 1.88: fixed_device
import torch
def create_padding_mask(lengths, max_len):
    B = lengths.size(0)
    grid = torch.arange(max_len).repeat(B, 1)
    return ~(grid < lengths.reshape(B, 1))
# %% strangers_2026_11/program_1
# taken
import torch
def create_padding_mask(lengths, max_len):
    return torch.arange(max_len, device=lengths.device) >= lengths[:, None]
# %% strangers_2026_11/program_2
# taken
import torch
def create_padding_mask(lengths, max_len):
    place = torch.ones(len(lengths), max_len, dtype=torch.long, device=lengths.device).cumsum(dim=1)
    return place > lengths.unsqueeze(-1)
# %% strangers_2026_11/crash_1: line `torch.arange(max_len) >= lengths`: lengths has no second axis, (max_len,) does not fit (B,)
# refused: transposed
import torch
def create_padding_mask(lengths, max_len):
    positions = torch.arange(max_len, device=lengths.device)
    return positions >= lengths
# %% strangers_2026_11/crash_2: line `first[rows, lengths] = True`: index out of range for a length equal to max_len
# refused, 1.76: index_out_of_range
import torch
def create_padding_mask(lengths, max_len):
    B = lengths.shape[0]
    first = torch.zeros(B, max_len, dtype=torch.int64, device=lengths.device)
    rows = torch.arange(B, device=lengths.device)
    first[rows, lengths] = 1
    return first.cumsum(dim=1).bool()
# %% strangers_2026_11/single_3: True for real tokens, as in the attention_mask of Hugging Face
# refused: inverted
import torch
def create_padding_mask(lengths, max_len):
    return (torch.arange(max_len, device=lengths.device)[None] < lengths[:, None]).bool()
# %% strangers_2026_11/two_4: pads on the left instead of the right | the width is the longest length, not max_len
# refused: shown
import torch
def create_padding_mask(lengths, max_len):
    width = int(lengths.max())
    pos = torch.arange(width, device=lengths.device)
    return pos[None, :] < (width - lengths)[:, None]
