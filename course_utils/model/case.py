"""What an exercise asks for (Contract) and one way of trying it (Case): plain data, no behaviour of the
student's."""

import ast
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

import torch

MAY_RAISE = "?"  # in Call.raises: the worker is not told whether the call must raise
DTYPES = {name: getattr(torch, name) for name in ("float64", "float32", "bfloat16", "float16")}


def dtype_name(dtype):
    """'float32' for torch.float32."""
    return str(dtype).removeprefix("torch.")


class Fact(NamedTuple):
    """What is known of one call: a result, an argument or an error by its name, and the number of the call
    (from 0)."""

    name: str
    call: int = 0

    def __str__(self):
        return f"{self.name} of call {self.call + 1}" if self.call else self.name


RAISED = Fact("!")  # among the results of a known mistake: the exception instead of them


def error_of(call):
    """The fact that says what a call raised."""
    return Fact("error", call)


@dataclass(frozen=True)
class Back:
    """An argument that is what the student's own earlier call returned: result `item` of call number
    `call`."""

    call: int
    item: str


@dataclass(frozen=True)
class Fake:
    """An argument of a call or a constructor that is an object of ours, made where the student's code runs
    (see fakes.py)."""

    kind: str
    settings: dict


@dataclass(frozen=True)
class AsTuple:
    """An argument that is a tuple (JSON knows lists only)."""

    items: list

    def __repr__(self):
        return repr(tuple(self.items))


@dataclass
class Call:
    """One call: arguments by their names; `raises` names the exception that is the right outcome (MAY_RAISE:
    it may be one)."""

    args: dict
    method: str = ""
    returns: dict | None = None
    raises: str | None = None


@dataclass
class Case:
    """Build an object if there is one to build, give it weights, call it one or more times.

    edge: an edge case, which pays a share of its own; otherwise one of the core.
    build: arguments of the constructor. weights: {layer: weight} to be copied into it, and {"layer.bias":
        bias} where the layer has one.
    dtype: of float arguments, and of the module.
    strided: tensors are given in a memory order that is not contiguous.
    evaluating: a module is called in eval mode. (The name stands in published files.)
    narrow, gradients: whether these probes are run. tolerance: instead of the dtype's own.
    rank: results may carry leading axes of size 1 beyond this rank; they are dropped.
    only: the results that count (long cases publish less).
    too_large: no tensor of this many entries or more may be made on the way (None: any may).
    salt: mixed into the fingerprint of an answer, so that a published one fits no hidden case.
    """

    name: str
    calls: list[Call]
    edge: bool = False
    build: dict | None = None
    weights: dict = field(default_factory=dict)
    dtype: str = "float64"
    strided: bool = False
    evaluating: bool = False
    narrow: bool = True
    gradients: bool = True
    tolerance: float | None = None
    rank: int | None = None
    only: list | None = None
    too_large: int | None = None
    salt: int = 0

    @property
    def device(self):
        """The device that a call, or what is built, asks for, if any: then only devices, shapes and dtypes
        count."""
        arguments = [self.build or {}, *(call.args for call in self.calls)]
        return next((settings["device"] for settings in arguments if "device" in settings), None)

    @property
    def tensors(self):
        """The tensors among the arguments."""
        return [
            value for call in self.calls for value in call.args.values() if isinstance(value, torch.Tensor)
        ]

    @property
    def has_floats(self):
        return any(tensor.is_floating_point() for tensor in self.tensors)

    @property
    def title(self):
        """Its name, as a sentence writes it."""
        return self.name.replace("_", " ")

    def call(self, method="", returns=None, raises=None, /, **args):
        """The same case with one more call at its end."""
        return replace(self, calls=[*self.calls, Call(args, method, returns, raises)])

    def but(self, **changes):
        """The same case with some settings changed."""
        return replace(self, **changes)

    def on_cpu(self):
        """The same case, asking for the CPU wherever it asks for a device."""
        calls = [replace(call, args=with_cpu(call.args)) for call in self.calls]
        return self.but(calls=calls, build=self.build and with_cpu(self.build))

    def without_expected_errors(self):
        """The case without what says which of its calls must raise: that is wanted, not given."""
        return self.but(name="", edge=False, calls=[replace(call, raises=MAY_RAISE) for call in self.calls])

    def with_observed_errors(self, facts):
        """The same, where calls may raise: those that did must raise it again, and the others must not.

        A probe repeats the calls. If they might still raise, an exception that only the probe sees (in
        float16, say) would pass for an outcome of the call instead of a fault.
        """
        calls = [
            replace(call, raises=facts.get(error_of(number))) if call.raises == MAY_RAISE else call
            for number, call in enumerate(self.calls)
        ]
        return self.but(calls=calls)


def with_cpu(settings):
    return {name: "cpu" if name == "device" else value for name, value in settings.items()}


@dataclass(frozen=True)
class Contract:
    """What an exercise asks for.

    kind: function, module (an nn.Module class), object (any class) or answer (a value that answers a
    question). signatures: "" is the function or the constructor, other keys are methods. returns: result
    names with their axes, in order; container: one, tuple or dict; library: torch, numpy or int. narrow: the
    dtypes that are graded beside float64. gradient_results: the results whose gradients are graded (None:
    all). floors: result -> number; entries at or below it count as -inf (any low enough fill of a mask is
    right). views: every call hands out views of one memory. copies: no result lies in an argument's memory.
    """

    name: str
    kind: str
    signatures: dict[str, str]
    returns: dict[str, str]
    container: str = "one"  # one, tuple, sequence (a tuple, or the results stacked in one tensor), dict, none
    library: str = "torch"
    narrow: tuple = ("float32", "bfloat16")
    gradients: bool = True
    gradient_results: tuple | None = None
    floors: dict = field(default_factory=dict)
    devices: bool = True
    views: bool = False
    copies: bool = False
    probes: bool = True

    def signature_of(self, method):
        """The signature of a method, by default of the function or of the module's own call."""
        return self.signatures.get(method or "forward") or self.signatures[""]

    def result_axes(self, fact, case):
        """The names of a result's axes; a method other than the first may have results of its own."""
        own = (call.returns[fact.name] for call in case.calls if fact.name in (call.returns or {}))
        return next(own, self.returns.get(fact.name, "")).split()


@cache  # a handful of signatures, for thousands of calls
def parameters(signature):
    """'f(x, dim=-1)' -> (all names in order, {name: syntax tree of its default})."""
    args = ast.parse(f"def {signature}: pass").body[0].args
    names = [a.arg for a in args.args]
    return names, dict(zip(names[len(names) - len(args.defaults) :], args.defaults, strict=True))
