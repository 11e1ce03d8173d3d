"""What the search for a convention works with: a Problem, a Way to call an object, its Outcome, a Reading."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Way:
    """name: how the object is called, in words that stay the same. run(given): calls it, gives an Outcome.
    plan: {parameter: role}, and dialect: how arguments are handed over; both as `simple.ways` makes them."""

    name: str
    run: Any
    plan: dict = field(default_factory=dict)
    dialect: tuple = ()


@dataclass
class Outcome:
    """value: what came back. weights: [(name, array, is it of an nn.Linear?)] found in the object.
    notes: what `run` knows besides, such as the sizes of the calls."""

    value: Any
    weights: list = field(default_factory=list)
    notes: dict = field(default_factory=dict)


@dataclass
class Reading:
    """One way to understand an Outcome. key: the same for other inputs. array: the result, as the references
    give it. given(): the input as it was meant, for the references. memo: equal where given() is equal."""

    key: tuple
    array: Any
    given: Any
    memo: Any = None


@dataclass
class Wrong:
    """A known mistake. sentence: what the learner reads. makers: references that make it, one suffices.
    overflows: may Python itself raise for it, where NumPy gives inf or NaN?"""

    sentence: str
    makers: list
    overflows: bool = False


@dataclass
class Problem:
    """One thing to be written. draws: inputs, the small one first. ways(obj, said): an iterator of Way.
    readings(outcome, given): of Reading. rights: {variant: reference}, wrongs: {name: Wrong}.
    look(obj, way, reading): what else is asked of an answer that is right, as a sentence, or None.
    roles: words that `said` may use. vague: {right variant: (word, sentence)} that needs the learner's word.
    ready_made: names of library functions that are not allowed here. evidence(seen): a sentence on wrong
    numbers, or (mistake, sentence), or None. unclear(obj): the names of parameters that say nothing.
    meant(given, memo): another input, as a reading with this memo means it. closer(seen, name): (name,
    sentence) of a mistake that is not seen from one result, or None.
    """

    name: str
    draws: list
    ways: Any
    readings: Any
    rights: dict
    wrongs: dict
    look: Any = None
    roles: tuple = ()
    vague: dict = field(default_factory=dict)
    ready_made: tuple = ()
    evidence: Any = None
    unclear: Any = None
    tolerance: float = 2e-4
    meant: Any = None
    closer: Any = None
