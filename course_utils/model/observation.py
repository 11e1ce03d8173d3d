"""What one case showed: plain data that survives a round trip as bytes. The judge sees nothing else."""

from dataclasses import dataclass, field, fields

import torch

from .case import Fact


@dataclass
class Observation:
    """values: Fact -> tensor or text, of the plain run. raised: [exception type, message] when there are no
    values. problem: [mistake, sentence] when the object cannot be used as the exercise says. errors: Fact ->
    [exception type, message], of calls that may raise.

    Self-reported probes: changed (facts), moved (names of results that lie in new memory at every call),
    second ("same", "differs", "shared" or an error), gradients (Fact -> tensor or None, or an error), met (an
    operator), where (Fact -> device), narrow (dtype -> values or an error).
    """

    values: dict = field(default_factory=dict)
    raised: list | None = None
    problem: list | None = None
    errors: dict = field(default_factory=dict)
    changed: list = field(default_factory=list)
    moved: list = field(default_factory=list)
    second: str = "same"
    gradients: dict | str | None = None
    met: str | None = None
    where: dict = field(default_factory=dict)
    narrow: dict = field(default_factory=dict)
    printed: str = ""

    def as_plain(self):
        """Nested dicts, lists, facts, strings and tensors only."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

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
        value, gradient = (torch.Tensor, str), (torch.Tensor, type(None))
        return (
            facts_of(self.values, value)
            and all(error is None or texts(error, 2) for error in (self.raised, self.problem))
            and facts_of(self.errors, list)
            and all(texts(error, 2) for error in self.errors.values())
            and isinstance(self.changed, list)
            and all(is_fact(fact) for fact in self.changed)
            and texts(self.moved)
            and isinstance(self.second, str)
            and (isinstance(self.gradients, (str, type(None))) or facts_of(self.gradients, gradient))
            and isinstance(self.met, (str, type(None)))
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


def texts(value, length=None):
    """Is it a list of texts, of this length?"""
    return isinstance(value, list) and all(isinstance(v, str) for v in value) and length in (None, len(value))
