# %% cumsum_of_mask: the running sum over the mask of real tokens
# taken
import torch
def left_padded_positions(lengths, max_len):
    real = torch.arange(max_len, device=lengths.device) >= (max_len - lengths).unsqueeze(1)
    positions = real.long().cumsum(dim=-1) - 1
    return positions.masked_fill(~real, 0)
# %% fill_rows: zeros, and a range into the end of each row
# taken
import torch
def left_padded_positions(lengths, max_len):
    out = torch.zeros(len(lengths), max_len, dtype=torch.long, device=lengths.device)
    for b, n in enumerate(lengths.tolist()):
        out[b, max_len - n:] = torch.arange(n, device=lengths.device)
    return out
# %% negative_slice: the same with a negative slice; int32
# taken
import torch
def left_padded_positions(lengths, max_len):
    out = torch.zeros((lengths.shape[0], max_len), dtype=torch.int32, device=lengths.device)
    for row, n in zip(out, lengths):
        row[-n:] = torch.arange(int(n), dtype=torch.int32, device=lengths.device)
    return out
# %% where_and_relu: torch.relu of the difference, lengths from the end
# taken
import torch
def left_padded_positions(lengths, max_len):
    from_the_end = torch.arange(max_len - 1, -1, -1, device=lengths.device)  # (T,)
    positions = lengths.view(-1, 1) - 1 - from_the_end
    return torch.where(positions > 0, positions, torch.zeros_like(positions))
# %% pad_each: F.pad on the left, stacked
# taken
import torch
import torch.nn.functional as F
def left_padded_positions(lengths, max_len):
    rows = [F.pad(torch.arange(int(n), device=lengths.device), (max_len - int(n), 0)) for n in lengths]
    assert all(len(row) == max_len for row in rows)
    return torch.stack(rows)
# %% flipped_padding: cumulated from a flipped right-padding mask; a print left in
# taken
import torch
def left_padded_positions(lengths, max_len):
    padding = (torch.arange(max_len, device=lengths.device)[None] >= lengths[:, None]).flip(1)
    print(padding.int())
    return (~padding).cumsum(1).sub(1).clamp_min(0)
# %% through_numpy: NumPy in between
# taken
import numpy as np
import torch
def left_padded_positions(lengths, max_len):
    n = lengths.detach().cpu().numpy()[:, None]
    return torch.from_numpy(np.maximum(np.arange(max_len)[None, :] - max_len + n, 0)).to(lengths.device)
# %% batch_of_the_longest: pads only up to the longest prompt, and puts the rest of the places behind
# refused: axis_shifted
import torch
def left_padded_positions(lengths, max_len):
    longest = int(lengths.max())
    out = torch.zeros(len(lengths), max_len, dtype=torch.long)
    for b, n in enumerate(lengths.tolist()):
        out[b, longest - n:longest] = torch.arange(n)
    return out
# %% divided_by_the_length: positions as a share of the prompt
# refused: shown
import torch
def left_padded_positions(lengths, max_len):
    t = torch.arange(max_len, device=lengths.device)
    return (t - (max_len - lengths)[:, None]).clamp(min=0) / lengths[:, None]
# %% list_of_ranges: a list with one row for each prompt
# refused: number_of_results
import torch
def left_padded_positions(lengths, max_len):
    return [torch.arange(max_len) - (max_len - int(n)) for n in lengths]
# %% running_over_rows: one cumsum over the flattened mask, so that the rows go on counting
# refused: shown
import torch
def left_padded_positions(lengths, max_len):
    real = torch.arange(max_len, device=lengths.device) >= (max_len - lengths)[:, None]
    return (real.flatten().long().cumsum(0) - 1).view(real.shape) * real
# %% lengths_changed: turns the lengths into numbers of padding in place
# taken, one left 1.9: changes_input
import torch
def left_padded_positions(lengths, max_len):
    lengths.neg_().add_(max_len)
    return (torch.arange(max_len, device=lengths.device) - lengths[:, None]).clamp(min=0)
# %% cpu_range: the range is made on the CPU
# taken, one left 1.9: fixed_device
import torch
def left_padded_positions(lengths, max_len):
    return (torch.arange(max_len) - (max_len - lengths)[:, None]).clamp(min=0)
# %% modulo_of_two: keeps only every other position apart
# refused: shown
import torch
def left_padded_positions(lengths, max_len):
    t = torch.arange(max_len, device=lengths.device)
    return (t - (max_len - lengths)[:, None]).clamp(min=0) // 2 * 2
# %% first_token_counted_twice: the running sum is shifted by one place
# refused, 1.7: shown
import torch
def left_padded_positions(lengths, max_len):
    real = (torch.arange(max_len, device=lengths.device) >= (max_len - lengths)[:, None]).long()
    return real.cumsum(1).roll(1, 1) * real
# %% strangers_2026_11/program_1
# taken
import torch
def left_padded_positions(lengths, max_len):
    rows = [[0] * (max_len - n) + list(range(n)) for n in lengths.tolist()]
    return torch.tensor(rows, device=lengths.device)
# %% strangers_2026_11/crash_1: line `torch.arange(max_len) - (max_len - lengths)`: (max_len,) meets (B,), an axis is missing
# refused: transposed
import torch
def left_padded_positions(lengths, max_len):
    pos = torch.arange(max_len, device=lengths.device) - (max_len - lengths)
    return torch.maximum(pos, torch.zeros_like(pos))
# %% strangers_2026_11/single_2: the padding gets position 1, as in Hugging Face's masked_fill_(mask == 0, 1)
# refused: padding_one
import torch
def left_padded_positions(lengths, max_len):
    i = torch.arange(max_len, device=lengths.device)
    attention_mask = (i[None] >= (max_len - lengths)[:, None]).long()
    position_ids = attention_mask.cumsum(-1) - 1
    position_ids.masked_fill_(attention_mask == 0, 1)
    return position_ids
# %% strangers_2026_11/single_3: the padding gets negative positions
# refused: padding_negative
import torch
def left_padded_positions(lengths, max_len):
    columns = torch.arange(max_len, device=lengths.device)
    return columns.unsqueeze(0) + lengths.unsqueeze(1) - max_len
# %% strangers_2026_11/two_4: counts from 1 | the result holds floats
# refused: from_one
import torch
def left_padded_positions(lengths, max_len):
    out = torch.zeros(len(lengths), max_len)
    for b, n in enumerate(lengths.tolist()):
        out[b, max_len - n:] = torch.arange(1, n + 1)
    return out
