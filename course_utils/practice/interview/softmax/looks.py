"""What else is asked of a softmax that is right: its temperature, its gradient, a sum that keeps its axis."""

from functools import partial
from itertools import product

import numpy as np
import torch

from ..attention.calls import libraries
from ..parameters import parameters
from ..simple import ways
from ..values import dress, same, undress
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
    return sum_without_axis(obj) or axis_look(obj)


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


OTHER_AXIS = (
    "axis_ignored",
    "With `{0}=0` the weights are not those of each column: the maximum and the sum both go along that axis.",
)


def axis_look(obj):
    """The mistake of an axis that can be chosen, and is not used throughout; None where there is none."""
    x = np.array([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]])
    for (name, columns_of), library in product(along_columns(obj), libraries(obj)):
        try:
            found = undress(columns_of(dress(x, library)))
        except Exception:  # it is of another library, or has to be called in another way
            continue
        wrong = not same(found, softmax()({"x": x.T}).T, 1e-4)
        return (OTHER_AXIS[0], OTHER_AXIS[1].format(name)) if wrong else None
    return None


def along_columns(obj):
    """[(name of the axis, how to call the answer with axis 0)]"""
    if not isinstance(obj, type):
        return [(name, partial(obj, **{name: 0})) for name in axes_of(obj)]
    made = [(name, lambda x, of={name: 0}: obj(**of)(x)) for name in axes_of(obj)]
    called = axes_of(getattr(obj, "forward", obj.__call__))
    return made + [(name, lambda x, of={name: 0}: obj()(x, **of)) for name in called]


def axes_of(function):
    """Only a parameter called dim or axis whose default is -1 is sure to be an axis."""
    return [one.name for one in parameters(function) if one.name in ("dim", "axis") and one.default == -1]
