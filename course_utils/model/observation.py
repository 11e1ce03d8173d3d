"""What one case showed: plain data that survives a round trip as bytes. The judge sees nothing else."""

from dataclasses import asdict, dataclass, field

import torch


@dataclass
class Observation:
    """values: label -> tensor or text, of the plain run. raised: (exception type, message) when there are no values.
    errors: label -> type and message, of calls that may raise.

    Self-reported probes: changed (names), moved (results that lie in new memory at every call), second ("same", "differs", "shared" or an error), gradients (name -> tensor or None,
    or an error), met (an operator), where (label -> device), narrow (dtype -> values or an error).
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
        """Nested dicts, lists, strings and tensors only."""
        return asdict(self)

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
        value = (torch.Tensor, str)
        return (
            dict_of(self.values, value)
            and all(error is None or list_of(error, 2) for error in (self.raised, self.problem))
            and dict_of(self.errors, str)
            and list_of(self.changed)
            and list_of(self.moved)
            and isinstance(self.second, str)
            and (
                self.gradients is None
                or isinstance(self.gradients, str)
                or dict_of(self.gradients, (torch.Tensor, type(None)))
            )
            and isinstance(self.met, (str, type(None)))
            and dict_of(self.where, str)
            and isinstance(self.narrow, dict)
            and all(isinstance(seen, str) or dict_of(seen, value) for seen in self.narrow.values())
            and isinstance(self.printed, str)
        )


def dict_of(value, kinds):
    return isinstance(value, dict) and all(
        isinstance(k, str) and isinstance(v, kinds) for k, v in value.items()
    )


def list_of(value, length=None):
    return isinstance(value, list) and all(isinstance(v, str) for v in value) and length in (None, len(value))
