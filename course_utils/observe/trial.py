"""Try an object on one case once: build it, set its weights, make the calls, collect the results by Fact."""

import contextlib
import io
import warnings
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from course_utils.model.case import DTYPES, MAY_RAISE, AsTuple, Back, Case, Contract, Fact, Fake, error_of
from course_utils.model.sentences import say

from .fakes import make_fake
from .interface import (
    Problem,
    answers,
    arrange,
    build,
    describe_type,
    error_or_problem,
    give_weights,
    returned_or_raised,
    unpack,
)
from .limit import TimeUp, interruptible
from .watches import memory_of, tensors_in


@dataclass
class Trial:
    """contract, case, dtype: what to try; floats get this dtype.
    with_gradients: the float arguments require a gradient.
    instance: the student's object; one from an earlier trial is used again.
    overwriting: the arguments of each call are overwritten after it.
    lenient: whether to forgive biases that are not wanted (they become 0) and missing entries of a dict.
    twin: None, or a second object of the student's class, which makes each call first, with other numbers.
    facts: {Fact: copy of a result}, in the order in which they came.
    leaves: {Fact: argument or weight that should receive a gradient}.
    inputs: (Fact, value, its numbers before the calls) of everything that must not change.
    results: {name: result} of each call, the student's own tensors; {} for a call that raised.
    fakes: {Fact: our object that was this argument}.
    errors: {Fact: exception, or None} of calls that must raise, or that may and did.
    memories: where results must be views, the addresses of the object's tensors (those of three axes or
        more) after each call.
    """

    contract: Contract
    case: Case
    dtype: torch.dtype
    with_gradients: bool = False
    instance: object = None
    overwriting: bool = False
    lenient: bool = False
    twin: object = None
    facts: dict[Fact, Any] = field(default_factory=dict)
    leaves: dict[Fact, torch.Tensor] = field(default_factory=dict)
    inputs: list[tuple[Fact, Any, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    fakes: dict[Fact, Any] = field(default_factory=dict)
    errors: dict[Fact, BaseException | None] = field(default_factory=dict)
    memories: list[set[int]] = field(default_factory=list)

    def run(self, obj):
        """Make every call of the case. An `instance` from an earlier trial is used again."""
        if self.contract.kind == "answer":
            results = answers(obj() if callable(obj) else obj, self.contract, self.case.salt)
            self.facts = {Fact(name): answer for name, answer in results.items()}
            return
        if self.contract.kind in ("module", "object"):
            self.instance = self.instance or build(obj, self)
            if self.contract.kind == "module":
                give_weights(self)
            obj = self.instance
        elif not callable(obj) or isinstance(obj, type):
            text = say("not_a_function", name=self.contract.name, value=describe_type(obj))
            raise Problem(text, "not_a_function")
        for number, call in enumerate(self.case.calls):
            self.make_call(obj, number, call)
        if not self.errors:
            for argument, fake in reversed(self.fakes.items()):
                for name, value in type(fake).record(fake).items():
                    self.facts[Fact(f"{argument.name}.{name}", argument.call)] = value

    def make_call(self, obj, number, call):
        method = obj if call.method in ("", "forward") else getattr(obj, call.method, None)
        if method is None:
            raise Problem(say("no_method", name=call.method), "missing_name")
        args = {name: self.prepare(Fact(name, number), value) for name, value in call.args.items()}
        signature = self.contract.signature_of(call.method)
        positional, keywords = arrange(method, signature, args)
        if self.twin is not None:
            changed = [value + 1 if isinstance(value, torch.Tensor) else value for value in positional]
            returned_or_raised(getattr(self.twin, call.method), changed, keywords)
        returned, error = returned_or_raised(method, positional, keywords)
        if error is not None and not call.raises:
            raise error_or_problem(error, signature)
        if error is not None or call.raises not in (None, MAY_RAISE):
            self.results.append({})
            self.facts[error_of(number)], self.errors[error_of(number)] = outcome(error), error
            return
        if self.contract.views:
            stored = [tensor for tensor in tensors_in(vars(self.instance)) if tensor.dim() > 2]
            self.memories.append(set(map(memory_of, stored)) - {0})
        facts = unpack(returned, call.returns or self.contract.returns, self.contract, self.lenient)
        facts = {name: without_leading_ones(value, self.case.rank) for name, value in facts.items()}
        self.results.append(facts)
        for name, value in facts.items():
            if not self.case.only or name in self.case.only:
                floor = self.contract.floors.get(name)
                if floor is not None and isinstance(value, torch.Tensor):
                    value = torch.where(value <= floor, -torch.inf, value)
                self.facts[Fact(name, number)] = snapshot(value)
        for value in args.values() if self.overwriting else ():
            if isinstance(value, torch.Tensor):
                value.fill_(7)

    def prepare(self, fact, value):
        """A fresh argument: floats in the trial's dtype, and everything that can change is watched."""
        before = value
        if isinstance(value, Back):
            value = self.results[value.call][value.item]
            before = snapshot(value)
        elif isinstance(value, Fake):
            self.fakes[fact] = make_fake(value, self.dtype)
            return self.fakes[fact]
        elif isinstance(value, torch.Tensor):
            before = value.to(self.dtype) if value.is_floating_point() else value
            value = self.fresh(fact, value)
        elif isinstance(value, AsTuple):
            value = tuple(value.items)
        elif isinstance(value, list):
            value = list(value)
        elif fact.name == "dtype":
            value = DTYPES[value]
        if isinstance(value, (torch.Tensor, np.ndarray, list)) and not getattr(value, "is_meta", False):
            self.inputs.append((fact, value, before))
        return value

    def fresh(self, fact, value):
        value = value.to(self.dtype, copy=True) if value.is_floating_point() else value.clone()
        if self.case.strided:
            value = strided(value)
        if self.case.device:
            value = value.to(self.case.device)
        if self.contract.library == "numpy":
            return value.numpy()
        if self.with_gradients and value.is_floating_point():
            self.leaves[fact] = value.requires_grad_()
        return value

    def changed(self):
        """The Facts of arguments and weights whose values have changed."""
        return [fact for fact, value, before in self.inputs if not unchanged(value, before)]

    def not_copies(self):
        """Names of results that should be copies but share memory with an argument."""
        if not self.contract.copies:
            return []
        memories = {memory_of(value) for _, value, _ in self.inputs if isinstance(value, torch.Tensor)}
        results = [pair for result in self.results for pair in result.items()]
        return list(dict.fromkeys(name for name, value in results if memory_of(value) in memories - {0}))

    def not_views(self):
        """Names of results that should be views of one buffer but are not."""
        return [name for name, addresses in self.view_addresses().items() if len(addresses) > 1]

    def reallocates(self):
        """Does a call replace all memory that the object had before, instead of writing in place?"""
        return any(before and after and not before & after for before, after in pairwise(self.memories))

    def view_memory(self):
        """Memory addresses of the results that should be views of the object's buffer."""
        return set().union(*self.view_addresses().values()) - {0}  # 0: a tensor without memory of its own

    def view_addresses(self):
        """{result that should be a view: its memory addresses in all calls}."""
        return {
            name: {memory_of(result[name]) for result in self.results if result}
            for name in self.contract.returns
            if self.contract.views
        }


def without_leading_ones(value, rank):
    extra = value.ndim - rank if rank else 0
    return value.reshape(value.shape[extra:]) if extra > 0 and set(value.shape[:extra]) == {1} else value


def outcome(error):
    """'ValueError' for that or an AssertionError, else the name of another exception, or 'no error'."""
    if isinstance(error, (ValueError, AssertionError)):
        return "ValueError"
    return "no error" if error is None else type(error).__name__


def snapshot(value):
    """A copy that later changes do not reach; a tensor stays connected to its autograd graph."""
    if isinstance(value, np.ndarray):
        wide = value.dtype.kind == "f" and value.dtype.itemsize > 8  # wider than torch's widest
        return torch.from_numpy(np.array(value, dtype=np.float64 if wide else value.dtype, copy=True))
    return value.clone() if isinstance(value, torch.Tensor) else list(value)


def unchanged(value, before):
    if isinstance(value, list):
        return value == before
    value = torch.as_tensor(value).detach()
    return value.dtype == before.dtype and alike(value, before.detach())


def alike(value, before, rtol=0.0, atol=0.0):
    """Do two results have the same shape and numbers? NaN equals NaN."""
    if not isinstance(value, torch.Tensor) or not isinstance(before, torch.Tensor):
        return value == before
    if value.shape != before.shape:
        return False
    same = value.dtype == before.dtype and torch.equal(value, before)  # fast; False if there are NaNs
    return same or torch.allclose(value.double(), before.double(), rtol, atol, equal_nan=True)


def strided(tensor):
    """The same numbers, in memory that is not contiguous."""
    if tensor.dim() < 2:
        return torch.stack([tensor, tensor], -1)[..., 0]
    return tensor.transpose(0, -1).contiguous().transpose(0, -1)


# ---- running a student's code: exceptions caught, output captured, random numbers repeatable


def exception_of(action):
    """Run the action; return the exception that it raised, or None. What stops a check passes through."""
    try:
        interruptible(action)
    except (KeyboardInterrupt, TimeUp):
        raise
    except BaseException as error:  # a student's code may raise anything, SystemExit included
        return error
    return None


def in_words(error):
    """[type, message] of an exception."""
    return [type(error).__name__, first_line(error)]


def first_line(error, most=200):
    """The first line of an error's message; all lines if it ends in a colon, as it does before torch's list
    of accepted arguments."""
    try:
        lines = [line.strip() for line in str(error).strip().splitlines()]
    except Exception:  # the __str__ of a student's exception class may raise
        lines = []
    text = " ".join(lines) if lines and lines[0].endswith(":") else "".join(lines[:1])
    return text if len(text) <= most else text[: most - 3] + "..."


@contextlib.contextmanager
def seeded(seed):
    """Seed torch's CPU generator inside, and restore its state afterwards; Python's and NumPy's generators
    and those of GPUs are left alone.

    Gradients are on inside, even under a `torch.no_grad()` around the check. Anomaly mode is off: it raises
    for a NaN in the middle of a backward pass even if the final gradient is right.
    """
    generator = torch.default_generator
    state = generator.get_state()
    with torch.inference_mode(False), torch.enable_grad(), torch.autograd.set_detect_anomaly(False):
        generator.manual_seed(seed)  # torch.manual_seed keeps a stack trace for every possible GPU
        try:
            yield
        finally:
            generator.set_state(state)


@contextlib.contextmanager
def quiet(limit=2000):
    """Yield the stream that receives stdout; stderr and warnings are dropped (nbgrader gives 0 for anything
    on stderr)."""
    out = Capped(limit)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(Capped(0)), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield out


class Capped(io.TextIOBase):
    """A text stream that keeps the first `limit` characters and drops the rest."""

    def __init__(self, limit):
        self.limit, self.text = limit, ""

    def writable(self):
        return True

    def write(self, text):
        self.text += text[: self.limit - len(self.text)]
        return len(text)
