"""The page at the end: a mock interview that is over comes in; what came of it, collected from where that is
kept, goes out as a file to print."""

import html
from pathlib import Path

from .. import bugs, log
from ..bugs.program import load
from ..card import Card, Refusal
from ..flashcards.deck import decks
from ..interview import interview
from ..saved import colab_files
from .plan import levels, table

CSS = Path(__file__).with_name("paper.css")
HOW = (
    "To print it, open it in a tab of the browser: in JupyterLab by a right click on it in the list of "
    "files, *Open in New Browser Tab*. It needs no network."
)


def result_of(mock, number, facts):
    """(the outcome of a part, names of mistakes, where to read again)."""
    part, marks = mock.parts[number], mock.marks(number).values()
    revise = [part.notes.get("revise")]
    if part.kind == "program":
        key = mock.interview_key(number)
        session = next((session for session in interview.sessions()[0] if session.key == key), None)
        if session is None:
            return "not begun", [], revise
        steps, revise = session.rows()
        right = sum(step.state == "right" for step in steps)
        return (
            f"{right} of {len(steps)} steps right",
            [name for step in steps for name in step.mistakes],
            revise,
        )
    if part.kind == "hunt":
        outcome, misses = answers(part.names, bugs.PREFIX, facts, "found")
        mistakes = [load(name).mistake.partition(".")[2].replace("_", " ") for name in misses]
        return outcome, list(filter(None, mistakes)), []
    if part.kind == "cards" and mock.alone:
        outcome, misses = answers(part.names, "card:", facts, "right")
        cards = [decks()[name] for name in misses]
        return outcome, [f"flashcard: {card.title}" for card in cards], [card.place for card in cards]
    if part.kind == "cards":
        return "asked aloud", [], []
    outcome = f"{sum(marks)} of {2 * len(part.criteria)}" if marks else "not rated"
    return outcome, [], revise if any(mark < 2 for mark in marks) else []


def answers(names, prefix, facts, word):
    """('5 of 7 right, 1 not answered', the names that were missed)."""
    answered = {name: facts[prefix + name] for name in names if prefix + name in facts}
    left = f", {len(names) - len(answered)} not answered" if len(answered) < len(names) else ""
    outcome = f"{sum(answered.values())} of {len(names)} {word}{left}" if answered else "not answered"
    return outcome, [name for name, right in answered.items() if not right]


def write_page(mock):
    """Write the page beside the notebook, and show a link."""
    name = f"mock_interview_{mock.level}_{mock.start.astimezone():%Y-%m-%d_%H%M}.html"
    write(name, f"Mock interview: {levels()[mock.level]['title']}", cards(mock))


def cards(mock):
    """What was asked and what came of it, marks, mistakes, what to revise, and lines to write on."""
    during = [fact for fact in log.recall()[0] if mock.start <= fact.when <= mock.end]
    facts = {fact.name: fact.right for fact in reversed(during)}  # the first answer is the one that counts
    rows, mistakes, places, times = [], [], [], mock.times()
    for number, (part, took) in enumerate(zip(mock.parts, times, strict=True)):
        outcome, names, revise = "not reached", [], [part.notes.get("revise")]
        if took is not None:
            outcome, names, revise = result_of(mock, number, facts)
        hints, spent = len(mock.of("hint", part=number)), "–" if took is None else f"{took:.0f}"
        head, title = f"{number + 1}. {part.heading}", part.notes["title"]
        rows.append((head, title, outcome, hints or "", f"{spent} of {part.minutes:g}"))
        mistakes, places = mistakes + names, places + revise
    minutes = sum(filter(None, times))
    yield Card("Parts", summary(mock, minutes)).table(rows, ("part", "asked", "outcome", "hints", "minutes"))
    yield Card("What was said aloud").table(mark_rows(mock) or [("Nothing was rated.",)])
    yield Card("Mistakes by name").say(*(dict.fromkeys(mistakes) or ["None was named."]))
    places = dict.fromkeys(filter(None, places))
    yield Card("To revise").say(*(places or ["Nothing by what was answered and rated."]))
    yield Card("Next time").add("<div style='border-bottom:1px solid #999;height:7mm'></div>" * 4)


def summary(mock, minutes):
    marks = [mark for number in range(len(mock.parts)) for mark in mock.marks(number).values()]
    rated = f", rated {sum(marks)} of {2 * len(marks)}" if marks else ""
    who = "alone" if mock.alone else "with an interviewer"
    seed = f", seed {mock.seed}" if mock.seed is not None else ""
    day = f"{mock.start.astimezone():%d %B %Y, %H:%M}"
    return f"{day}; {who}; {minutes:.0f} of {mock.minutes:g} minutes{rated}{seed}"


def mark_rows(mock):
    """For each criterion: its marks by part, and what 2 looks like where that was missed."""
    rows, every = [], {number: mock.marks(number) for number in range(len(mock.parts))}
    for name, criterion in table("rubric").items():
        if marks := {number: marks[name] for number, marks in every.items() if name in marks}:
            listed = ", ".join(f"{mark} (part {number + 1})" for number, mark in marks.items())
            best = f'2 is "{criterion["looks"][2]}"' if min(marks.values()) < 2 else ""
            rows.append((criterion["title"], listed, best))
    return rows


def write(name, title, cards, *lines):
    """Write cards as a file for A4 beside the notebook, and show a card with a link to it and these lines."""
    title, body = html.escape(title), "\n".join(card.page for card in cards)
    page = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{CSS.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n"
        "</html>\n"
    )
    try:
        Path(name).write_text(page, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"Nothing was written: {name} cannot be written to ({type(error).__name__}).") from None
    if colab_files() is not None:
        colab_files().download(name)
    link = f'<a href="{html.escape(name)}" target="_blank" rel="noopener">{html.escape(name)}</a>'
    card = Card().add(f"<div>Written: {link}</div>", f"Written: {Path(name).resolve()}")
    card.say(*lines, HOW, style="").show()
