"""Ready-made functions of libraries, replaced while an answer is checked, and always put back."""

import contextlib

import torch

SENTENCE = (
    "Your code calls `{}`, which is ready-made: in an interview you write it yourself, so it is blocked here. "
    "Nothing else was looked at."
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
def blocked(names):
    """Calls of these raise ReadyMade inside; the set that is yielded holds the names that were called."""
    called, undo = set(), []
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: [put_back() for put_back in reversed(undo)])
        for name in names:
            for place in PLACES[name]:
                replace(place, name, called, undo)
        for module, attribute, name in imported(names):
            replace_in(module, attribute, refusal(name, called), undo)
        yield called


def refusal(name, called):
    def refuse(*_, **__):
        called.add(name)
        raise ReadyMade(name)

    return refuse


def replace(place, name, called, undo):
    """A function of a module or a method of a class; of a class that is ready-made itself, its forward."""
    if isinstance(place, type) and place is not torch.Tensor:
        replace_in(place, "forward", refusal(name, called), undo)
    elif hasattr(place, name):
        replace_in(place, name, refusal(name, called), undo)


def replace_in(place, attribute, new, undo):
    own = attribute in vars(place)
    before = vars(place)[attribute] if own else None
    if isinstance(place, dict):
        place[attribute] = new
    else:
        setattr(place, attribute, new)
    undo.append(lambda: setattr(place, attribute, before) if own else delattr(place, attribute))


def imported(names):
    """(module, name there, library's name) of functions that the notebook imported by name."""
    import sys

    ready = {}
    for name in names:
        for place in PLACES[name]:
            if not isinstance(place, type) and callable(getattr(place, name, None)):
                ready[id(getattr(place, name))] = name
    main = sys.modules["__main__"]
    return [(main, key, ready[id(value)]) for key, value in list(vars(main).items()) if id(value) in ready]
