"""Bugs and flashcards, which are modules of their own: what a mock interview asks of them, if they are there.

In: a kind and a name. Out: minutes, a title, the card shown, what the interviewer needs. A notebook that
brings only what it uses itself may not have them; then nothing comes out.
"""

from ...schedule.kinds import load

# not carried by every notebook
PLACES = {
    "hunt": "course_utils.practice.interview.hunt",
    "cards": "course_utils.practice.flashcards",
}


def found(kind, name="kind"):
    """A module of bugs or flashcards; None where it is not there."""
    return load(f"{PLACES[kind]}.{name}")


def items(kind):
    """{name: estimated minutes}; empty where there are none."""
    kinds = found(kind)
    return dict(kinds.items()) if kinds else {}


def title(kind, name):
    return found(kind).title(name) if name in items(kind) else name


def ask(kind, name, then, since):
    """Show it in the notebook; False where it is not there. then: what is said when it is done. since: what
    was begun after this time is shown as it is now."""
    if name not in items(kind):
        return False
    found(kind).ask(name, then=then, since=since)
    return True


def prefix(kind):
    """What the names of its remembered facts begin with."""
    return getattr(found(kind), "PREFIX", None)


def flashcard(name):
    """The flashcard, with question, answer, wrong, why and section; None if there is none."""
    decks = getattr(found("cards", "deck"), "decks", None)
    return decks()[0].get(name) if decks else None


def bug(name):
    """The program, with title, lines, bug (its line's number, 0 for none), fixed, why and mistake; None if
    there is none."""
    load = getattr(found("hunt", "files"), "load", None)
    return load(name) if load and name in items("hunt") else None
