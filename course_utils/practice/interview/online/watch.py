"""A way to call an answer comes in; the sentence for one that looks at all entries at once goes out."""

import builtins
import math
from types import FunctionType

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from .calls import draw

NOT_ONLINE = (
    "not_online",
    "The numbers are right, but a maximum over all entries at once is taken: online means to read them once, "
    "in order, with a running maximum and a sum that is scaled anew whenever the maximum grows.",
)


class Passes(TorchFunctionMode):
    """Notes whether a maximum over at least `n` entries is taken at once."""

    def __init__(self, n):
        super().__init__()
        self.n, self.whole = n, False

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if name in OVER_MANY and isinstance(args[0], torch.Tensor):
            self.whole = self.whole or entries_at_once(name, args, kwargs or {}) >= self.n
        return function(*args, **(kwargs or {}))


OVER_MANY = "max", "amax", "aminmax", "sort", "topk", "argmax", "cummax", "logcumsumexp", "logsumexp"


def entries_at_once(function_name, args, named):
    """How many entries a torch function takes the maximum over: those of its axis, or all of them."""
    shape, name = args[0].shape, named.get("dim", args[1] if len(args) > 1 else None)
    if function_name in ("sort", "topk"):
        name = named.get("dim", args[2] if len(args) > 2 else -1)
    if isinstance(name, torch.Tensor) or "other" in named:
        return 0  # of two tensors, place by place
    axes = name if isinstance(name, tuple | list) else [name]
    whole = [axis for axis in axes if isinstance(axis, int) and -len(shape) <= axis < len(shape)]
    return math.prod(shape[axis] for axis in whole) if whole else math.prod(shape)


class Watched(np.ndarray):
    """The same for NumPy."""

    whole = False

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **named):
        plain = [one.view(np.ndarray) if isinstance(one, Watched) else one for one in inputs]
        if ufunc is np.maximum and method in ("reduce", "accumulate"):
            shape, axis = plain[0].shape, named.get("axis", 0)
            axes = range(len(shape)) if axis is None else np.atleast_1d(axis)
            Watched.whole = Watched.whole or math.prod(shape[one] for one in axes) >= LONG
        if out is not None:
            named["out"] = tuple(one.view(np.ndarray) if isinstance(one, Watched) else one for one in out)
        result = getattr(ufunc, method)(*plain, **named)
        return result.view(Watched) if isinstance(result, np.ndarray) else result


LONG = 300  # more than any usual block


def is_online(obj, way, reading):
    """The sentence for an answer that looks at all entries at once."""
    given = draw(3, LONG, d=2, T_q=2)
    Watched.whole, seen = False, []
    given |= {name: given[name].view(Watched) for name in ("x", "q", "k", "v", "square")}
    written = [obj, *vars(obj).values()] if isinstance(obj, type) else [obj]
    spaces = [one.__globals__ for one in written if isinstance(one, FunctionType)]
    before = [(space, space.get("max", LEFT_OUT)) for space in spaces]

    def watched_max(*args, **named):
        if len(args) == 1 and hasattr(args[0], "__len__") and len(args[0]) >= LONG:
            seen.append(True)
        return builtins.max(*args, **named)

    for space, own in before:
        if own is LEFT_OUT:
            space["max"] = watched_max
    passes = Passes(LONG)
    try:
        with passes:
            way.run(given)
    except Exception:  # what cannot be watched is not held against it
        return None
    finally:
        for space, own in before:
            if own is LEFT_OUT:
                space.pop("max", None)
    return NOT_ONLINE if passes.whole or Watched.whole or seen else None


LEFT_OUT = object()
