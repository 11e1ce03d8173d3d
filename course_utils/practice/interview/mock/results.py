"""What came of a mock interview, collected from where it is kept: parts, mistakes by name, what to revise."""

from dataclasses import dataclass

from ...memory import recall
from ..cards import sheet_rows
from ..record import interviews
from ..topics import REVISE, TOPICS
from . import others
from .kinds import ITEMS, item_of, revise, title
from .rubric import criteria

CARD = "flashcard: {}"


@dataclass
class PartResult:
    """title: what was asked. took: minutes, None when not reached. came: what came of it, in a few words.
    marks: [(Criterion, mark)]. hints: how many. mistakes: names. revise: lessons and sections."""

    name: str
    title: str
    planned: float
    took: float | None
    came: str
    marks: list
    hints: int
    mistakes: list
    revise: list


def results(mock):
    """[PartResult] of a mock interview that is over."""
    facts = {}
    for fact in recall()[0]:
        if mock.start <= fact.when <= mock.end:
            facts.setdefault(fact.name, fact)  # the first answer is the one that counts
    return [of_part(mock, number, took, facts) for number, took in enumerate(mock.times())]


def of_part(mock, number, took, facts):
    part, given = mock.parts[number], mock.marks(number)
    came, mistakes, places = CAME[part.kind](mock, number, facts)
    marks = [(one, given[one.name]) for one in criteria(part) if one.name in given]
    if took is None:
        came, places = "not reached", [revise(part)]
    elif item_of(part) and any(mark < 2 for _, mark in marks):
        places = [revise(part)]
    return PartResult(
        part.title,
        title(part),
        part.minutes,
        took,
        came,
        marks,
        min(len(mock.of("hint", number)), 9),
        mistakes,
        [place for place in places if place],
    )


def of_program(mock, number, facts):
    """How far the program came; names of mistakes and places from the interview's own sheet."""
    key = mock.interview(number)
    found = next((one for one in interviews()[0] if one.key == key), None)
    if found is None:
        return "not begun", [], [revise(mock.parts[number])]
    rows, places = sheet_rows(found)
    right = sum(state == "right" for _, state, _, _ in rows)
    mistakes = [name for *_, names in rows for name in names]
    return f"{right} of {len(rows)} steps right", list(dict.fromkeys(mistakes)), places


def of_hunt(mock, number, facts):
    """How many bugs were found; the mistakes that were not, by name."""
    names, prefix = mock.parts[number].names, others.prefix("hunt")
    answered = {name: facts[f"{prefix}{name}"].right for name in names if f"{prefix}{name}" in facts}
    if not answered:
        return "not answered", [], []
    missed = [getattr(others.bug(name), "mistake", "") for name, right in answered.items() if not right]
    mistakes = [mistake.partition(".")[2] for mistake in missed if mistake]
    return (
        counted(answered, names, "found"),
        [one.replace("_", " ") for one in mistakes],
        [REVISE.get(one, "") for one in mistakes],
    )


def of_cards(mock, number, facts):
    """How many were right; the titles and the places of those that were not."""
    names, prefix = mock.parts[number].names, others.prefix("cards")
    answered = {name: facts[f"{prefix}{name}"].right for name in names if f"{prefix}{name}" in facts}
    if mock.people == 2 or not answered:
        return ("asked aloud" if mock.people == 2 else "not answered"), [], []
    wrong = [name for name, right in answered.items() if not right]
    places = [place_of(name) for name in wrong]
    return (
        counted(answered, names, "right"),
        [CARD.format(others.title("cards", name)) for name in wrong],
        places,
    )


def counted(answered, names, word):
    """'5 of 7 right, 1 not answered'"""
    left = len(names) - len(answered)
    return f"{sum(answered.values())} of {len(names)} {word}" + (f", {left} not answered" if left else "")


def place_of(name):
    section = getattr(others.flashcard(name), "section", "")
    return with_title(f"{int(section.split('.')[0]):02d}, section {section}") if section else ""


def with_title(place):
    """'01, section 1.9 (Both at once, and the shapes)' of '01, section 1.9', where its title is known."""
    stages = [stage.revise for topic in TOPICS.values() for stage in topic.stages]
    items = [item.revise for kind in ITEMS.values() for item in kind.values()]
    found = [one for one in (*stages, *items, *REVISE.values()) if one.startswith(f"{place} (")]
    titles = [one for one in found if one[len(place) + 2].isupper()]  # others say only what to look for there
    return titles[0] if titles else place


def of_item(mock, number, facts):
    marks = mock.marks(number)
    most = 2 * len(criteria(mock.parts[number]))
    return (f"{sum(marks.values())} of {most}" if marks else "not rated"), [], []


CAME = {"program": of_program, "hunt": of_hunt, "cards": of_cards, "spoken": of_item, "design": of_item}
