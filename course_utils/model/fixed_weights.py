"""Fixed numbers in [-1, 1] that weight the entries of a tensor before they are summed."""

from functools import lru_cache

import torch


def fixed_weights(tensor, number):
    """Pseudo-random weights, one for each entry (float64), the same in every process; `number` chooses among
    independent sets of them."""
    return flat_weights(tensor.numel(), number).reshape(tensor.shape)


@lru_cache(maxsize=64)  # a check asks for few sizes, again and again
def flat_weights(size, number):
    index = torch.arange(size, dtype=torch.float64)
    return torch.cos(1 + index * (1.2345 + 0.6180339 * number))
