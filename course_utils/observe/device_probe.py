"""Find tensors made on a fixed device, without a GPU: which operators combine them with the inputs?

A tensor made without `device=` is called a stray: on a GPU it would stay on the CPU, and an operator that
combines it with an input would raise. (Here everything is on the CPU.)
"""

import weakref
from collections import deque

import torch
from torch.overrides import TorchFunctionMode

from .nested import depth, in_learners_lines

MAKERS = {
    torch.ones, torch.zeros, torch.full, torch.empty, torch.arange, torch.eye, torch.tensor, torch.rand,
    torch.randn, torch.linspace, torch.tril_indices, torch.triu_indices, torch.as_tensor, torch.from_numpy,
    torch.scalar_tensor,
}  # fmt: skip
TENSOR = torch.Tensor
# calls that ask for the device of a tensor
DEVICE_QUERIES = {TENSOR.is_cuda.__get__, TENSOR.is_cpu.__get__, TENSOR.is_mps.__get__, TENSOR.get_device}
# operators that accept tensors of two devices
MAY_MIX = {
    TENSOR.__getitem__, TENSOR.__setitem__, TENSOR.index_put, TENSOR.index_put_, torch.index_put,
    TENSOR.copy_, TENSOR.to, TENSOR.cpu, TENSOR.cuda, TENSOR.data.__set__,
}  # fmt: skip


def tensors_in(value):
    """Every tensor inside nested tuples, lists, deques and dicts."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list, deque)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        yield from tensors_in(list(value.values()))


class DeviceProbe(TorchFunctionMode):
    """Track the strays (tensors made without `device=`). `clash` is the name of the first operator that
    combines one with a tensor on the inputs' device (it would raise on a GPU), or None.

    Only operations of the learner's own lines count. Code that asks for a tensor's device may behave
    differently on a GPU, which this probe cannot see: from then on no tensor counts as a stray.
    """

    def __init__(self):
        super().__init__()
        self.strays, self.clash, self.device_queried = {}, None, False
        self.depth = depth()

    def is_stray(self, tensor):
        ref = self.strays.get(id(tensor))
        return not self.device_queried and ref is not None and ref() is tensor

    def mark(self, value):
        for tensor in tensors_in(value):
            self.strays[id(tensor)] = weakref.ref(tensor)

    def unmark(self, tensor):
        self.strays.pop(id(tensor), None)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        if depth() != self.depth:  # of a check inside this one
            return out
        if func in MAKERS:
            no_device = kwargs.get("device") is None and not (args and isinstance(args[0], torch.Tensor))
            if no_device and in_learners_lines():
                self.mark(out)
        elif func in DEVICE_QUERIES:
            self.device_queried = True
        elif not self.strays:  # the usual case: no tensor to track
            return out
        elif func is TENSOR.type_as:
            self.unmark(out)
        elif func == TENSOR.device.__get__ and self.is_stray(args[0]):
            self.device_queried = True
        elif func in (TENSOR.to, TENSOR.type, TENSOR.cpu, TENSOR.cuda):
            self.convert(func, out, args, kwargs)
        else:
            self.combine(func, out, list(tensors_in((args, kwargs))))
        return out

    def convert(self, func, out, args, kwargs):
        """`.to(device)`, `.to(other)` and `.type("torch.FloatTensor")` choose a device, so the result is no
        stray; `.to(dtype)` of a stray is one."""
        arguments = (*args[1:], *kwargs.values())
        names_device = any(isinstance(value, (torch.device, str, torch.Tensor)) for value in arguments)
        if func in (TENSOR.cpu, TENSOR.cuda) or names_device:
            self.unmark(out)
        elif self.is_stray(args[0]):
            self.mark(out)

    def combine(self, func, out, tensors):
        """Record a clash; a result made only of strays (and numbers) is a stray, too."""
        strays = [t for t in tensors if self.is_stray(t)]
        if not strays:
            return
        others = [t for t in tensors if not self.is_stray(t) and t.dim() > 0]
        if not others:
            self.mark(out)
        elif func not in MAY_MIX and any(t.dim() > 0 for t in strays) and in_learners_lines():
            self.clash = self.clash or getattr(func, "__name__", str(func))
