"""Watch what an exercise is there to teach: the largest tensor that any operator makes, what an object holds
at the end, ways to compute where neither can be seen, and functions that must be written by hand.

Only new memory counts, not views. If an argument itself has that many entries, tensors of its size or larger
do not count: they may be copies of it.
"""

import math
from threading import Thread

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from .device_probe import tensors_in
from .nested import depth, in_learners_lines

TENSOR = torch.Tensor
ARRAY, LIST, THREAD = "NumPy", "a Python list", "another thread"
LEAVES_TORCH = {TENSOR.numpy: ARRAY, TENSOR.__array__: ARRAY, TENSOR.__dlpack__: ARRAY, TENSOR.tolist: LIST}


class SizeWatch(TorchDispatchMode):
    """While active, `shape` is that of the largest tensor so far with `limit` entries or more ([]: none)."""

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
            if self.largest < tensor.numel() < self.copy_size and is_new(tensor, args, kwargs):
                self.largest, self.shape = tensor.numel(), list(tensor.shape)
        return out


class CallWatch(TorchFunctionMode):
    """While active, `escape` is where the learner's lines take numbers: out of torch, or into a thread; and
    `ready_made` is the first function called of those that must be written by hand. "" for none."""

    def __init__(self, by_hand=()):
        super().__init__()
        self.by_hand, self.ready_made, self.escape = by_hand, "", ""
        self.depth, self.start = depth(), Thread.start

    def __enter__(self):
        watch = self

        def start(thread):
            if depth() == watch.depth and in_learners_lines():
                watch.escape = THREAD
            return watch.start(thread)

        Thread.start = start
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        Thread.start = self.start

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if depth() == self.depth:  # not of a check inside the answer
            name = getattr(func, "__name__", "").removeprefix("special_")
            self.ready_made = self.ready_made or (name if name in self.by_hand else "")
            place = LEAVES_TORCH.get(func)
            if place and args[0].is_floating_point() and args[0].numel() > 1 and in_learners_lines():
                self.escape = place
        return func(*args, **(kwargs or {}))


def is_new(tensor, args, kwargs):
    """Is the tensor in memory that none of the operator's inputs has?"""
    memory = tensor.untyped_storage().data_ptr()
    return all(memory != t.untyped_storage().data_ptr() for t in tensors_in((args, kwargs or {})))


def entries_held(obj):
    """The number of entries in the memory of all tensors that an object stores, in lists and dicts, too."""
    stored = tensors_in(vars(obj)) if hasattr(obj, "__dict__") else ()
    memories = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() // t.itemsize for t in stored}
    return sum(memories.values())
