"""The cards of a mock interview: the current part, a model answer, the end; and a page with all of them."""

import re
from itertools import zip_longest
from pathlib import Path

from ..bugs.pages import add_answer as add_correction
from ..bugs.pages import add_code
from ..bugs.program import load
from ..bugs.run import example as input_that_shows
from ..card import Card, Refusal
from ..clock import add_clock, minutes
from ..flashcards.deck import decks
from ..interview import interview
from .plan import HEAD, add_answer, text

STYLE = Path(__file__).with_name("page.css")
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title><style>{}</style><body>{}</body></html>
"""


def part_card(mock):
    """The current part of a mock interview, with its clock."""
    part = mock.part
    card = Card(f"{mock.title}, part {mock.index + 1} of {len(mock.parts)}: {part.notes['heading']}")
    add_clock(card, mock)
    if not mock.index:
        plan = ", ".join(f"{item.notes['heading'].lower()} {item.minutes:g}" for item in mock.parts)
        card.quiet(f"{mock.minutes:g} minutes: {plan}.")
    # the minutes left of the whole interview when this part should end
    after = (mock.end - mock.spans[-1][0]).total_seconds() / 60 - part.minutes
    until = f"until {minutes(after)} are left" if after >= 1.5 else "until the end"
    card.quiet(f"This part has {minutes(part.minutes)}: {until}.")
    task = "spoken" if part.kind == "design" else part.kind
    card.say(part.notes.get("prompt"), style=HEAD).say(text(task, mock.n_asked(mock.index), len(part.names)))
    uses = text("uses", part.notes["uses"]) if "uses" in part.notes else ""
    return card.quiet(uses, text("go_on"), text("hint") if part.notes["hints"] else "")


def reveal_card(mock, number):
    """A part's question and model answer, what to listen for, follow-ups, and how to rate an answer."""
    part = mock.parts[number]
    card = Card(f"Part {number + 1}: {part.notes['title']}").say(part.notes.get("prompt"))
    add_answer(card, part.notes).say(text("rate", example(part), number + 1), style="margin-top:.6em")
    rows = [(criterion["title"], *criterion["looks"]) for criterion in part.criteria.values()]
    return card.table(rows, ("", "0", "1", "2"), wide="min-width:34em")


def solutions_card(mock, number):
    """The model solutions of a program, next to the learner's own; an empty Card for another part."""
    if mock.parts[number].kind != "program":
        return Card()
    session = mock.interview(number)
    return interview.solutions_card(mock.parts[number].names[0], session and session.key)


def example(part):
    """Marks for a part, as they are typed: '2, 2'."""
    return ", ".join("2" for _ in part.criteria)


def format_marks(marks):
    """'points 2, answer first 1'"""
    return ", ".join(f"{name} {mark}" for name, mark in marks.items()).replace("_", " ")


def end_card(mock, *lines):
    """The outcome of each part, which parts are not rated yet, and what to revise."""
    rows, places, unrated = [], {}, []
    for number, (part, span) in enumerate(zip_longest(mock.parts, mock.spans)):
        outcome, revise = outcome_of(mock, number) if span else ("not reached", [])
        spent = f"{max((span[1] - span[0]).total_seconds() / 60, 0):.0f}" if span else "–"
        head, hints = f"{number + 1}. {part.notes['heading']}", len(mock.events_of("hint", part=number)) or ""
        marks = format_marks(mock.marks(number))
        rows.append(
            (head, part.notes["title"], outcome, marks, f"{spent} of {part.minutes:g} minutes", hints)
        )
        places |= dict.fromkeys(revise)
        unrated += [number + 1] if span and not marks else []
    card = Card(f"{mock.title}: the mock interview is over", f"{mock.start.astimezone():%d %B %Y, %H:%M}")
    card.table(rows, ("part", "asked", "outcome", "marks", "time", "hints"))
    if unrated:
        names = f"part{'s' * (len(unrated) > 1)} {', '.join(map(str, unrated))}"
        card.say(text("unrated", names, unrated[0], example(mock.parts[unrated[0] - 1])))
    return add_clock(card.points("To revise", list(places)).quiet(*lines), mock)


def outcome_of(mock, number):
    """(the outcome of a part as a text, [where to read again])."""
    part, marks = mock.parts[number], mock.marks(number).values()
    revise = [part.notes["revise"]] if "revise" in part.notes else []
    if part.kind == "program":
        session = mock.interview(number)
        if session is None:
            return "not begun", revise
        steps, revise = session.rows()
        return f"{sum(state == 'right' for _, state, *_ in steps)} of {len(steps)} steps right", revise
    if part.is_spoken:
        return "", revise if any(mark < 2 for mark in marks) else []
    answers = mock.answers(number)
    missed = [decks()[name].place for name, right in answers.items() if not right and name in decks()]
    return f"{sum(answers.values())} right of {len(answers)} answered", missed


# ---- the page


def path_of(mock):
    return Path(f"mock_interview_{mock.subject}_{mock.start.astimezone():%Y-%m-%d_%H%M}.html")


def link_card(mock, *lines):
    """Says where the page is, or how to write it."""
    path, card = path_of(mock), Card().say(*lines, style="")
    if not path.exists():
        return card.say(text("page"), style="")
    link = f'<a href="{path}" target="_blank" rel="noopener">{path}</a>'
    card.add(f"<div>The page with all answers: {link}</div>", f"The page with all answers: {path.resolve()}")
    return card.quiet(text("page_again"))


def write_page(mock):
    """Write the result, the tasks and their answers as a page next to the notebook."""
    cards = [end_card(mock)]
    for number, part in enumerate(mock.parts):
        cards += [reveal_card(mock, number), solutions_card(mock, number)]
        cards += [explanation_card(load(name)) for name in part.names if part.kind == "hunt"]
        cards += [flashcard(decks()[name]) for name in part.names if part.kind == "cards"]
    body = re.sub(
        r"<details( open)?>", "<details open>", "\n".join(card.page for card in cards if card.pages)
    )
    try:
        page = PAGE.format(f"{mock.title}: mock interview", STYLE.read_text(encoding="utf-8"), body)
        path_of(mock).write_text(page, encoding="utf-8")
    except OSError as error:
        why = f"{path_of(mock)} cannot be written to ({type(error).__name__})"
        raise Refusal(f"The page was not written: {why}.") from None


def explanation_card(program):
    """A program of the bug hunt with its bug, the right line, the reason, and an input that shows it."""
    card = add_code(Card(f"Bug hunt: {program.title}").say(program.story), program.lines)
    if not program.bugs:
        return card.say(text("no_bug"))
    for number, bug in enumerate(program.bugs):
        add_correction(card, program, bug, input_that_shows(program.name, number))
    return card


def flashcard(card):
    """A flashcard with its answer below the question."""
    both, back = Card(card.title).markdown(card.prompt), card.back()
    return both.add("".join(back.pages), *back.lines)
