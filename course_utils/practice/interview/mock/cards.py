"""The cards of a mock interview, as (HTML, text): a part with the clock, what is revealed, and the end."""

import html

from ....show.card import box, bright, code_spans
from ....show.tables import tag
from ..cards import BLUE, QUIET, minutes, paragraphs
from ..clock import clock_html, until
from .kinds import hints, item_of, revise, title
from .levels import LEVELS
from .programs import BUGS, PROGRAMS
from .rubric import criteria

ALOUD = {
    1: "Answer aloud, as if somebody were sitting there. Then `mock_interview.reveal()` shows a model "
    "answer, and how to rate yours.",
    2: "Answer your interviewer.",
}
WRITE = (
    "Before you write, say aloud what comes in, what goes out, and what you assume. Go on speaking while you "
    "write. The task is in the next card, with the clock of this part. What follows it comes by itself when "
    "`interview.check` says that it is right."
)
READ = "Read it aloud first: what should each part do? Then look for the line."
NTH = "This is program {} of {}."
SHORT = {
    1: "Say the answer aloud before you type it or reveal it. This is number {} of {}.",
    2: "Your interviewer asks {1} short questions. Answer aloud.",
}
GONE = "This question is not part of this version of the course: `mock_interview.next()` goes on."
NEXT = "`mock_interview.next()` goes on, `mock_interview()` shows this card again{}."
HINT = ", `mock_interview.hint()` gives a hint"
USES = "This part uses `{0}`. If that is not known here: `from course_utils import {0}`."
USED = {"program": "interview", "hunt": "bug_hunt", "cards": "flashcards"}
NEXT_OF_TWO = (
    "`mock_interview.next()` goes on when your interviewer says so; `mock_interview()` shows this card again."
)
HOW_TO_RATE = "Rate what you said: `mock_interview.rate({})`, in this order:"
ANSWER = "A model answer"
TAUGHT = "In the lessons: {}."
PAGE = "`mock_interview.page()` writes the page to print."
UNRATED = (
    "Not rated yet: {}. `mock_interview.reveal(part={})` shows a model answer and what is rated; "
    "`mock_interview.rate({}, part={})` keeps the marks."
)


def part_card(mock, left, notes=()):
    """The part that a mock interview is at, with its clock."""
    number = mock.part()
    part = mock.parts[number]
    head = f"{LEVELS[mock.level].title}, part {number + 1} of {len(mock.parts)}: {part.title}"
    until_then = f"This part has {minutes(part.minutes)}: {part_until(mock)}."
    plan = [plan_line(mock)] if not number else []
    below = [*uses(mock, part), next_line(mock, part), *notes]
    page = tag("div", "", bright(BLUE, html.escape(head), "b")) + clock_html(mock)
    page += paragraphs(plan, QUIET) + paragraphs([until_then], QUIET)
    prompt, lines = task(mock, number)
    page += tag("div", "margin:.6em 0;font-weight:600", code_spans(prompt)) if prompt else ""
    page += paragraphs(lines) + paragraphs(below, QUIET)
    asked = [prompt, *lines] if prompt else lines
    text = [head, f"{minutes(left)} left, {until(mock)}", *plan, until_then, *asked, *below]
    return box(BLUE, page), "\n".join(text)


def part_until(mock):
    """When the part should end, on the clock of the whole, as a server may be in another time zone."""
    after = (mock.end - mock.part_end()).total_seconds() / 60
    return f"until {minutes(after)} are left" if after >= 1.5 else "until the end"


def uses(mock, part):
    """The sentence on what has to be imported, where it is typed in this part."""
    typed = part.kind in USED and not (part.kind == "cards" and mock.people == 2)
    return [USES.format(USED[part.kind])] if typed else []


def next_line(mock, part):
    return NEXT_OF_TWO if mock.people == 2 else NEXT.format(HINT if hints(part) else "")


def plan_line(mock):
    """The parts and their minutes, without what is asked."""
    parts = ", ".join(f"{part.title.lower()} {part.minutes:g}" for part in mock.parts)
    said = f"{mock.minutes:g} minutes: {parts}."
    return f"{said} Seed {mock.seed}." if mock.seed is not None else said


def task(mock, number):
    """(the question, "" where another card asks it, [what is to be done in a part])."""
    part = mock.parts[number]
    if part.kind == "program":
        return "", [WRITE]
    if part.kind == "hunt":
        which = [NTH.format(mock.asked(number), len(part.names))] if len(part.names) > 1 else []
        return "", [*which, READ]
    if part.kind == "cards":
        return "", [SHORT[mock.people].format(mock.asked(number), len(part.names))]
    item = item_of(part)
    return (item.prompt, [ALOUD[mock.people]]) if item else ("", [GONE])


def hint_card(text, nth, of):
    head = f"Hint {nth} of {of}"
    return box(BLUE, tag("div", "", f"{bright(BLUE, head, 'b')}") + paragraphs([text])), f"{head}: {text}"


# ---- what is revealed


def sections(part):
    """[(heading, [lines])] of what an interviewer knows: a model answer, what to listen for, follow-ups."""
    item = item_of(part)
    if item:
        follow = [" ".join(pair) for pair in item.follow]
        return [
            (ANSWER, item.answer.split("\n")),
            ("To listen for", list(item.listen)),
            ("Then one may ask", follow),
        ]
    if part.kind == "program":
        notes = PROGRAMS[part.names[0]]
        then = [("Then one may ask", [" ".join(pair) for pair in notes.then])] if notes.then else []
        return [("To listen for", list(notes.listen)), *then]
    return [("To listen for", list(BUGS))] if part.kind == "hunt" else []


def rubric_lines(part):
    """[(title of a criterion, its name, what 0, 1 and 2 look like)]."""
    return [(one.title, one.name, one.looks) for one in criteria(part)]


def reveal_card(part, number):
    """The model answer and the rubric of a part."""
    head = f"Part {number + 1}: {title(part)}"
    example = ", ".join("2" for _ in criteria(part)) or "2"
    example = f"{example}, part={number + 1}"
    page, text = tag("div", "", bright(BLUE, html.escape(head), "b")), [head]
    for heading, lines in sections(part):
        page += tag("div", "margin-top:.5em", tag("b", "", heading))
        prose = heading == ANSWER
        page += paragraphs(lines) if prose else bullets(lines)
        text += [f"{heading}:", *(line if prose else f"  - {line}" for line in lines)]
    taught = [TAUGHT.format(revise(part))] if revise(part) else []
    page += paragraphs(taught, "margin-top:.6em")
    text += taught
    how = HOW_TO_RATE.format(example)
    page += paragraphs([how], "margin-top:.6em") + rubric_table(part)
    text += [how]
    for name, _, looks in rubric_lines(part):
        text += [f"  {name}", *(f"    {mark}: {look}" for mark, look in enumerate(looks))]
    return box(BLUE, page), "\n".join(text)


def bullets(lines):
    items = "".join(tag("li", "margin:.15em 0", code_spans(line)) for line in lines)
    return tag("ul", "margin:.2em 0 .2em 1.2em;padding:0", items)


def rubric_table(part):
    cell = "border:0;background:none;text-align:left;vertical-align:top;padding:.2em 1em .2em 0"
    heads = "".join(tag("th", f"{cell};opacity:.75", text) for text in ("", "0", "1", "2"))
    rows = "".join(
        tag(
            "tr",
            "background:none",
            tag("td", cell, tag("b", "", html.escape(name)))
            + "".join(tag("td", cell, html.escape(look)) for look in looks),
        )
        for name, _, looks in rubric_lines(part)
    )
    table = tag(
        "table", "border-collapse:collapse;min-width:34em", tag("tr", "background:none", heads) + rows
    )
    return tag("div", "overflow-x:auto", table)


# ---- the end


def end_card(mock, sentence, notes=()):
    """How long each part took, what is not rated yet, and how the page is made."""
    head = f"{LEVELS[mock.level].title}: the mock interview is over"
    rows = [
        f"{n + 1}. {part.title}: {title(part)}, {spent(part, took)}{rated(mock, n)}"
        for n, (part, took) in enumerate(zip(mock.parts, mock.times(), strict=True))
    ]
    missing = [n for n, took in enumerate(mock.times()) if took is not None and not mock.marks(n)]
    lines = [sentence]
    if missing:
        example = ", ".join("2" for _ in criteria(mock.parts[missing[0]]))
        names = "part " if len(missing) == 1 else "parts "
        names += ", ".join(str(n + 1) for n in missing)
        lines.append(UNRATED.format(names, missing[0] + 1, example, missing[0] + 1))
    lines.append(PAGE)
    page = tag("div", "", bright(BLUE, html.escape(head), "b")) + paragraphs(rows)
    page += paragraphs(lines, "margin-top:.5em") + paragraphs(notes, QUIET)
    return box(BLUE, page), "\n".join([head, *(f"  {row}" for row in rows), *lines, *notes])


def spent(part, took):
    return "not reached" if took is None else f"{took:.0f} of {part.minutes:g} minutes"


def rated(mock, number):
    marks = mock.marks(number)
    most = 2 * len(criteria(mock.parts[number]))
    return f", rated {sum(marks.values())} of {most}" if marks else ""
