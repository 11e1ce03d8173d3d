"""Fixed numbers in [-1, 1] that weight the entries of a tensor before they are summed."""

import torch


def fixed_weights(tensor, number):
    """Pseudo-random weights, one for each entry (float64), the same in every process; `number` chooses among
    independent sets of them."""
    index = torch.arange(tensor.numel(), dtype=torch.float64)
    return torch.cos(1 + index * (1.2345 + 0.6180339 * number)).reshape(tensor.shape)
