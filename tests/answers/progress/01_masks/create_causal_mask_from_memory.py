def create_causal_mask_from_memory(T, device=None):
    return torch.ones(T, T, dtype=torch.bool, device=device).triu(1)
