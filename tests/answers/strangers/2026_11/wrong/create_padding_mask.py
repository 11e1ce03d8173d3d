# %% crash_1 < right/arange_broadcast: line `torch.arange(max_len) >= lengths`: lengths has no second axis, (max_len,) does not fit (B,)
~ positions[None, :] >= lengths[:, None] => positions >= lengths
# %% crash_2: line `first[rows, lengths] = True`: index out of range for a length equal to max_len
def create_padding_mask(lengths, max_len):
    B = lengths.shape[0]
    first = torch.zeros(B, max_len, dtype=torch.int64, device=lengths.device)
    rows = torch.arange(B, device=lengths.device)
    first[rows, lengths] = 1
    return first.cumsum(dim=1).bool()
# %% single_3 < strangers/2026_11/right/program_1: True for real tokens, as in the attention_mask of Hugging Face
~ torch.arange(max_len, device=lengths.device) >= lengths[:, None] => (torch.arange(max_len, device=lengths.device)[None] < lengths[:, None]).bool()
# %% two_4: pads on the left instead of the right | the width is the longest length, not max_len
def create_padding_mask(lengths, max_len):
    width = int(lengths.max())
    pos = torch.arange(width, device=lengths.device)
    return pos[None, :] < (width - lengths)[:, None]
