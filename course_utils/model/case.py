"""Contract (what an exercise asks for) and Case (one way to try it): plain data that holds no student
code."""

import ast
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import NamedTuple

import torch

MAY_RAISE = "?"  # in Call.raises: hides from the worker whether the call must raise
DTYPES = {name: getattr(torch, name) for name in ("float64", "float32", "bfloat16", "float16")}


def dtype_name(dtype):
    """'float32' for torch.float32."""
    return str(dtype).removeprefix("torch.")


class Fact(NamedTuple):
    """The key for one thing known about a call: the name of a result, an argument or an error, and the number
    of the call (from 0)."""

    name: str
    call: int = 0

    def __str__(self):
        return f"{self.name} of call {self.call + 1}" if self.call else self.name


RAISED = Fact("!")  # key for the exception that a known mistake raises


def error_of(call):
    """The Fact for the exception of a call."""
    return Fact("error", call)


@dataclass(frozen=True)
class Back:
    """An argument that the student's own code returned before: result `item` of call number `call`."""

    call: int
    item: str


@dataclass(frozen=True)
class Fake:
    """An argument of a call or a constructor that is one of our objects, built where the student's code runs
    (see observe/fakes.py)."""

    kind: str
    settings: dict


@dataclass(frozen=True)
class AsTuple:
    """An argument that is a tuple (JSON has only lists)."""

    items: list

    def __repr__(self):
        return repr(tuple(self.items))


@dataclass
class Call:
    """One call: arguments by name; `raises` names the exception that is the right outcome (MAY_RAISE: it is
    allowed to raise); `returns`, if not None, replaces the results that the contract declares."""

    args: dict
    method: str = ""
    returns: dict | None = None
    raises: str | None = None


@dataclass
class Case:
    """Build an object if the exercise asks for a class, set its weights, and call it one or more times.

    edge: an edge case, which earns its own share of the points; otherwise a core case.
    build: arguments of the constructor. weights: {layer: weight} to copy into it, and {"layer.bias": bias} if
        the layer has a bias.
    dtype: of float arguments, and of the module.
    strided: pass tensors that are not contiguous in memory.
    evaluating: call a module in eval mode. (Published files contain this name.)
    narrow, gradients: whether to run these probes. tolerance: replaces that of the dtype.
    rank: results may have extra leading axes of size 1 beyond this rank; they are dropped.
    only: the results that count (long cases publish fewer).
    too_large: no intermediate tensor may have this many entries or more, nor may an object hold as many in
        all its tensors after the last call; the code must stay in torch and in its thread (None: no limit).
    salt: mixed into the fingerprint of an answer, so that a published fingerprint fits no hidden case.
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

    @cached_property
    def device(self):
        """The device that the constructor or a call asks for, or None. If there is one, only devices, shapes
        and dtypes count."""
        arguments = [self.build or {}, *(call.args for call in self.calls)]
        return next((settings["device"] for settings in arguments if "device" in settings), None)

    @cached_property
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
        """Its name with spaces, for sentences."""
        return self.name.replace("_", " ")

    def call(self, method="", returns=None, raises=None, /, **args):
        """A copy of the case with one more call at the end."""
        return replace(self, calls=[*self.calls, Call(args, method, returns, raises)])

    def but(self, **changes):
        """A copy of the case with some settings changed."""
        return replace(self, **changes)

    def on_cpu(self):
        """A copy of the case that asks for the CPU wherever the case asks for a device."""
        calls = [replace(call, args=with_cpu(call.args)) for call in self.calls]
        return self.but(calls=calls, build=self.build and with_cpu(self.build))

    def without_expected_errors(self):
        """A copy for the untrusted worker, without anything that shows which calls must raise: that belongs
        to the answer key."""
        return self.but(name="", edge=False, calls=[replace(call, raises=MAY_RAISE) for call in self.calls])

    def with_observed_errors(self, facts):
        """A copy for the probes: calls that may raise must raise again if they did, and must not if they did
        not.

        A probe repeats the calls. If they were still allowed to raise, an exception that only the probe meets
        (in float16, say) would count as an outcome of the call instead of a fault.
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
        question).
    signatures: "" is the function or the constructor, other keys are methods. returns: result names with
        their axes, in order. library: torch, numpy or int. narrow: the dtypes graded in addition to float64.
        gradient_results: the results whose gradients are graded (None: all).
    floors: {result: number}; entries at or below it count as -inf (any low enough fill of a mask is right).
    by_hand: names of torch's functions that the answer must not call.
    views: every call returns views of the same memory. copies: no result shares memory with an argument.
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
    by_hand: tuple = ()
    views: bool = False
    copies: bool = False
    probes: bool = True

    def signature_of(self, method):
        """The signature of a method; without a name, that of the module's forward or else of the function."""
        return self.signatures.get(method or "forward") or self.signatures[""]

    def result_axes(self, fact, case):
        """The axis names of a result; a call may declare results that differ from the contract's."""
        own = (call.returns[fact.name] for call in case.calls if fact.name in (call.returns or {}))
        return next(own, self.returns.get(fact.name, "")).split()


@cache  # a handful of signatures, for thousands of calls
def parameters(signature):
    """'f(x, dim=-1)' -> (all names in order, {name: syntax tree of its default})."""
    tree = ast.parse(f"def {signature}: pass")
    args = next(node for node in ast.walk(tree) if isinstance(node, ast.arguments))
    names = [a.arg for a in args.args]
    return names, dict(zip(names[len(names) - len(args.defaults) :], args.defaults, strict=True))
