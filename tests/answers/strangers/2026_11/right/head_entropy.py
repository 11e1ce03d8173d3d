# %% program_1
def head_entropy(weights):
    B, H, T, _ = weights.shape
    columns = [weights.new_zeros(B, H)]
    for i in range(1, T):
        row = weights[:, :, i, : i + 1]
        safe = torch.where(row > 0, row, torch.ones_like(row))
        columns.append(-(row * safe.log()).sum(-1) / math.log(i + 1))
    return torch.stack(columns, dim=-1)
