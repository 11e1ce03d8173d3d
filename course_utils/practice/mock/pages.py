"""The cards of a mock interview: a part with the clock, what is revealed, and the end."""

from ..card import QUIET, Card
from ..clock import add_clock, minutes
from .marks import example
from .plan import levels, paragraphs

HEAD = "margin-top:.5em;font-weight:600"
ALOUD = (
    "Answer aloud, as if somebody were listening. Then `mock_interview.reveal()` shows a model answer, "
    "and how to rate yours."
)
TO_INTERVIEWER = "Answer your interviewer."
WRITE = (
    "Before you write, say aloud what comes in, what goes out, and what you assume. Keep talking while you "
    "write. The task is in the next card, with the clock of this part. What follows it comes by itself when "
    "`interview.check` says that it is right."
)
READ = "Read it aloud first: what should each part do? Then look for the line."
SHORT = "Say the answer aloud before you type it or reveal it. This is number {} of {}."
SHORT_OF_TWO = "Your interviewer asks {} short questions. Answer aloud."
GONE = "This question is not part of this version of the course: `mock_interview.next()` goes on."
NEXT = "`mock_interview.next()` goes on, `mock_interview()` shows this card again{}."
HINT = ", `mock_interview.hint()` gives a hint"
USES = "This part uses `{0}`. If that is not known here: `from course_utils import {0}`."
USED = {"program": "interview", "hunt": "bug_hunt", "cards": "flashcards"}
NEXT_OF_TWO = (
    "`mock_interview.next()` goes on when your interviewer says so; `mock_interview()` shows this card again."
)
HOW_TO_RATE = "Rate what you said: `mock_interview.rate({}, part={})`, in this order:"
PAGE = "`mock_interview.page()` writes the page to print."
UNRATED = (
    "Not rated yet: {}. `mock_interview.reveal(part={})` shows a model answer and what is rated; "
    "`mock_interview.rate({}, part={})` keeps the marks."
)


def part_card(mock, notes=()):
    """The part that a mock interview is at, with its clock."""
    part, title = mock.part, levels()[mock.level]["title"]
    card = Card(f"{title}, part {mock.at + 1} of {len(mock.parts)}: {part.heading}")
    add_clock(card, mock)
    if not mock.at:
        plan = ", ".join(f"{item.heading.lower()} {item.minutes:g}" for item in mock.parts)
        seed = f" Seed {mock.seed}." if mock.seed is not None else ""
        card.quiet(f"{mock.minutes:g} minutes: {plan}.{seed}")
    card.quiet(f"This part has {minutes(part.minutes)}: {part_until(mock)}.")
    card.say(part.notes.get("prompt"), style=HEAD).say(*task(mock))
    go_on = NEXT.format(HINT if part.notes.get("hints") else "") if mock.alone else NEXT_OF_TWO
    typed = part.kind in USED and (mock.alone or part.kind != "cards")
    return card.quiet(USES.format(USED[part.kind]) if typed else "", go_on, *notes)


def part_until(mock):
    """When the part should end, on the clock of the whole, as a server may be in another time zone."""
    after = (mock.end - mock.part_end).total_seconds() / 60
    return f"until {minutes(after)} are left" if after >= 1.5 else "until the end"


def task(mock):
    """What is to be done in a part; its question stands above."""
    part, asked = mock.part, mock.asked(mock.at)
    if part.kind == "program":
        return [WRITE]
    if part.kind == "hunt":
        return [f"This is program {asked} of {len(part.names)}." if len(part.names) > 1 else "", READ]
    if part.kind == "cards":
        return [SHORT.format(asked, len(part.names)) if mock.alone else SHORT_OF_TWO.format(len(part.names))]
    return [(ALOUD if mock.alone else TO_INTERVIEWER) if part.notes else GONE]


def reveal_card(mock, number):
    """The model answer and the rubric of a part."""
    part = mock.parts[number]
    card = add_notes(Card(f"Part {number + 1}: {part.title}"), part)
    card.say(HOW_TO_RATE.format(example(part), number + 1), style="margin-top:.6em")
    return add_rubric(card, part)


def add_notes(card, part):
    """What an interviewer knows of a part: a model answer, what to listen for, follow-ups, its section."""
    notes = part.notes
    if "answer" in notes:
        card.say("A model answer:", style=HEAD).say(*paragraphs(notes["answer"]))
    card.points("To listen for", notes.get("listen", []))
    card.points("Follow-ups", [" ".join(pair) for pair in notes.get("follow", [])])
    return card.say(f"In the lessons: {part.revise}." if part.revise else "", style="margin-top:.6em")


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
        card.say(f"{n + 1}. {part.heading}: {part.title}, {spent}{rated}")
    missing = [n + 1 for n, took in enumerate(times) if took is not None and not mock.marks(n)]
    card.say(sentence, style="margin-top:.5em")
    if missing:
        names = f"part{'s' * (len(missing) > 1)} {', '.join(map(str, missing))}"
        card.say(UNRATED.format(names, missing[0], example(mock.parts[missing[0] - 1]), missing[0]))
    return card.say(PAGE).say(*notes, style=QUIET)
