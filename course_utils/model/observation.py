"""An Observation: what one case showed, as plain data that survives a round trip as bytes. The judge sees
nothing else."""

from dataclasses import dataclass, field

import torch

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
    too_large: the shape of the largest tensor with more entries than the case allows; [] if there is none.
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

    values: dict = field(default_factory=dict)
    raised: list | None = None
    problem: list | None = None
    errors: dict = field(default_factory=dict)
    changed: list = field(default_factory=list)
    not_copies: list = field(default_factory=list)
    not_views: list = field(default_factory=list)
    too_large: list = field(default_factory=list)
    second: str = "same"
    gradients: dict | str | None = None
    device_clash: str | None = None
    where: dict = field(default_factory=dict)
    narrow: dict = field(default_factory=dict)
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
        observation = (
            cls(**plain) if isinstance(plain, dict) and set(plain) <= set(cls.__dataclass_fields__) else None
        )
        if observation is None or not observation.well_formed():
            raise ValueError("not an observation")
        return observation

    def well_formed(self):
        """Does every field have the type that the class's docstring gives?"""
        value, gradient = (torch.Tensor, str), (torch.Tensor, type(None))
        return (
            facts_of(self.values, value)
            and all(error is None or texts(error, 2) for error in (self.raised, self.problem))
            and facts_of(self.errors, list)
            and all(texts(error, 2) for error in self.errors.values())
            and isinstance(self.changed, list)
            and all(is_fact(fact) for fact in self.changed)
            and texts(self.not_copies)
            and texts(self.not_views)
            and is_shape(self.too_large)
            and isinstance(self.second, str)
            and (isinstance(self.gradients, (str, type(None))) or facts_of(self.gradients, gradient))
            and isinstance(self.device_clash, (str, type(None)))
            and facts_of(self.where, str)
            and isinstance(self.narrow, dict)
            and all(isinstance(dtype, str) for dtype in self.narrow)
            and all(isinstance(seen, str) or facts_of(seen, value) for seen in self.narrow.values())
            and isinstance(self.printed, str)
        )


def facts_of(value, kinds):
    """Is it a dict from facts to values of these kinds?"""
    return isinstance(value, dict) and all(is_fact(k) and isinstance(v, kinds) for k, v in value.items())


def is_fact(value):
    return isinstance(value, Fact) and type(value.name) is str and type(value.call) is int and value.call >= 0


def is_shape(value):
    return isinstance(value, list) and all(type(size) is int and size >= 0 for size in value)


def texts(value, length=None):
    """Is it a list of strings, of this length if one is given?"""
    return isinstance(value, list) and all(isinstance(v, str) for v in value) and length in (None, len(value))


def says_unwritten(kind, text):
    """Are this exception type and message those of a stub?"""
    return kind == "NotImplementedError" and text in UNWRITTEN
