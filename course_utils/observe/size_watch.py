"""Find tensors that are too large: which shape has the largest tensor of a given number of entries, or more,
that an operator makes?

Only new memory counts, no view of another tensor. Where an argument itself holds as many entries, tensors
from its size on do not count: they are copies of it.
"""

import math

from torch.utils._python_dispatch import TorchDispatchMode

from .device_probe import tensors_in


class SizeWatch(TorchDispatchMode):
    """While it is on, `shape` becomes that of the largest tensor of `limit` entries or more, [] for none."""

    def __init__(self, limit, arguments=()):
        super().__init__()
        self.most, self.shape = limit - 1, []
        self.copies = min((t.numel() for t in arguments if t.numel() >= limit), default=math.inf)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for tensor in tensors_in(out):
            if self.most < tensor.numel() < self.copies and is_new(tensor, args, kwargs):
                self.most, self.shape = tensor.numel(), list(tensor.shape)
        return out


def is_new(tensor, args, kwargs):
    """Does it lie in memory that none of the operator's inputs has?"""
    memory = tensor.untyped_storage().data_ptr()
    return all(memory != t.untyped_storage().data_ptr() for t in tensors_in((args, kwargs or {})))
