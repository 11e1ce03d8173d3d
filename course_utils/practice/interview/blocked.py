"""Ready-made functions of torch, refused while an answer is checked, whatever the answer calls them."""

import contextlib

from torch.overrides import TorchFunctionMode


class ReadyMade(BaseException):
    """A blocked function was called. Code that catches Exception does not swallow it."""


class Calls(TorchFunctionMode):
    """Inside, note(name, arguments) is called before each function of torch."""

    def __init__(self, note):
        super().__init__()
        self.note = note

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.note(getattr(function, "__name__", ""), args)
        return function(*args, **(kwargs or {}))


@contextlib.contextmanager
def blocked(names):
    """Calls of these raise ReadyMade inside; the set that is yielded holds the names that were called."""
    calls = set()

    def refuse(name, _):
        if name in names:
            calls.add(name)
            raise ReadyMade(name)

    with Calls(refuse):
        yield calls
