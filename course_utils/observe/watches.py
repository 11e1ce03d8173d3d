"""Watch what torch does while an answer runs: which tensors would stay on the CPU, how large they get, which
of torch's functions are called. What a check inside the answer does is not watched.
"""

import math
import weakref
from collections import deque
from inspect import getattr_static
from threading import Thread

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from .nested import depth, in_learners_lines

MAKERS = {
    torch.ones, torch.zeros, torch.full, torch.empty, torch.arange, torch.eye, torch.tensor, torch.rand,
    torch.randn, torch.linspace, torch.tril_indices, torch.triu_indices, torch.as_tensor, torch.from_numpy,
    torch.scalar_tensor,
}  # fmt: skip
TENSOR = torch.Tensor
ARRAY, LIST, THREAD = "NumPy", "a Python list", "another thread"
LEAVES_TORCH = {TENSOR.numpy: ARRAY, TENSOR.__array__: ARRAY, TENSOR.__dlpack__: ARRAY, TENSOR.tolist: LIST}
# calls that ask for the device of a tensor
DEVICE_QUERIES = {getattr_static(TENSOR, name).__get__ for name in ("is_cuda", "is_cpu", "is_mps")}
DEVICE_QUERIES.add(TENSOR.get_device)
# operators that accept tensors of two devices
MAY_MIX = {
    TENSOR.__getitem__, TENSOR.__setitem__, TENSOR.index_put, TENSOR.index_put_, torch.index_put,
    TENSOR.copy_, TENSOR.to, TENSOR.cpu, TENSOR.cuda, getattr_static(TENSOR, "data").__set__,
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


def memory_of(tensor):
    """The address of a tensor's memory; 0 if it has none (on meta)."""
    return tensor.untyped_storage().data_ptr()


class Watch(TorchFunctionMode):
    """Passes every call of a torch function to `saw`, once it has returned."""

    def __init__(self):
        super().__init__()
        self.depth = depth()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if depth() == self.depth:  # not of a check inside this one
            self.saw(func, out, args, kwargs or {})
        return out

    def saw(self, func, out, args, kwargs):
        raise NotImplementedError


class DeviceProbe(Watch):
    """Find tensors made on a fixed device, without a GPU (here everything is on the CPU). A tensor made
    without `device=` is called a stray: on a GPU it would stay on the CPU. `clash` is the name of the first
    operator that combines one with a tensor on the inputs' device (it would raise on a GPU), or None.

    Only operations of the learner's own lines count. Code that asks for a tensor's device may behave
    differently on a GPU, which this probe cannot see: from then on no tensor counts as a stray.
    """

    def __init__(self):
        super().__init__()
        self.strays, self.clash, self.device_queried = {}, None, False

    def is_stray(self, tensor):
        ref = self.strays.get(id(tensor))
        return not self.device_queried and ref is not None and ref() is tensor

    def mark(self, value):
        for tensor in tensors_in(value):
            self.strays[id(tensor)] = weakref.ref(tensor)

    def unmark(self, tensor):
        self.strays.pop(id(tensor), None)

    def saw(self, func, out, args, kwargs):
        if func in MAKERS:
            no_device = kwargs.get("device") is None and not (args and isinstance(args[0], torch.Tensor))
            if no_device and in_learners_lines():
                self.mark(out)
        elif func in DEVICE_QUERIES:
            self.device_queried = True
        elif not self.strays:  # the usual case: no tensor to track
            return
        elif func is TENSOR.type_as:
            self.unmark(out)
        elif func == TENSOR.device.__get__ and self.is_stray(args[0]):
            self.device_queried = True
        elif func in (TENSOR.to, TENSOR.type, TENSOR.cpu, TENSOR.cuda):
            self.convert(func, out, args, kwargs)
        else:
            self.combine(func, out, list(tensors_in((args, kwargs))))

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


class SizeWatch(TorchDispatchMode):
    """While active, `shape` is that of the largest tensor so far with `limit` entries or more ([]: none).
    Only new memory counts, not views. If an argument itself has that many entries, tensors of its size or
    larger do not count: they may be copies of it."""

    def __init__(self, limit, arguments=()):
        super().__init__()
        self.largest, self.shape, self.depth = limit - 1, [], depth()
        self.copy_size = min((t.numel() for t in arguments if t.numel() >= limit), default=math.inf)

    @classmethod
    def _should_skip_dynamo(cls):
        """If torch gets True here, the first operator watched imports its compiler (1.4 s)."""
        return False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for tensor in tensors_in(out) if depth() == self.depth else ():
            old = map(memory_of, tensors_in((args, kwargs or {})))
            if self.largest < tensor.numel() < self.copy_size and memory_of(tensor) not in old:
                self.largest, self.shape = tensor.numel(), list(tensor.shape)
        return out


class CallWatch(Watch):
    """While active, `escape` is where the learner's lines take numbers: out of torch, or into a thread; and
    `ready_made` is the first function called of those that must be written by hand. "" for none."""

    def __init__(self, by_hand=()):
        super().__init__()
        self.by_hand, self.ready_made, self.escape = by_hand, "", ""
        self.start = Thread.start

    def __enter__(self):
        watch = self

        def start(self):
            if depth() == watch.depth and in_learners_lines():
                watch.escape = THREAD
            return watch.start(self)

        Thread.start = start
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        Thread.start = self.start

    def saw(self, func, out, args, kwargs):
        name = getattr(func, "__name__", "").removeprefix("special_")
        self.ready_made = self.ready_made or (name if name in self.by_hand else "")
        place = LEAVES_TORCH.get(func)
        if place and args[0].is_floating_point() and args[0].numel() > 1 and in_learners_lines():
            self.escape = place


def entries_held(obj):
    """The number of entries in the memory of all tensors that an object stores, in lists and dicts, too."""
    stored = tensors_in(vars(obj)) if hasattr(obj, "__dict__") else ()
    memories = {memory_of(t): t.untyped_storage().nbytes() // t.itemsize for t in stored}
    return sum(memories.values())
