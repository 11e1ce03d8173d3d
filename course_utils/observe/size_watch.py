"""Find tensors that are too large: the shape of the largest tensor with at least a given number of entries
that any operator makes.

Only new memory counts, not views. If an argument itself has that many entries, tensors of its size or larger
do not count: they may be copies of it.
"""

import math

from torch.utils._python_dispatch import TorchDispatchMode

from .device_probe import tensors_in
from .nested import depth


class SizeWatch(TorchDispatchMode):
    """While active, `shape` is that of the largest tensor so far with `limit` entries or more; [] for
    none."""

    def __init__(self, limit, arguments=()):
        super().__init__()
        self.largest, self.shape, self.depth = limit - 1, [], depth()
        self.copy_size = min((t.numel() for t in arguments if t.numel() >= limit), default=math.inf)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for tensor in tensors_in(out) if depth() == self.depth else ():
            if self.largest < tensor.numel() < self.copy_size and is_new(tensor, args, kwargs):
                self.largest, self.shape = tensor.numel(), list(tensor.shape)
        return out


def is_new(tensor, args, kwargs):
    """Is the tensor in memory that none of the operator's inputs has?"""
    memory = tensor.untyped_storage().data_ptr()
    return all(memory != t.untyped_storage().data_ptr() for t in tensors_in((args, kwargs or {})))
