"""The cards of a mock interview: a part with the clock, what is revealed, marks, and the end."""

from ..card import QUIET, Card
from ..clock import add_clock, minutes
from .plan import levels, paragraphs, table

HEAD = "margin-top:.5em;font-weight:600"
WRITE = (
    "Before you write, say aloud what comes in, what goes out, and what you assume. Keep talking while you "
    "write. The task is in the next card, with the clock of this part. What follows it comes by itself when "
    "`interview.check` says that it is right."
)
READ = "Read it aloud first: what should each part do? Then look for the line."


def part_card(mock, notes=()):
    """The part that a mock interview is at, with its clock."""
    part, title = mock.part, levels()[mock.level]["title"]
    card = Card(f"{title}, part {mock.at + 1} of {len(mock.parts)}: {part.heading}")
    add_clock(card, mock)
    if not mock.at:
        plan = ", ".join(f"{item.heading.lower()} {item.minutes:g}" for item in mock.parts)
        seed = f" Seed {mock.seed}." if mock.seed is not None else ""
        card.quiet(f"{mock.minutes:g} minutes: {plan}.{seed}")
    after = (mock.end - mock.part_start).total_seconds() / 60 - part.minutes  # on the clock of the whole
    until = f"until {minutes(after)} are left" if after >= 1.5 else "until the end"
    card.quiet(f"This part has {minutes(part.minutes)}: {until}.")
    card.say(part.notes.get("prompt"), style=HEAD).say(*task(mock))
    tool = table("kinds")[part.kind].get("uses") if mock.alone or part.kind != "cards" else None
    if tool:
        card.quiet(f"This part uses `{tool}`. If that is not known here: `from course_utils import {tool}`.")
    hint = ", `mock_interview.hint()` gives a hint" if mock.alone and part.notes.get("hints") else ""
    when = "" if mock.alone else " when your interviewer says so"
    go_on = f"`mock_interview.next()` goes on{when}, `mock_interview()` shows this card again{hint}."
    return card.quiet(go_on, *notes)


def task(mock):
    """What is to be done in a part; its question stands above."""
    part, asked, number = mock.part, mock.asked(mock.at), len(mock.part.names)
    if part.kind == "program":
        return [WRITE]
    if part.kind == "hunt":
        return [f"This is program {asked} of {number}." if number > 1 else "", READ]
    if part.kind == "cards" and mock.alone:
        return [f"Say the answer aloud before you type it or reveal it. This is number {asked} of {number}."]
    if part.kind == "cards":
        return [f"Your interviewer asks {number} short questions. Answer aloud."]
    if not mock.alone:
        return ["Answer your interviewer."]
    how = "Then `mock_interview.reveal()` shows a model answer, and how to rate yours."
    return [f"Answer aloud, as if somebody were listening. {how}"]


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
    """What an interviewer knows of a part: a model answer, what to listen for, follow-ups, its section."""
    notes = part.notes
    if "answer" in notes:
        card.say("A model answer:", style=HEAD).say(*paragraphs(notes["answer"]))
    card.points("To listen for", notes.get("listen", []))
    card.points("Follow-ups", [" ".join(pair) for pair in notes.get("follow", [])])
    return card.say(
        f"In the lessons: {notes['revise']}." if "revise" in notes else "", style="margin-top:.6em"
    )


def add_rubric(card, part):
    rows = [(criterion["title"], *criterion["looks"]) for criterion in part.criteria.values()]
    return card.table(rows, ("", "0", "1", "2"), wide="min-width:34em")


def end_card(mock, sentence, notes=()):
    """How long each part took, what is not rated yet, and how the page is made."""
    card, times = Card(f"{levels()[mock.level]['title']}: the mock interview is over"), mock.times()
    for n, (part, took) in enumerate(zip(mock.parts, times, strict=True)):
        spent = "not reached" if took is None else f"{took:.0f} of {part.minutes:g} minutes"
        marks = mock.marks(n)
        rated = f", rated {sum(marks.values())} of {2 * len(part.criteria)}" if marks else ""
        card.say(f"{n + 1}. {part.heading}: {part.notes['title']}, {spent}{rated}")
    missing = [n + 1 for n, took in enumerate(times) if took is not None and not mock.marks(n)]
    card.say(sentence, style="margin-top:.5em")
    if missing:
        names = f"part{'s' * (len(missing) > 1)} {', '.join(map(str, missing))}"
        first, marks = missing[0], example(mock.parts[missing[0] - 1])
        card.say(
            f"Not rated yet: {names}. `mock_interview.reveal(part={first})` shows a model answer and what is "
            f"rated; `mock_interview.rate({marks}, part={first})` keeps the marks."
        )
    return card.say("`mock_interview.page()` writes the page to print.").say(*notes, style=QUIET)
