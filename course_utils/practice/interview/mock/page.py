"""The page at the end: a mock interview comes in, a file to print goes out."""

from .levels import LEVELS
from .paper import bullets, document, table, text, write
from .results import results
from .rubric import CRITERIA

NOTHING_WRONG = "None was named."
NOTHING_TO_REVISE = "Nothing by what was answered and rated."
NO_MARKS = "Nothing was rated."
LINES = 4


def write_page(mock, notes=()):
    """Write it beside the notebook, and show a link."""
    name = f"mock_interview_{mock.level}_{mock.start.astimezone():%Y-%m-%d_%H%M}.html"
    write(name, page(mock), *notes)


def page(mock):
    """The whole file of a mock interview that is over."""
    found = results(mock)
    head = f"Mock interview: {LEVELS[mock.level].title}"
    mistakes = list(dict.fromkeys(name for one in found for name in one.mistakes))
    places = list(dict.fromkeys(place for one in found for place in one.revise))
    body = [
        f"<h1>{text(head)}</h1><p class=quiet>{text(under_title(mock, found))}</p>",
        "<h2>Parts</h2>" + parts_table(found),
        "<h2>What was said aloud</h2>" + (marks_table(found) or f"<p>{NO_MARKS}</p>"),
        "<div class=keep><h2>Mistakes by name</h2>"
        + (bullets(mistakes) or f"<p>{NOTHING_WRONG}</p>")
        + "</div>",
        "<div class=keep><h2>To revise</h2>" + (bullets(places) or f"<p>{NOTHING_TO_REVISE}</p>") + "</div>",
        "<div class=keep><h2>Next time</h2>" + "<div class=line></div>" * LINES + "</div>",
    ]
    return document(head, "\n".join(body))


def under_title(mock, found):
    took = sum(one.took or 0 for one in found)
    marks = [mark for one in found for _, mark in one.marks]
    rated = f", rated {sum(marks)} of {2 * len(marks)}" if marks else ""
    who = "alone" if mock.people == 1 else "with an interviewer"
    seed = f", seed {mock.seed}" if mock.seed is not None else ""
    day = f"{mock.start.astimezone():%d %B %Y, %H:%M}"
    return f"{day}; {who}; {took:.0f} of {mock.minutes:g} minutes{rated}{seed}"


def parts_table(found):
    heads = ("", "part", "asked", "came of it", "hints", "minutes", "of")
    rows = [
        (
            n,
            one.name,
            one.title,
            one.came,
            one.hints or "",
            "" if one.took is None else f"{one.took:.0f}",
            f"{one.planned:g}",
        )
        for n, one in enumerate(found, 1)
    ]
    return table(heads, rows, numbers=(4, 5, 6))


def marks_table(found):
    """For each criterion: its marks by part, and what 2 looks like where that was missed."""
    rows = []
    for name, criterion in CRITERIA.items():
        marks = [(n, mark) for n, one in enumerate(found, 1) for got, mark in one.marks if got.name == name]
        if marks:
            worst = min(mark for _, mark in marks)
            numbers = f"part{'s' * (len(marks) > 1)} {', '.join(str(n) for n, _ in marks)}"
            said = f"{', '.join(str(mark) for _, mark in marks)} ({numbers})"
            rows.append((criterion.title, said, criterion.looks[2] if worst < 2 else ""))
    heads = ("criterion", "marks, of 2", "2 looks like this")
    return table(heads, rows) if rows else ""
