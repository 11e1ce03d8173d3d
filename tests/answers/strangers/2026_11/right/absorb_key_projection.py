# %% program_1
def absorb_key_projection(q, k_up_weight):
    B, H, T, d = q.shape
    return q @ k_up_weight.view(H, d, -1)
# %% program_2
def absorb_key_projection(q, k_up_weight):
    H, d = q.shape[1], q.shape[-1]
    return torch.stack([q[:, h] @ k_up_weight[h * d : (h + 1) * d] for h in range(H)], dim=1)
