"""A session and a time come in, what a person sees goes out, as (HTML, text)."""

import html
import sys
from datetime import timedelta

from ...show.card import box, code_spans
from ...show.tables import tag
from ..cards import QUIET
from .session import answered, minutes_of

BLUE = "#3568a8"
SOON = timedelta(days=1)
TABLE = "border-collapse:collapse;margin:0;font-size:inherit"
CELL = "border:0;background:none;text-align:left;vertical-align:top;padding:.1em 1em .1em 0"
NOTHING = "Nothing is due now."
WITHIN_A_DAY = "Within a day: {}."
LONGER = "Also due, and longer than {}: {}."
DUE = "Due now: {}. `due(10)` makes a session of ten minutes{}."
IMPORT = ", after `from course_utils import due`"


def session_page(items, now, notes=()):
    """The list of a session, with estimated minutes; then notes."""
    head = f"Session: {counted(items)}." if items else NOTHING
    rows = [(item.kind.title(item.name), spent(item.minutes), since(item, now)) for item in items]
    page = tag("div", "", f"<b>{html.escape(head)}</b>") + (table(rows) if rows else "")
    page += "".join(tag("div", QUIET, code_spans(note)) for note in notes)
    return box(BLUE, page), "\n".join([head, *(f"  {', '.join(row)}" for row in rows), *notes])


def longer_than(minutes, items):
    """[the sentence that names what is due and does not fit into these minutes], or []."""
    titles = ", ".join(f"{item.kind.title(item.name)} ({spent(item.minutes)})" for item in items)
    return [LONGER.format(spent(minutes), titles)] if items else []


def table(rows):
    styles = CELL, f"{CELL};white-space:nowrap", f"{CELL};white-space:nowrap"
    cells = ([tag("td", *cell) for cell in zip(styles, map(html.escape, row), strict=True)] for row in rows)
    body = "".join(tag("tr", "background:none", "".join(row)) for row in cells)
    table = tag("table", TABLE, body)
    return tag("div", "overflow-x:auto;margin-top:.35em", table)


def progress_lines(facts, now):
    """What progress() says of the schedule; nothing before the first answer."""
    found = answered(facts, now)
    if not found:
        return []
    due = [item for item in found if item.due <= now]
    soon = [item for item in found if now < item.due <= now + SOON]
    missing = "due" not in vars(sys.modules["__main__"])
    first = DUE.format(counted(due), IMPORT if missing else "") if due else NOTHING
    then = WITHIN_A_DAY.format(counted(soon, "more item" if due else "item"))
    return [f"{first} {then}" if soon else first]


def counted(items, word="item"):
    """'3 items, about 5 minutes'"""
    number = f"1 {word}" if len(items) == 1 else f"{len(items)} {word}s"
    return f"{number}, about {spent(minutes_of(items))}"


def spent(minutes):
    return "1 minute" if minutes == 1 else f"{minutes:g} minutes"


def since(item, now):
    """'due today', 'due for 3 days', 'new'"""
    if item.due is None:
        return "new"
    days = (now - item.due).days
    return "due today" if days == 0 else "due for 1 day" if days == 1 else f"due for {days} days"
