"""A way to call an answer comes in; the sentence for one that looks at all entries at once goes out."""

import builtins
from types import FunctionType

import numpy as np
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
        if name in (
            "max",
            "amax",
            "aminmax",
            "sort",
            "topk",
            "argmax",
            "cummax",
            "logcumsumexp",
            "logsumexp",
        ):
            shape = getattr(args[0], "shape", ())
            self.whole = self.whole or bool(shape) and max(shape) >= self.n
        return function(*args, **(kwargs or {}))


class Watched(np.ndarray):
    """The same for NumPy."""

    whole = False

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **named):
        plain = [one.view(np.ndarray) if isinstance(one, Watched) else one for one in inputs]
        if (
            ufunc is np.maximum
            and method in ("reduce", "accumulate")
            and max(plain[0].shape, default=0) >= LONG
        ):
            Watched.whole = True
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
