"""Right answers to `left_padded_positions`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% subtract_and_clamp: places less the padding before them
def left_padded_positions(lengths, max_len):
    places = torch.arange(max_len, device=lengths.device)
    return (places[None, :] - (max_len - lengths)[:, None]).clamp(min=0)
# %% cumsum_of_mask: the running sum over the mask of real tokens
def left_padded_positions(lengths, max_len):
    real = torch.arange(max_len, device=lengths.device) >= (max_len - lengths).unsqueeze(1)
    positions = real.long().cumsum(dim=-1) - 1
    return positions.masked_fill(~real, 0)
# %% fill_rows: zeros, and a range into the end of each row
def left_padded_positions(lengths, max_len):
    out = torch.zeros(len(lengths), max_len, dtype=torch.long, device=lengths.device)
    for b, n in enumerate(lengths.tolist()):
        out[b, max_len - n:] = torch.arange(n, device=lengths.device)
    return out
# %% negative_slice < fill_rows: the same with a negative slice; int32
~ len(lengths), max_len, dtype=torch.long => (lengths.shape[0], max_len), dtype=torch.int32
~ for b, n in enumerate(lengths.tolist()): => for row, n in zip(out, lengths):
~ out[b, max_len - n:] = torch.arange(n, device=lengths.device) => row[-n:] = torch.arange(int(n), dtype=torch.int32, device=lengths.device)
# %% python_lists: nested lists
def left_padded_positions(lengths, max_len):
    rows = []
    for n in lengths.tolist():
        rows.append([max(0, place - (max_len - n)) for place in range(max_len)])
    return torch.tensor(rows, device=lengths.device)
# %% where_and_relu: torch.relu of the difference, lengths from the end
def left_padded_positions(lengths, max_len):
    from_the_end = torch.arange(max_len - 1, -1, -1, device=lengths.device)  # (T,)
    positions = lengths.view(-1, 1) - 1 - from_the_end
    return torch.where(positions > 0, positions, torch.zeros_like(positions))
# %% pad_each: F.pad on the left, stacked
def left_padded_positions(lengths, max_len):
    rows = [F.pad(torch.arange(int(n), device=lengths.device), (max_len - int(n), 0)) for n in lengths]
    assert all(len(row) == max_len for row in rows)
    return torch.stack(rows)
# %% flipped_padding: cumulated from a flipped right-padding mask; a print left in
def left_padded_positions(lengths, max_len):
    padding = (torch.arange(max_len, device=lengths.device)[None] >= lengths[:, None]).flip(1)
    print(padding.int())
    return (~padding).cumsum(1).sub(1).clamp_min(0)
# %% through_numpy: NumPy in between
def left_padded_positions(lengths, max_len):
    n = lengths.detach().cpu().numpy()[:, None]
    return torch.from_numpy(np.maximum(np.arange(max_len)[None, :] - max_len + n, 0)).to(lengths.device)
