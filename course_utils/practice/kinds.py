"""The kinds of practice: facts come in; the kinds that were begun, which ask such items, go out.

A kind is a module or an object with
    PREFIX        what the names of its facts begin with
    items()       {name: estimated minutes}; must be quick, as it is called for every list
    title(name)   a short line for a list, which does not give the answer away
    ask(name)     shows the item; answering it records a Fact
and optionally
    new(facts)    names to offer when time is left; default: all
    ask_all(names)  shows several, one after the other; default: each is asked alone
    ONE           True: only one at a time, because answers go to the item shown last
"""

from importlib import import_module
from importlib.util import find_spec

from . import from_memory
from .ask import ask
from .questions import published


class Questions:
    """The lessons' questions. The names of their facts have no prefix."""

    PREFIX, MINUTES = "", 1

    def items(self):
        return dict.fromkeys(published(), self.MINUTES)

    def title(self, name):
        return f"Question: {name.replace('_', ' ')} ({published()[name].lesson})"

    def ask(self, name):
        ask(published()[name], again=True)

    def new(self, facts):
        """Questions that were skipped: a later one of the same lesson was answered."""
        answered, passed_over, above = {fact.name for fact in facts}, [], {}
        for name, question in published().items():
            above.setdefault(question.lesson, []).append(name)
            if name in answered:
                passed_over += above.pop(question.lesson)
        return passed_over


QUESTIONS = Questions()
KINDS = {  # {prefix: a kind, or the name of its package, imported after the first answer to one of its items}
    "": QUESTIONS,
    "memory:": from_memory,
    "card:": "flashcards",
    "hunt:": "bugs",
    "interview:": "interview",
}
HEADS = {"": "Questions", "card:": "Flashcards", "hunt:": "Bugs", "interview:": "Interviews"}  # in progress()


def kinds_of(facts):
    """Questions, exercises from memory, and the other kinds that were begun and that this copy contains."""
    begun = {fact.name.partition(":")[0] + ":" for fact in facts}
    kinds = (load(kind) for prefix, kind in KINDS.items() if prefix in begun or not isinstance(kind, str))
    return [kind for kind in kinds if kind]


def load(kind):
    """Import a kind given as a package's name; None if this copy of the course does not contain it."""
    if not isinstance(kind, str):
        return kind
    return import_module(f".{kind}", __package__) if find_spec(f".{kind}", __package__) else None


def new_names(kind, facts):
    """The names of a kind's items to offer when time is left."""
    return kind.new(facts) if hasattr(kind, "new") else list(kind.items())
