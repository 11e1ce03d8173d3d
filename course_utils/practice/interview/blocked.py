"""Ready-made functions of libraries, replaced while an answer is checked, and always put back."""

import contextlib
import sys
from unittest.mock import patch

import torch

from .calls import functions_of

SENTENCE = (
    "Your code calls `{}`, which is ready-made: in an interview you write it yourself, so it is blocked here."
)
FUNCTIONAL = torch.nn.functional
PLACES = {
    "scaled_dot_product_attention": [FUNCTIONAL, torch._C._nn, torch],
    "multi_head_attention_forward": [FUNCTIONAL, torch],
    "MultiheadAttention": [torch.nn.MultiheadAttention],
    "TransformerEncoderLayer": [torch.nn.TransformerEncoderLayer],
    "TransformerDecoderLayer": [torch.nn.TransformerDecoderLayer],
    "flex_attention": [],
    "softmax": [FUNCTIONAL, torch, torch.Tensor, torch.special],
    "log_softmax": [FUNCTIONAL, torch, torch.Tensor, torch.special],
    "logsumexp": [torch, torch.Tensor, torch.special],
    "Softmax": [torch.nn.Softmax],
    "LogSoftmax": [torch.nn.LogSoftmax],
}


class ReadyMade(BaseException):
    """A blocked function was called. Code that catches Exception does not swallow it."""


@contextlib.contextmanager
def blocked(names, obj=None):
    """Calls of these raise ReadyMade inside; the set that is yielded holds the names that were called."""
    called = set()
    with contextlib.ExitStack() as stack:
        for space, key, name in imported(names, obj):
            stack.callback(space.__setitem__, key, space[key])
            space[key] = refusal(name, called)
        for name in names:
            for place in PLACES[name]:  # of a class that is ready-made itself, its forward
                attribute = "forward" if isinstance(place, type) and place is not torch.Tensor else name
                if hasattr(place, attribute):
                    stack.enter_context(patch.object(place, attribute, refusal(name, called)))
        yield called


def refusal(name, called):
    def refuse(*_, **__):
        called.add(name)
        raise ReadyMade(name)

    return refuse


def imported(names, obj):
    """(namespace, name there, library's name) of functions that the learner's code imported by name."""
    ready = {}
    for name in names:
        for place in PLACES[name]:
            if not isinstance(place, type) and callable(getattr(place, name, None)):
                ready[id(getattr(place, name))] = name
    spaces = [function.__globals__ for function in functions_of(obj)]
    spaces = {id(space): space for space in (vars(sys.modules["__main__"]), *spaces)}.values()
    return [
        (space, key, ready[id(function)])
        for space in spaces
        for key, function in space.items()
        if id(function) in ready
    ]
