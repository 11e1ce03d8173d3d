"""The cards of a mock interview: the current part, a model answer, the end; and a page with all of them."""

from pathlib import Path

from .. import log
from ..card import Card, Refusal
from ..clock import add_clock, minutes
from ..flashcards.deck import decks
from ..saved import colab_files
from .plan import KINDS, text

HEAD = "margin-top:.5em;font-weight:600"


def part_card(mock, notes=()):
    """The current part of a mock interview, with its clock."""
    part = mock.part
    card = Card(f"{mock.title}, part {mock.index + 1} of {len(mock.parts)}: {part.notes['heading']}")
    add_clock(card, mock)
    if not mock.index:
        plan = ", ".join(f"{item.notes['heading'].lower()} {item.minutes:g}" for item in mock.parts)
        card.quiet(f"{mock.minutes:g} minutes: {plan}.")
    # the minutes left of the whole interview when this part should end
    after = (mock.end - mock.starts[-1]).total_seconds() / 60 - part.minutes
    until = f"until {minutes(after)} are left" if after >= 1.5 else "until the end"
    card.quiet(f"This part has {minutes(part.minutes)}: {until}.")
    task = "spoken" if part.kind == "design" else part.kind
    card.say(part.notes.get("prompt"), style=HEAD).say(text(task, mock.n_asked, len(part.names)))
    uses = text("uses", part.notes["uses"]) if "uses" in part.notes else ""
    return card.quiet(uses, text("go_on"), text("hint") if part.notes["hints"] else "", *notes)


def reveal_card(mock, number):
    """A part's model answer, what to listen for, follow-ups, and how to rate an answer."""
    part = mock.parts[number]
    notes, card = part.notes, Card(f"Part {number + 1}: {part.notes['title']}")
    if "answer" in notes:
        card.say("A model answer:", style=HEAD).markdown(notes["answer"])
    card.points("To listen for", notes["listen"])
    card.points("Follow-ups", [" ".join(pair) for pair in notes["follow"]])
    card.say(f"In the lessons: {notes['revise']}." if "revise" in notes else "")
    card.say(text("rate", example(part), number + 1), style="margin-top:.6em")
    rows = [(criterion["title"], *criterion["looks"]) for criterion in part.criteria.values()]
    return card.table(rows, ("", "0", "1", "2"), wide="min-width:34em")


def example(part):
    """Marks for a part, as they are typed: '2, 2'."""
    return ", ".join("2" for _ in part.criteria)


def format_marks(marks):
    """'points 2, answer first 1'"""
    return ", ".join(f"{name} {mark}" for name, mark in marks.items()).replace("_", " ")


def end_card(mock, *lines):
    """The outcome of each part, which parts are not rated yet, what to revise, and how to make the page."""
    rows, places, unrated = [], {}, []
    during = [fact for fact in log.recall()[0] if mock.start <= fact.when <= mock.end]
    facts = {fact.name: fact.right for fact in reversed(during)}  # the first answer is the one that counts
    for number, (part, took) in enumerate(zip(mock.parts, mock.times(), strict=True)):
        outcome, revise = outcome_of(mock, number, facts) if took is not None else ("not reached", [])
        spent, hints = "–" if took is None else f"{took:.0f}", len(mock.events_of("hint", part=number)) or ""
        head = f"{number + 1}. {part.notes['heading']}"
        marks = format_marks(mock.marks(number))
        spent = f"{spent} of {part.minutes:g} minutes"
        rows.append((head, part.notes["title"], outcome, marks, spent, hints))
        places |= dict.fromkeys(revise)
        unrated += [number + 1] if took is not None and not marks else []
    card = Card(f"{mock.title}: the mock interview is over", f"{mock.start.astimezone():%d %B %Y, %H:%M}")
    card.table(rows, ("part", "asked", "outcome", "marks", "time", "hints"))
    if unrated:
        names = f"part{'s' * (len(unrated) > 1)} {', '.join(map(str, unrated))}"
        card.say(text("unrated", names, unrated[0], example(mock.parts[unrated[0] - 1])))
    return card.points("To revise", list(places)).say(text("page")).quiet(*lines)


def outcome_of(mock, number, facts):
    """(the outcome of a part as a text, [where to read again])."""
    part, marks = mock.parts[number], mock.marks(number).values()
    revise = [part.notes["revise"]] if "revise" in part.notes else []
    if part.kind == "program":
        session = mock.interview(number)
        if session is None:
            return "not begun", revise
        steps, revise = session.rows()
        return f"{sum(step.state == 'right' for step in steps)} of {len(steps)} steps right", revise
    if part.kind in KINDS:
        prefix = KINDS[part.kind].PREFIX
        answered = {name: facts[prefix + name] for name in part.names if prefix + name in facts}
        missed = [decks()[name].place for name, right in answered.items() if not right and name in decks()]
        return f"{sum(answered.values())} right of {len(answered)} answered", missed
    return "", revise if any(mark < 2 for mark in marks) else []


def write_page(mock):
    """Write the end card and the model answers as a page next to the notebook, and show a link."""
    name = f"mock_interview_{mock.subject}_{mock.start.astimezone():%Y-%m-%d_%H%M}.html"
    cards = [end_card(mock), *(reveal_card(mock, number) for number in range(len(mock.parts)))]
    try:
        page = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Mock interview</title><body>'
        Path(name).write_text(page + "\n".join(card.page for card in cards), encoding="utf-8")
    except OSError as error:
        raise Refusal(f"Nothing was written: {name} cannot be written to ({type(error).__name__}).") from None
    if colab_files() is not None:
        colab_files().download(name)
    link = f'<a href="{name}" target="_blank" rel="noopener">{name}</a>'
    Card().add(f"<div>Written: {link}</div>", f"Written: {Path(name).resolve()}").show()
