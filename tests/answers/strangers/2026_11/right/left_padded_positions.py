# %% program_1
def left_padded_positions(lengths, max_len):
    rows = [[0] * (max_len - n) + list(range(n)) for n in lengths.tolist()]
    return torch.tensor(rows, device=lengths.device)
