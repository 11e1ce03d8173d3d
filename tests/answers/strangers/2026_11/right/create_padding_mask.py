# %% program_1
def create_padding_mask(lengths, max_len):
    return torch.arange(max_len, device=lengths.device) >= lengths[:, None]
# %% program_2
def create_padding_mask(lengths, max_len):
    place = torch.ones(len(lengths), max_len, dtype=torch.long, device=lengths.device).cumsum(dim=1)
    return place > lengths.unsqueeze(-1)
