"""Wrong answers for create_padding_mask, one mistake a cell."""
# %% strictly_greater < right/arange_broadcast: compares with > so the first padding position stays visible
~ return positions[None, :] >= lengths[:, None] => return positions.unsqueeze(0) > lengths.unsqueeze(1)
# %% real_tokens_true: starts from zeros and marks the real tokens, so True means allowed
def create_padding_mask(lengths, max_len):
    mask = torch.zeros(lengths.shape[0], max_len, dtype=torch.bool, device=lengths.device)
    for b, n in enumerate(lengths):
        mask[b, :n] = True
    return mask
# %% negative_slice: marks the last max_len - n positions by a negative slice, which takes the whole row when nothing is padded
def create_padding_mask(lengths, max_len):
    mask = torch.zeros(len(lengths), max_len, dtype=torch.bool, device=lengths.device)
    for b in range(len(lengths)):
        n_pad = max_len - lengths[b]
        mask[b, -n_pad:] = True
    return mask
# %% positions_as_rows < right/arange_broadcast: puts the positions on the rows and the examples on the columns
~ positions = torch.arange(max_len, device=lengths.device) => pos = torch.arange(max_len, device=lengths.device)[:, None]
~ return positions[None, :] >= lengths[:, None] => return pos >= lengths[None, :]
# %% width_of_longest: uses the longest length as the width and ignores max_len
def create_padding_mask(lengths, max_len):
    longest = lengths.max()
    idx = torch.arange(longest, device=lengths.device).expand(len(lengths), -1)
    return idx >= lengths.view(-1, 1)
# %% empty_sequences_kept_alive: raises every length to at least 1, so an empty sequence keeps one visible key
def create_padding_mask(lengths, max_len):
    lengths = torch.clamp(lengths, min=1)   # otherwise the softmax has nothing to look at
    return torch.arange(max_len, device=lengths.device)[None, :] >= lengths[:, None]
# %% positions_on_cpu: makes the positions without a device, so they do not meet lengths on another one
def create_padding_mask(lengths, max_len):
    B = lengths.size(0)
    grid = torch.arange(max_len).repeat(B, 1)
    return ~(grid < lengths.reshape(B, 1))
# %% only_first_pad: only the first padded position True
def create_padding_mask(lengths, max_len):
    return torch.arange(max_len, device=lengths.device)[None] == lengths[:, None]
# %% square < right/arange_broadcast: (B, T, T) padded rows as well
~ positions = torch.arange(max_len, device=lengths.device) => m = torch.arange(max_len, device=lengths.device)[None] >= lengths[:, None]
~ return positions[None, :] >= lengths[:, None] => return m[:, None, :] | m[:, :, None]
# %% inv_cpu < only_first_pad: inverted and off by one
~ [None] = => [None] <
