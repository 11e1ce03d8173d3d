"""All kinds of practice: the prefix of a fact's name comes in, the module that asks such items goes out.

A kind is a module with
    PREFIX        with which the names of its facts begin
    items()       {name: estimated minutes}; quick, as it is called for every list
    title(name)   a short line for a list, without the answer
    ask(name)     shows it; answering it remembers a Fact
    new(facts)    names that may be added when time is left; without it, all that were never answered
    ask_all(names)  shows several, one after the other; without it, each is asked alone
    ONE           True: not two at a time, as what is typed goes to the last one
"""

from importlib import import_module
from importlib.util import find_spec

from . import from_memory, predictions

HERE = {kind.PREFIX: kind for kind in (predictions, from_memory)}
# Not carried by every notebook.
ELSEWHERE = {
    "card:": "course_utils.practice.flashcards.kind",
    "hunt:": "course_utils.practice.interview.hunt.kind",
    "interview:": "course_utils.practice.interview.kind",
}

# how progress() calls those that are counted there
IN_ALL = {"card:": "Flashcards", "hunt:": "Bugs", "interview:": "Interviews"}


def kinds_of(facts):
    """The kinds that were begun; those in other parts of the course are loaded only then. A kind whose module
    is not here is left out."""
    begun = {prefix_of(fact.name) for fact in facts}
    found = [load(name) for prefix, name in ELSEWHERE.items() if prefix in begun]
    return [*HERE.values(), *filter(None, found)]


def prefix_of(name):
    """'card:' of 'card:kv_cache'; '' of a question's name."""
    return name[: name.find(":") + 1]


def load(name):
    """The module of this full name; None where it, or a package around it, is not part of what is here."""
    try:
        found = find_spec(name)
    except ModuleNotFoundError as missing:
        if not f"{name}.".startswith(f"{missing.name}."):
            raise
        return None
    return import_module(name) if found else None
