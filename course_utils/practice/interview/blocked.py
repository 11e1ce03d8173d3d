"""Block ready-made functions of torch while an answer is checked, whatever name the answer calls them by."""

import contextlib

from torch.overrides import TorchFunctionMode


class ReadyMade(BaseException):
    """Raised by a blocked function. It is a BaseException, so that `except Exception` does not swallow it."""


class Calls(TorchFunctionMode):
    """A context that calls note(name, arguments) before each function of torch."""

    def __init__(self, note):
        super().__init__()
        self.note = note

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.note(getattr(function, "__name__", ""), args)
        return function(*args, **(kwargs or {}))


@contextlib.contextmanager
def blocked(names):
    """A context in which these functions raise ReadyMade. It yields the set of the names that were called."""
    calls = set()

    def refuse(name, _):
        if name in names:
            calls.add(name)
            raise ReadyMade(name)

    with Calls(refuse):
        yield calls
