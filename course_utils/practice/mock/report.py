"""The page at the end: a mock interview that is over comes in, a file to print goes out."""

from ..card import Card
from .paper import document, write
from .plan import levels, table
from .results import results

HEADS = ("part", "asked", "outcome", "hints", "minutes")


def write_page(mock):
    """Write it beside the notebook, and show a link."""
    start = f"{mock.start.astimezone():%Y-%m-%d_%H%M}"
    title = f"Mock interview: {levels()[mock.level]['title']}"
    write(f"mock_interview_{mock.level}_{start}.html", document(title, cards(mock, results(mock))))


def cards(mock, rows):
    """What was asked and what came of it, marks, mistakes, what to revise, and lines to write on."""
    mistakes = list(dict.fromkeys(name for row in rows for name in row.mistakes))
    places = list(dict.fromkeys(place for row in rows for place in row.revise if place))
    parts = [part_row(number, row) for number, row in enumerate(rows, 1)]
    yield Card("Parts", summary(mock, rows)).table(parts, HEADS)
    yield Card("What was said aloud").table(mark_rows(rows) or [("Nothing was rated.",)])
    yield Card("Mistakes by name").say(*(mistakes or ["None was named."]))
    yield Card("To revise").say(*(places or ["Nothing by what was answered and rated."]))
    yield Card("Next time").add("<div style='border-bottom:1px solid #999;height:7mm'></div>" * 4)


def summary(mock, rows):
    took = sum(row.took or 0 for row in rows)
    marks = [mark for row in rows for mark in row.marks.values()]
    rated = f", rated {sum(marks)} of {2 * len(marks)}" if marks else ""
    who = "alone" if mock.alone else "with an interviewer"
    seed = f", seed {mock.seed}" if mock.seed is not None else ""
    day = f"{mock.start.astimezone():%d %B %Y, %H:%M}"
    return f"{day}; {who}; {took:.0f} of {mock.minutes:g} minutes{rated}{seed}"


def part_row(number, row):
    took = f"{'–' if row.took is None else f'{row.took:.0f}'} of {row.part.minutes:g}"
    return f"{number}. {row.part.heading}", row.part.title, row.outcome, row.hints or "", took


def mark_rows(rows):
    """For each criterion: its marks by part, and what 2 looks like where that was missed."""
    lines = []
    for name, criterion in table("rubric").items():
        marks = {n: row.marks[name] for n, row in enumerate(rows, 1) if name in row.marks}
        if marks:
            listed = ", ".join(f"{mark} (part {n})" for n, mark in marks.items())
            best = f'2 is "{criterion["looks"][2]}"' if min(marks.values()) < 2 else ""
            lines.append((criterion["title"], listed, best))
    return lines
