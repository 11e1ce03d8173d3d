"""The page at the end: a mock interview that is over comes in, a file to print goes out."""

from .paper import block, bullets, document, table, text, write
from .plan import levels
from .plan import table as texts
from .results import results

HEADS = ("", "part", "asked", "outcome", "hints", "minutes", "of")


def write_page(mock):
    """Write it beside the notebook, and show a link."""
    start = f"{mock.start.astimezone():%Y-%m-%d_%H%M}"
    write(f"mock_interview_{mock.level}_{start}.html", page(mock))


def page(mock):
    """The whole file of a mock interview that is over."""
    rows = results(mock)
    head = f"Mock interview: {levels()[mock.level]['title']}"
    mistakes = dict.fromkeys(name for row in rows for name in row.mistakes)
    places = dict.fromkeys(place for row in rows for place in row.revise)
    body = [
        f"<h1>{text(head)}</h1><p class=quiet>{text(under_title(mock, rows))}</p>",
        f"<h2>Parts</h2>{table(HEADS, map(part_row, range(1, 99), rows), numbers=(4, 5, 6))}",
        block("What was said aloud", marks_table(rows) or "<p>Nothing was rated.</p>", 2),
        block("Mistakes by name", bullets(mistakes) or "<p>None was named.</p>", 2),
        block("To revise", bullets(places) or "<p>Nothing by what was answered and rated.</p>", 2),
        block("Next time", "<div class=line></div>" * 4, 2),
    ]
    return document(head, "\n".join(body))


def under_title(mock, rows):
    took = sum(row.took or 0 for row in rows)
    marks = [mark for row in rows for mark in row.marks.values()]
    rated = f", rated {sum(marks)} of {2 * len(marks)}" if marks else ""
    who = "alone" if mock.alone else "with an interviewer"
    seed = f", seed {mock.seed}" if mock.seed is not None else ""
    day = f"{mock.start.astimezone():%d %B %Y, %H:%M}"
    return f"{day}; {who}; {took:.0f} of {mock.minutes:g} minutes{rated}{seed}"


def part_row(number, row):
    took = "" if row.took is None else f"{row.took:.0f}"
    part = row.part
    return number, part.heading, part.title, row.outcome, row.hints or "", took, f"{part.minutes:g}"


def marks_table(rows):
    """For each criterion: its marks by part, and what 2 looks like where that was missed."""
    lines = []
    for name, criterion in texts("rubric").items():
        marks = {n: row.marks[name] for n, row in enumerate(rows, 1) if name in row.marks}
        if marks:
            numbers = f"part{'s' * (len(marks) > 1)} {', '.join(map(str, marks))}"
            best = criterion["looks"][2] if min(marks.values()) < 2 else ""
            lines.append((criterion["title"], f"{', '.join(map(str, marks.values()))} ({numbers})", best))
    return table(("criterion", "marks, of 2", "2 looks like this"), lines) if lines else ""
