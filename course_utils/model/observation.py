"""An Observation: what one case showed, as plain data that survives a round trip as bytes. The judge sees
nothing else."""

from dataclasses import dataclass, field
from types import UnionType
from typing import get_args, get_origin

from torch import Tensor

from .case import Fact

# messages of a stub's NotImplementedError; torch's own have other messages
UNWRITTEN = ("", "Not written yet: put your code here.")


@dataclass
class Observation:
    """All of it is measured in the process that runs the student's code, so all of it can be forged. Only
    values, raised and errors can be checked against the wanted values.

    From the plain run:
    values: {Fact: tensor or text}: the results, and the outcomes of calls that raise.
    raised: [exception type, message] if the run ended with an exception; then there are no values.
    problem: [mistake, sentence] if the object cannot be used as the exercise says.
    errors: {Fact: [exception type, message]} for calls that must or may raise, and did.
    printed: the beginning of what the code wrote to stdout.

    Probes that are read off the plain run:
    changed: the Facts of arguments and weights that were changed in place.
    not_copies: names of results that should be copies but share memory with an argument.
    not_views: names of results that should be views of one buffer but have new memory at every call.
    reallocates: whether a call replaced all memory of such an object, instead of writing in place.
    too_large: the shape of the largest tensor with more entries than the case allows; [] if there is none.
    held: how many entries the object's tensors have after the last call, if the case does not allow that
        many; 0 if it does.
    escape: in a case with a limit, where the code computed without being watched: "NumPy", "a Python list",
        "another thread"; "" for nowhere.
    ready_made: torch's own function that the code calls instead of writing it by hand; "" for none.
    where: {Fact: the device of the result}.

    Probes that need a run of their own:
    second: the outcome of a second, equal run: "same", "differs", "shared" (two objects wrote into the same
        memory), "kept" (the object keeps the caller's tensors), or an exception.
    gradients: {Fact: tensor, or None where no gradient arrived} for every input and weight, or the exception;
        None if not measured.
    device_clash: the operator that would raise on a GPU, because it combines an input with a tensor made
        without `device=`; "return" if such a tensor is the result.
    narrow: {dtype: the values of a run in this dtype, or its exception}.
    """

    values: dict[Fact, Tensor | str] = field(default_factory=dict)
    raised: list[str] | None = None
    problem: list[str] | None = None
    errors: dict[Fact, list[str]] = field(default_factory=dict)
    changed: list[Fact] = field(default_factory=list)
    not_copies: list[str] = field(default_factory=list)
    not_views: list[str] = field(default_factory=list)
    reallocates: bool = False
    too_large: list[int] = field(default_factory=list)
    held: int = 0
    escape: str = ""
    ready_made: str = ""
    second: str = "same"
    gradients: dict[Fact, Tensor | None] | str | None = None
    device_clash: str | None = None
    where: dict[Fact, str] = field(default_factory=dict)
    narrow: dict[str, dict[Fact, Tensor | str] | str] = field(default_factory=dict)
    printed: str = ""

    @property
    def unwritten(self):
        """Does it come from a stub that has not been written yet?"""
        mistake = self.problem[0] if self.problem else ""
        return mistake == "not_started" or says_unwritten(*(self.raised or ("", "")))

    def as_plain(self):
        """Nested dicts, lists, facts, strings and tensors only."""
        return dict(vars(self))

    @classmethod
    def from_plain(cls, plain):
        """Rebuild an Observation that an untrusted process sent; raise ValueError for data of any other
        form."""
        has_fields = isinstance(plain, dict) and set(plain) <= set(cls.__annotations__)
        observation = cls(**plain) if has_fields else None
        if observation is None or not observation.well_formed():
            raise ValueError("not an observation")
        return observation

    @property
    def misses_the_point(self):
        """Are right values not enough: is memory too large, growing, new or unwatched, or is nothing written
        by hand?"""
        return bool(self.too_large or self.held or self.escape or self.reallocates or self.ready_made)

    def well_formed(self):
        """Does every field have its type, and every exception a type and a message?"""
        typed = all(has_type(getattr(self, name), kind) for name, kind in type(self).__annotations__.items())
        return typed and all(
            error is None or len(error) == 2 for error in (self.raised, self.problem, *self.errors.values())
        )


def has_type(value, kind):
    """Does data have this type? Numbers are counts: none is negative."""
    if isinstance(kind, UnionType):
        return any(has_type(value, each) for each in get_args(kind))
    if get_origin(kind) is dict:
        keys, values = get_args(kind)
        return isinstance(value, dict) and all(
            has_type(k, keys) and has_type(v, values) for k, v in value.items()
        )
    if get_origin(kind) is list:
        return isinstance(value, list) and all(has_type(item, *get_args(kind)) for item in value)
    if kind is Fact:
        return isinstance(value, Fact) and has_type(value.name, str) and has_type(value.call, int)
    if kind is int:
        return type(value) is int and value >= 0
    return isinstance(value, kind)


def says_unwritten(kind, text):
    """Are this exception type and message those of a stub?"""
    return kind == "NotImplementedError" and text in UNWRITTEN
