"""All kinds of practice: the prefix of a fact's name comes in, the kind that asks such items goes out.

A kind is a module, or an object, with
    PREFIX        what the names of its facts begin with
    items()       {name: estimated minutes}; quick, as it is called for every list
    title(name)   a short line for a list, without the answer
    ask(name)     shows it; answering it remembers a Fact
    new(facts)    names that may be added when time is left; without it, all that were never answered
    ask_all(names)  shows several, one after the other; without it, each is asked alone
    ONE           True: not two at a time, as what is typed goes to the last one
"""

from importlib import import_module
from importlib.util import find_spec

from . import from_memory
from .ask import ask
from .questions import published


class Questions:
    """The lessons' questions: facts with bare names."""

    PREFIX, MINUTES = "", 1

    def items(self):
        return dict.fromkeys(published(), self.MINUTES)

    def title(self, name):
        return f"Question: {name.replace('_', ' ')} ({published()[name].lesson})"

    def ask(self, name):
        ask(published()[name], again=True)

    def new(self, facts):
        """Those that were passed over: a later one of the same lesson was answered."""
        answered, passed_over, above = {fact.name for fact in facts}, [], {}
        for name, question in published().items():
            above.setdefault(question.lesson, []).append(name)
            if name in answered:
                passed_over += above.pop(question.lesson)
        return passed_over


QUESTIONS = Questions()
KINDS = {  # prefix: the kind; or the name of its package, which is loaded once something of it was answered
    "": QUESTIONS,
    "memory:": from_memory,
    "card:": "flashcards",
    "hunt:": "bugs",
    "interview:": "interview",
}
HEADS = {"": "Questions", "card:": "Flashcards", "hunt:": "Bugs", "interview:": "Interviews"}  # in progress()


def kinds_of(facts):
    """The kinds that were begun. A kind whose package is not carried here is left out."""
    begun = {fact.name.partition(":")[0] + ":" for fact in facts}
    kinds = (load(kind) for prefix, kind in KINDS.items() if prefix in begun or not isinstance(kind, str))
    return [kind for kind in kinds if kind]


def load(kind):
    """A kind, also where its package is named; None where that is not here."""
    if not isinstance(kind, str):
        return kind
    return import_module(f".{kind}", __package__) if find_spec(f".{kind}", __package__) else None


def new_names(kind, facts):
    """Names of a kind that may be added when time is left."""
    return kind.new(facts) if hasattr(kind, "new") else list(kind.items())
