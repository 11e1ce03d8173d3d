"""Fixed numbers in [-1, 1] with which the entries of a tensor are weighted before they are summed."""

import torch


def fixed_weights(tensor, number):
    """Pseudo-random weights, the same in every process, one for each entry (float64); `which` chooses among
    independent sets of them."""
    index = torch.arange(tensor.numel(), dtype=torch.float64)
    return torch.cos(1 + index * (1.2345 + 0.6180339 * number)).reshape(tensor.shape)
