"""Find tensors made on a fixed device, without a GPU: which operators combine them with the inputs?

A tensor made without `device=` is called away, a tensor on the device of the inputs home. Both are really on
the CPU; on a GPU an operator that takes one of each would raise.
"""

import weakref

import torch
from torch.overrides import TorchFunctionMode

MAKERS = {
    torch.ones, torch.zeros, torch.full, torch.empty, torch.arange, torch.eye, torch.tensor, torch.rand,
    torch.randn, torch.linspace, torch.tril_indices, torch.triu_indices, torch.as_tensor, torch.from_numpy,
    torch.scalar_tensor,
}  # fmt: skip
TENSOR = torch.Tensor
# calls that ask for the device of a tensor
ASKS = {TENSOR.is_cuda.__get__, TENSOR.is_cpu.__get__, TENSOR.is_mps.__get__, TENSOR.get_device}
# operators that accept tensors of two devices
MAY_MIX = {
    TENSOR.__getitem__, TENSOR.__setitem__, TENSOR.index_put, TENSOR.index_put_, torch.index_put,
    TENSOR.copy_, TENSOR.to, TENSOR.cpu, TENSOR.cuda, TENSOR.data.__set__,
}  # fmt: skip


def tensors_in(value):
    """Every tensor inside nested tuples, lists and dicts."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        yield from tensors_in(list(value.values()))


class DeviceProbe(TorchFunctionMode):
    """Track the tensors made without `device=` ("away"). `clash` is the name of the first operator that
    combines one with a tensor on the inputs' device (it would raise on a GPU), or None.

    Code that asks for a tensor's device may behave differently on a GPU, which this probe cannot see: from
    then on no tensor counts as away.
    """

    def __init__(self):
        super().__init__()
        self.away, self.clash, self.asked = {}, None, False

    def is_away(self, tensor):
        ref = self.away.get(id(tensor))
        return not self.asked and ref is not None and ref() is tensor

    def mark(self, value):
        for tensor in tensors_in(value):
            self.away[id(tensor)] = weakref.ref(tensor)

    def unmark(self, tensor):
        self.away.pop(id(tensor), None)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        if func in MAKERS:
            if kwargs.get("device") is None and not (args and isinstance(args[0], torch.Tensor)):
                self.mark(out)
        elif func in ASKS:
            self.asked = True
        elif not self.away:  # the usual case: no tensor to track
            return out
        elif func is TENSOR.type_as:
            self.unmark(out)
        elif func == TENSOR.device.__get__ and self.is_away(args[0]):
            self.asked = True
        elif func in (TENSOR.to, TENSOR.type, TENSOR.cpu, TENSOR.cuda):
            self.convert(func, out, args, kwargs)
        else:
            self.combine(func, out, list(tensors_in((args, kwargs))))
        return out

    def convert(self, func, out, args, kwargs):
        """`.to(device)`, `.to(other)` and `.type("torch.FloatTensor")` choose a device, so the result is not
        away; `.to(dtype)` changes nothing about that."""
        arguments = (*args[1:], *kwargs.values())
        names_device = any(isinstance(value, (torch.device, str, torch.Tensor)) for value in arguments)
        if func in (TENSOR.cpu, TENSOR.cuda) or names_device:
            self.unmark(out)
        elif self.is_away(args[0]):
            self.mark(out)

    def combine(self, func, out, tensors):
        """Record a clash; a result made only of tensors that are away (and numbers) is away, too."""
        away = [t for t in tensors if self.is_away(t)]
        if not away:
            return
        home = [t for t in tensors if not self.is_away(t) and t.dim() > 0]
        if not home:
            self.mark(out)
        elif func not in MAY_MIX and any(t.dim() > 0 for t in away):
            self.clash = self.clash or getattr(func, "__name__", str(func))
