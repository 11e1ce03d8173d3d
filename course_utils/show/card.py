"""Show a Result: a card in a notebook, plain text elsewhere."""

import html
import sys
from pathlib import Path

from .colours import readable
from .crash import crash_html, crash_text
from .tables import PAIR, both_html, both_text, code_spans, small, tag

HOVER = Path(__file__).with_name("hover.js")

STATUS = {
    "passed": ("Right", "#0b7a4b"),
    "one_left": ("Right, with one thing left", "#8a6d00"),
    "wrong": ("Not yet", "#b3401a"),
    "error": ("Not yet", "#b3401a"),
    "not_started": ("Not started", "#6b6b6b"),
    "broken": ("The check broke", "#7a3fa0"),
}
LINE = "margin-top:.35em"
NUMBER_BELOW = "The plain number below is for nbgrader, the instructors' grading tool: you can ignore it."


def show(result):
    """Draw the result's card, with a text version, in a notebook; print the text outside one."""
    below = NUMBER_BELOW if shows_points(running_cell()) else ""
    page = as_html(result) + (small(below) if below else "")
    if result.picture and PAIR in page:
        page += f"<script>{HOVER.read_text(encoding='utf-8')}</script>"
    display_both(page, "\n".join(filter(None, [as_text(result), below])))


def running_cell():
    """The source of the running cell; empty outside a notebook."""
    shell = sys.modules["IPython"].get_ipython() if in_notebook() else None
    return next(reversed(getattr(shell.history_manager, "input_hist_raw", [])), "") if shell else ""


def shows_points(cell):
    """Does the cell end with a result's points, which the notebook then prints below the card?"""
    lines = [line.split("#")[0].strip() for line in cell.splitlines()]
    return next(filter(None, reversed(lines)), "").endswith(".points")


def show_text(*lines):
    """Show a few plain lines on a card without a headline."""
    body = "".join(f"<div>{code_spans(line)}</div>" for line in lines)
    display_both(box("#3568a8", body), "\n".join(lines))


def display_both(page, text):
    if in_notebook():
        from IPython.display import display

        display({"text/html": page, "text/plain": text}, raw=True)
    else:
        print(text)


def in_notebook():
    """Is there a kernel that shows HTML? (IPython is not imported for this: a notebook has loaded it.)"""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


def headline(result):
    """(words, colour)"""
    word, colour = STATUS[result.status]
    return (word.replace("one thing", f"{result.left} things") if result.left > 1 else word), colour


def points_on(cases, result):
    """'1.5 of 2 points on hidden cases'; a learner's own card passes no `cases`."""
    return f"{result.points:g} of {result.max_points:g} points on {cases}"


def as_text(result, cases=""):
    points = f"  ({points_on(cases, result)})" if cases else ""
    lines = [f"{headline(result)[0]}: {result.name}{points}", result.message, result.why]
    lines += crash_text(result.crash) if result.crash else []
    lines += both_text(result.picture) if result.picture else []
    lines += [result.look_at, tally(result)]
    lines += ["Your code printed:", result.printed.rstrip()] if result.printed else []
    return "\n".join(filter(None, [*lines, result.note]))


def as_html(result, cases=""):
    """Colours are mid-tones on a transparent background, readable on light and dark themes."""
    word, colour = headline(result)
    points = tag("span", "opacity:.75", points_on(cases, result)) if cases else ""
    body = tag("div", "", f"{bright(colour, word, 'b')} <b>{html.escape(result.name)}</b> {points}")
    body += line(result.message) + line(result.why)
    body += crash_html(result.crash) if result.crash else ""
    body += both_html(result.picture) if result.picture else ""
    body += tag("div", f"{LINE};opacity:.85", html.escape(result.look_at)) if result.look_at else ""
    body += dots(result)
    if result.printed:
        body += tag("div", f"{LINE};opacity:.75;font-size:90%", "Your code printed:")
        body += tag("pre", "margin:0;opacity:.85", html.escape(result.printed.rstrip()))
    body += line(result.note, ";opacity:.85")
    return box(colour, body)


def line(text, style=""):
    return tag("div", LINE + style, code_spans(text)) if text else ""


def box(colour, inner):
    border = f"border:1px solid {colour}66;border-left:5px solid {colour};border-radius:4px"
    style = f"{border};padding:.5em .8em;margin:.3em 0;max-width:60em;line-height:1.45"
    return f'<div role="status" style="{style}">{inner}</div>'  # screen readers announce it


def bright(colour, inner, name="span"):
    """Text in a colour that is readable on light and dark themes."""
    return tag(name, readable(colour), inner)


def dots(result):
    """One mark per case: filled if right, hollow if wrong, a dash if not checked."""
    if not result.trail:
        return ""
    marks = {True: ("#0b7a4b", "●"), False: ("#b3401a", "○"), None: ("#6b6b6b", "–")}
    cells = " ".join(
        tag("span", "margin-right:1em;display:inline-block", f"{bright(*marks[ok])} {html.escape(name)}")
        for name, ok in result.trail
    )
    return tag("div", "margin-top:.45em;font-size:90%", cells)


def tally(result):
    return "  ".join(f"[{'ok' if ok else '--' if ok is None else 'no'}] {name}" for name, ok in result.trail)
