"""A kind of part and a level come in, the names to choose from go out; of a part its title and its texts."""

from ..topics import TOPICS
from . import others
from .design import DESIGN
from .programs import BUG_HINTS, PROGRAMS
from .spoken import SPOKEN

TITLES = {
    "spoken": "Warm-up",
    "program": "Write a program",
    "hunt": "Find the bug",
    "cards": "Short questions",
    "design": "Design and cost",
}
ITEMS = {"spoken": SPOKEN, "design": DESIGN}


def pool(kind, level):
    """The names to choose from for a part of this kind, at this level."""
    if kind == "program":
        return list(level.programs)
    if kind in ITEMS:
        return [name for name, item in ITEMS[kind].items() if level.name in item.levels]
    minutes = others.items(kind)
    return half(minutes, level.hunts) if kind == "hunt" else of_lessons(list(minutes), level.lessons)


def half(minutes, which):
    """Of {name: minutes}: all names, or those of the shorter or the longer half."""
    names = sorted(minutes, key=lambda name: (minutes[name], name))
    middle = len(names) // 2
    return {"shorter": names[: middle + 1], "longer": names[middle:], "all": names}[which]


def of_lessons(names, lessons):
    """The flashcards on these lessons; all, where none says its lesson."""
    return [name for name in names if lesson_of(name) in lessons] or names


def lesson_of(name):
    """The number of the lesson that a flashcard belongs to; None where that is not known."""
    section = getattr(others.flashcard(name), "section", "")
    number = section.partition(".")[0]
    return int(number) if number.isdigit() else None


def title(part):
    """What a part asks, in one line."""
    name = part.names[0]
    if part.kind == "cards":
        return f"{len(part.names)} flashcards" if len(part.names) > 1 else "1 flashcard"
    if part.kind in ITEMS:
        return ITEMS[part.kind][name].title if name in ITEMS[part.kind] else name
    if part.kind == "program":
        return TOPICS[name].title if name in TOPICS else name
    return "; ".join(others.title("hunt", name).removeprefix("Bug hunt: ") for name in part.names)


def item_of(part):
    """The Item of a question that is answered aloud; None for the other kinds, and for unknown names."""
    return ITEMS.get(part.kind, {}).get(part.names[0])


def revise(part):
    """Where the lessons teach what a part asks: lesson and section, "" where that is not known."""
    item = item_of(part)
    if item:
        return item.revise
    return TOPICS[part.names[0]].stages[0].revise if part.kind == "program" else ""


def hints(part):
    """((when, text), ...) of a part."""
    if part.kind == "program":
        return PROGRAMS[part.names[0]].hints
    item = item_of(part)
    return item.hints if item else BUG_HINTS if part.kind == "hunt" else ()
