import torch

def create_causal_mask(T, device=None):
    return torch.ones(T, T, dtype=torch.bool, device=device).triu(1)
