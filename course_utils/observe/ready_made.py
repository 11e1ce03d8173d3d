"""Which of torch's own functions, among those that an exercise asks to be written by hand, does an answer
call?"""

from torch.overrides import TorchFunctionMode

from .nested import depth


class ReadyMadeWatch(TorchFunctionMode):
    """While active, `name` is that of the first such function that is called, "" for none; what a check
    inside the answer calls does not count."""

    def __init__(self, functions):
        super().__init__()
        self.functions, self.name, self.depth = functions, "", depth()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "").removeprefix("special_")
        if name in self.functions and not self.name and depth() == self.depth:
            self.name = name
        return func(*args, **(kwargs or {}))
