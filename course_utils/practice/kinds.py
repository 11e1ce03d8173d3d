"""The kinds of practice: facts come in; the kinds whose items this learner practises go out.

Each module or package in MODULES has a `KIND`. Most are imported only after the first answer to one of their
items, and a notebook that works alone (in Colab) may not carry them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from .log import Fact

MODULES = {  # {what the names of a kind's facts begin with: where its Kind is}
    "": "ask",
    "memory:": "from_memory",
    "card:": "flashcards",
    "hunt:": "bugs",
    "interview:": "interview",
    "aloud:": "mock",
}
ALWAYS = "", "memory:"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """prefix: the names of its facts begin with it. head: its name in progress(), "" to leave it out.

    minutes(): {name: estimated minutes} of all its items; quick, as every list calls it. title(name): a short
    line for a list, which does not give the answer away. ask(names): shows items; answering one records a
    Fact. new(facts): the names to offer when time is left; by default all. at_once: how many to ask at a
    time. desk: the object that takes typed answers to the open item; "" if a typed answer names its item.
    """

    prefix: str
    minutes: Callable[[], dict[str, float]]
    title: Callable[[str], str]
    ask: Callable[[list[str]], None]
    new: Callable[[list[Fact]], list[str]] | None = None
    head: str = ""
    at_once: int = 3
    desk: str = ""

    def to_offer(self, facts: list[Fact]) -> list[str]:
        return self.new(facts) if self.new else list(self.minutes())


def kinds_of(facts: list[Fact]) -> list[Kind]:
    """The kinds that are always practised, and those with a fact, as far as this copy contains them."""
    begun = {fact.name.partition(":")[0] + ":" for fact in facts} | {*ALWAYS}
    modules = [f".{module}" for prefix, module in MODULES.items() if prefix in begun]
    return [import_module(name, __package__).KIND for name in modules if find_spec(name, __package__)]
