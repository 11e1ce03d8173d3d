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

    values: dict = field(default_factory=dict)
    raised: list | None = None
    problem: list | None = None
    errors: dict = field(default_factory=dict)
    changed: list = field(default_factory=list)
    not_copies: list = field(default_factory=list)
    not_views: list = field(default_factory=list)
    reallocates: bool = False
    too_large: list = field(default_factory=list)
    held: int = 0
    escape: str = ""
    ready_made: str = ""
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

    @property
    def misses_the_point(self):
        """Are right values not enough: is memory too large, growing, new or unwatched, or is nothing written
        by hand?"""
        return bool(self.too_large or self.held or self.escape or self.reallocates or self.ready_made)

    def well_formed(self):
        """Does every field have the type that the class's docstring gives?"""
        return all(is_right(getattr(self, name)) for name, is_right in FORMS.items())


def facts_of(value, kinds):
    """Is it a dict from facts to values of these kinds?"""
    return isinstance(value, dict) and all(is_fact(k) and isinstance(v, kinds) for k, v in value.items())


def is_fact(value):
    return isinstance(value, Fact) and type(value.name) is str and type(value.call) is int and value.call >= 0


def is_shape(value):
    return isinstance(value, list) and all(map(is_count, value))


def texts(value, length=None):
    """Is it a list of strings, of this length if one is given?"""
    return isinstance(value, list) and all(isinstance(v, str) for v in value) and length in (None, len(value))


def says_unwritten(kind, text):
    """Are this exception type and message those of a stub?"""
    return kind == "NotImplementedError" and text in UNWRITTEN


def is_error(value):
    return value is None or texts(value, 2)


def is_count(value):
    return type(value) is int and value >= 0


def is_text(value):
    return isinstance(value, str)


def is_text_or_none(value):
    return value is None or isinstance(value, str)


def has_values(value):
    return facts_of(value, (torch.Tensor, str))


FORMS = {  # {field of an Observation: is a value of the right type for it?}
    "values": has_values,
    "raised": is_error,
    "problem": is_error,
    "errors": lambda errors: facts_of(errors, list) and all(texts(error, 2) for error in errors.values()),
    "printed": is_text,
    "changed": lambda facts: isinstance(facts, list) and all(map(is_fact, facts)),
    "not_copies": texts,
    "not_views": texts,
    "reallocates": lambda value: isinstance(value, bool),
    "too_large": is_shape,
    "held": is_count,
    "escape": is_text,
    "ready_made": is_text,
    "where": lambda places: facts_of(places, str),
    "second": is_text,
    "gradients": lambda seen: is_text_or_none(seen) or facts_of(seen, (torch.Tensor, type(None))),
    "device_clash": is_text_or_none,
    "narrow": lambda seen: (
        isinstance(seen, dict)
        and all(is_text(dtype) and (is_text(v) or has_values(v)) for dtype, v in seen.items())
    ),
}
