# %% crash_1: line `torch.arange(max_len) - (max_len - lengths)`: (max_len,) meets (B,), an axis is missing
def left_padded_positions(lengths, max_len):
    pos = torch.arange(max_len, device=lengths.device) - (max_len - lengths)
    return torch.maximum(pos, torch.zeros_like(pos))
# %% single_2: the padding gets position 1, as in Hugging Face's masked_fill_(mask == 0, 1)
def left_padded_positions(lengths, max_len):
    i = torch.arange(max_len, device=lengths.device)
    attention_mask = (i[None] >= (max_len - lengths)[:, None]).long()
    position_ids = attention_mask.cumsum(-1) - 1
    position_ids.masked_fill_(attention_mask == 0, 1)
    return position_ids
# %% single_3: the padding gets negative positions
def left_padded_positions(lengths, max_len):
    columns = torch.arange(max_len, device=lengths.device)
    return columns.unsqueeze(0) + lengths.unsqueeze(1) - max_len
# %% two_4 < right/fill_rows: counts from 1 | the result holds floats
~ , dtype=torch.long, device=lengths.device) => )
~ n, device=lengths.device => 1, n + 1
