"""What came of a mock interview, collected from where it is kept: parts, mistakes by name, what to revise."""

from dataclasses import dataclass, field

from .. import bugs, log
from ..bugs.program import load
from ..flashcards.deck import decks
from ..interview import interview


@dataclass
class Result:
    """part, took: minutes, None when not reached. outcome: in a few words. marks: {criterion: mark}. hints:
    how many. mistakes: names. revise: lessons and sections."""

    part: object
    took: float | None
    marks: dict
    hints: int
    outcome: str = ""
    mistakes: list = field(default_factory=list)
    revise: list = field(default_factory=list)


def results(mock):
    """[Result] of a mock interview that is over."""
    during = [fact for fact in log.recall()[0] if mock.start <= fact.when <= mock.end]
    facts = {fact.name: fact.right for fact in reversed(during)}  # the first answer is the one that counts
    return [of_part(mock, number, took, facts) for number, took in enumerate(mock.times())]


def of_part(mock, number, took, facts):
    part = mock.parts[number]
    result = Result(part, took, mock.marks(number), len(mock.of("hint", part=number)))
    if took is None:
        result.outcome, result.revise = "not reached", [part.revise]
    elif part.kind == "program":
        of_program(result, mock.interview_key(number))
    elif part.kind == "hunt":
        of_hunt(result, facts)
    elif part.kind == "cards":
        of_cards(result, facts, mock.alone)
    else:
        marks = result.marks.values()
        result.outcome = f"{sum(marks)} of {2 * len(part.criteria)}" if marks else "not rated"
        result.revise = [part.revise] if any(mark < 2 for mark in marks) else []
    return result


def of_program(result, key):
    """How far the program came; names of mistakes and places from the interview's own sheet."""
    session = next((candidate for candidate in interview.sessions()[0] if candidate.key == key), None)
    if session is None:
        result.outcome, result.revise = "not begun", [result.part.revise]
        return
    rows, result.revise = session.rows()
    right = sum(row.state == "right" for row in rows)
    result.outcome = f"{right} of {len(rows)} steps right"
    result.mistakes = [name for row in rows for name in row.mistakes]


def of_hunt(result, facts):
    """How many bugs were found; the mistakes that were not, by name."""
    answered = answers(result, bugs.PREFIX, facts, "found")
    missed = [load(name).mistake for name, right in answered.items() if not right and name in bugs.items()]
    result.mistakes = [mistake.partition(".")[2].replace("_", " ") for mistake in missed if mistake]


def of_cards(result, facts, alone):
    """How many were right; the titles and the places of those that were not."""
    if not alone:
        result.outcome = "asked aloud"
        return
    answered, cards = answers(result, "card:", facts, "right"), decks()[0]
    wrong = [cards[name] for name, right in answered.items() if not right and name in cards]
    result.mistakes = [f"flashcard: {card.title}" for card in wrong]
    result.revise = [card.place for card in wrong]


def answers(result, prefix, facts, word):
    """{name: right?} of what was answered; the outcome says '5 of 7 right, 1 not answered'."""
    names = result.part.names
    answered = {name: facts[prefix + name] for name in names if prefix + name in facts}
    left = f", {len(names) - len(answered)} not answered" if len(answered) < len(names) else ""
    result.outcome = f"{sum(answered.values())} of {len(names)} {word}{left}" if answered else "not answered"
    return answered
