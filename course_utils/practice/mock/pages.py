"""The cards of a mock interview: a part with the clock, what is revealed, marks, and the end."""

from ..card import Card
from ..clock import add_clock, minutes
from .plan import paragraphs, text

HEAD = "margin-top:.5em;font-weight:600"


def part_card(mock, notes=()):
    """The part that a mock interview is at, with its clock."""
    part, alone = mock.part, mock.alone
    card = Card(f"{mock.title}, part {mock.at + 1} of {len(mock.parts)}: {part.notes['heading']}")
    add_clock(card, mock)
    if not mock.at:
        plan = ", ".join(f"{item.notes['heading'].lower()} {item.minutes:g}" for item in mock.parts)
        card.quiet(f"{mock.minutes:g} minutes: {plan}.{seed_of(mock, ' Seed {}.')}")
    after = (mock.end - mock.part_start).total_seconds() / 60 - part.minutes  # on the clock of the whole
    until = f"until {minutes(after)} are left" if after >= 1.5 else "until the end"
    card.quiet(f"This part has {minutes(part.minutes)}: {until}.")
    task = "spoken" if part.kind == "design" else part.kind
    task += "_for_two" if not alone and task in ("cards", "spoken") else ""
    card.say(part.notes.get("prompt"), style=HEAD)
    card.say(text(task, mock.asked(mock.at), len(part.names)))
    if "uses" in part.notes and (alone or part.kind != "cards"):
        card.quiet(text("uses", part.notes["uses"]))
    card.quiet(text("go_on" if alone else "go_on_for_two"))
    return card.quiet(text("hint") if alone and part.notes["hints"] else "", *notes)


def seed_of(mock, sentence):
    return sentence.format(mock.seed) if mock.seed is not None else ""


def reveal_card(mock, number):
    """The model answer and the rubric of a part."""
    part = mock.parts[number]
    card = add_notes(Card(f"Part {number + 1}: {part.notes['title']}"), part)
    call = f"`mock_interview.rate({example(part)}, part={number + 1})`"
    return add_rubric(card.say(f"Rate what you said: {call}, in this order:", style="margin-top:.6em"), part)


def example(part):
    """Marks for a part as they are typed: '2, 2'."""
    return ", ".join("2" for _ in part.criteria)


def comments(mock, marks):
    """One line for each part that was rated, with what would have been better."""
    lines = []
    for number, row in marks.items():
        listed = ", ".join(f"{name} {mark}" for name, mark in row.items())
        lines += [f"Kept for part {number + 1}: {listed}."] if row else []
        better = [c for name, c in mock.parts[number].criteria.items() if row.get(name, 2) < 2]
        lines += [f'{criterion["title"]}: 2 is "{criterion["looks"][2]}".' for criterion in better]
    return lines


def add_notes(card, part):
    """A model answer, what to listen for, follow-ups, and the section of the lessons."""
    notes = part.notes
    if "answer" in notes:
        card.say("A model answer:", style=HEAD).say(*paragraphs(notes["answer"]))
    card.points("To listen for", notes["listen"])
    card.points("Follow-ups", [" ".join(pair) for pair in notes["follow"]])
    return card.say(f"In the lessons: {notes['revise']}." if "revise" in notes else "")


def add_rubric(card, part):
    rows = [(criterion["title"], *criterion["looks"]) for criterion in part.criteria.values()]
    return card.table(rows, ("", "0", "1", "2"), wide="min-width:34em")
