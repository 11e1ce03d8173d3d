"""What one case showed: plain data that survives a round trip as bytes. The judge sees nothing else."""

from dataclasses import dataclass, field

import torch

from .case import Fact

# the texts of a stub's NotImplementedError; torch's own have others
UNWRITTEN = ("", "Not written yet: put your code here.")


@dataclass
class Observation:
    """All of it is measured in the process that runs the student's code, so all of it can be forged. What can
    be checked against the wanted values is values, raised and errors.

    From the plain run:
    values: {Fact: tensor or text}, the results, and the outcome of calls that raise.
    raised: [exception type, message] when it ended with an exception; then there are no values.
    problem: [mistake, sentence] when the object cannot be used as the exercise says.
    errors: {Fact: [exception type, message]} of the calls that may raise and did.
    printed: the beginning of what the code wrote to stdout.

    Probes that are read off the plain run:
    changed: the facts of the arguments and weights that were changed in place.
    not_copies: names of the results that should be copies and lie in an argument's memory.
    not_views: names of the results that should be views of one buffer and lie in new memory at every call.
    too_large: the shape of the largest tensor that had more entries than the case allows; [] where none had.
    where: {Fact: the device of the result}.

    Probes that need a run of their own:
    second: what a second, equal run gave: "same", "differs", "shared" (two objects wrote into the same
        memory), or its exception.
    gradients: {Fact: tensor, or None where no gradient arrived} of every input and weight, or the exception;
        None when not measured.
    device_clash: the operator that would raise on a GPU, because a tensor made without `device=` is combined
        with an input there; "return" when such a tensor is the result.
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
        """Is it what a body shows that nobody has written yet?"""
        mistake = self.problem[0] if self.problem else ""
        return mistake == "not_started" or says_unwritten(*(self.raised or ("", "")))

    def as_plain(self):
        """Nested dicts, lists, facts, strings and tensors only."""
        return dict(vars(self))

    @classmethod
    def from_plain(cls, plain):
        """Rebuild one that an untrusted side sent; anything of another form is a ValueError."""
        observation = (
            cls(**plain) if isinstance(plain, dict) and set(plain) <= set(cls.__dataclass_fields__) else None
        )
        if observation is None or not observation.well_formed():
            raise ValueError("not an observation")
        return observation

    def well_formed(self):
        """Has every field the type that the class's docstring gives?"""
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
    """Is it a list of texts, of this length?"""
    return isinstance(value, list) and all(isinstance(v, str) for v in value) and length in (None, len(value))


def says_unwritten(kind, text):
    """Is an exception of this type and message that of a stub?"""
    return kind == "NotImplementedError" and text in UNWRITTEN
