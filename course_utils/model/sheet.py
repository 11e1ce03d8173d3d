"""A Sheet, the published answer key of an exercise: cases, their wanted results, and the results of known
mistakes. Numbers and sentences, no code."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import torch

from .case import Case, Contract, Fact
from .codec import decode, encode

ANSWERS = Path(__file__).parents[1] / "answers"
LESSONS = "lessons"
CORE = 0.7  # the core cases' share of the points, unless a course or an exercise sets another
PROBES = "probes"  # the key of all probes together in Sheet.weights
DTYPE_OF = {"f": torch.float64, "b": torch.bool, "i": torch.int64}


@dataclass
class Wanted:
    """What is right for one case.

    values: tensors or texts.
    gradients: a sketch for every input and weight, None where no gradient may arrive; None instead of the
        dict if the case's gradients are not graded.
    where: the devices of results that are not on the CPU.
    """

    values: dict[Fact, object]
    gradients: dict[Fact, list | None] | None
    where: dict[Fact, str]


@dataclass
class Mistake:
    """A known mistake. sketches: for each case, the results that differ from the wanted ones as {Fact:
    sketch}, or {RAISED: exception}."""

    name: str
    sentence: str
    sketches: Sequence


@dataclass
class Sheet:
    """wanted: one for each case. mistakes: the known ones. uses: exercises that this one builds on.
    core: the core cases' share of the points. weights: {edge case, or "probes": its weight}; 1 for any other.
    drawn: a fingerprint of the cases that other seeds draw; published, so that any change of them shows.
    """

    contract: Contract
    points: float
    cases: list[Case]
    wanted: list[Wanted]
    mistakes: list[Mistake] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)
    core: float = CORE
    weights: dict[str, float] = field(default_factory=dict)
    drawn: str = ""

    def to_json(self):
        order = ("contract", "points", "hints", "uses", "cases", "wanted")
        plain = {key: getattr(self, key) for key in order}
        plain["wanted"] = [vars(wanted) for wanted in self.wanted]
        plain["mistakes"] = [[m.name, m.sentence, m.sketches] for m in self.mistakes]
        plain |= {"core": self.core} if self.core != CORE else {}
        plain |= {"weights": self.weights} if self.weights else {}
        plain |= {"drawn": self.drawn} if self.drawn else {}
        return json.dumps(encode(plain, numbers), separators=(",", ":"), sort_keys=False) + "\n"

    @classmethod
    def from_json(cls, text):
        plain = decode(json.loads(text), tensor)
        plain["wanted"] = [Wanted(**wanted) for wanted in plain["wanted"]]
        plain["mistakes"] = [Mistake(*m) for m in plain["mistakes"]]
        return cls(**plain)


def numbers(value):
    """A tensor as [kind, shape, list of numbers]; floats have 8 decimals, the same on every CPU."""
    kind = "b" if value.dtype == torch.bool else "f" if value.is_floating_point() else "i"
    flat = value.reshape(-1).tolist()
    if kind == "b":
        return [kind, list(value.shape), "".join("01"[x] for x in flat)]
    return [kind, list(value.shape), [as_json_number(x) for x in flat] if kind == "f" else flat]


def tensor(encoded):
    """The inverse of `numbers`."""
    kind, shape, flat = encoded
    entries = [x == "1" for x in flat] if kind == "b" else [float(x) for x in flat] if kind == "f" else flat
    return torch.tensor(entries, dtype=DTYPE_OF[kind]).reshape(shape)


def as_json_number(x, digits=8):
    """A float as JSON can hold it: rounded to 8 decimals, whole numbers as int, nan and inf as text."""
    if not math.isfinite(x):
        return str(x)
    x = round(x, digits)
    return int(x) if x == int(x) else x


@cache
def load_sheet(name):
    """The published sheet of an exercise; raises KeyError if there is none."""
    path = ANSWERS / f"{name}.json"
    if name not in published_names():
        raise KeyError(name)
    return Sheet.from_json(path.read_text(encoding="utf-8"))


def published_names():
    """The exercises that have a sheet here (a notebook that works alone carries only some)."""
    return sorted(path.stem for path in ANSWERS.glob("*.json") if path.stem != LESSONS)


def lessons():
    """{lesson: [exercise names in the order of the lesson]}."""
    return json.loads((ANSWERS / f"{LESSONS}.json").read_text(encoding="utf-8"))
