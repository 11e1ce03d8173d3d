"""Find tensors that are too large: which shape has the largest result of an operator that holds a given
number of entries, or more?

Entries are counted as they lie in memory: of a tensor that `expand` repeats, only those that are there.
"""

from torch.utils._python_dispatch import TorchDispatchMode

from .device_probe import tensors_in


class SizeWatch(TorchDispatchMode):
    """While it is on, `shape` becomes that of the largest tensor of `limit` entries or more, [] for none."""

    def __init__(self, limit):
        super().__init__()
        self.most, self.shape = limit - 1, []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for tensor in tensors_in(out):
            if entries(tensor) > self.most:
                self.most, self.shape = entries(tensor), list(tensor.shape)
        return out


def entries(tensor):
    return min(tensor.numel(), tensor.untyped_storage().nbytes() // tensor.element_size())
