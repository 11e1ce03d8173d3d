"""What else is asked of a softmax that is right: its temperature, its gradient, a sum that keeps its axis."""

import numpy as np
import torch

from ..parameters import parameters
from ..simple import ways
from ..values import same, undress
from .inputs import HINTS, LIBRARIES, draw, value
from .reference import softmax

TEMPERED = (
    "temperature_multiplies",
    "The entries are multiplied by the temperature: divide by it, so that a high one makes weights even.",
)


UNTEMPERED = (
    "temperature_cancels",
    "The temperature changes nothing: the entries are to be divided by it before exp.",
)
NO_AXIS = (
    "sum_drops_axis",
    "The sum drops its axis, so that it divides along the columns: keep the axis, with size 1.",
)


def temperature_look(obj, way, reading):
    """The mistake of a temperature that works the wrong way round; None where there is none."""
    if isinstance(obj, type) and issubclass(obj, torch.autograd.Function):
        return gradient_look(obj)
    given = draw([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]])
    dialects = [(lib, what) for what in ("rows", "vector") for lib in LIBRARIES]
    for one in ways(obj, {}, given, [("x", "temperature")], HINTS, value, dialects):
        try:
            outcome = one.run({**given, "temperature": 2.0})
        except Exception:  # no such way to call it
            continue
        x = given["x"][0] if outcome.notes["dialect"][1] == "vector" else given["x"]
        if same(undress(outcome.value), softmax()({"x": x * 2.0}), 1e-4):
            return TEMPERED
        if same(undress(outcome.value), softmax()({"x": x}), 1e-4):
            return UNTEMPERED
    return sum_without_axis(obj)


GRADIENT = (
    "wrong_gradient",
    "The gradient is another one: it is y * (g - sum of g * y along the row), where g is what comes back.",
)


def gradient_look(obj):
    """The mistake of a torch.autograd.Function with a backward of its own that is wrong."""
    x = torch.tensor([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]], requires_grad=True)
    g = torch.tensor([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])
    more = len(parameters(obj.forward)) - 2  # an axis
    obj.apply(x, *[-1] * more).backward(g)
    y = torch.tensor(softmax()({"x": x.detach().numpy()}))
    wanted = y * (g - (g * y).sum(-1, keepdim=True))
    return None if torch.allclose(x.grad.double(), wanted, atol=1e-4) else GRADIENT


def sum_without_axis(obj):
    """The mistake of an answer that raises for most tables, and divides columns in a square one."""
    given = draw([[0.5, -1.0], [1.0, 3.0]])
    e = np.exp(given["x"] - given["x"].max(-1, keepdims=True))
    for one in ways(obj, {}, given, [("x",)], HINTS, value, [("torch", "rows"), ("numpy", "rows")]):
        try:
            found = undress(one.run(given).value)
        except Exception:  # no such way to call it
            continue
        if same(found, e / e.sum(-1), 1e-4):
            return NO_AXIS
    return None
