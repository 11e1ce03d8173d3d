"""How a person sees a Result: a card in a notebook, plain text elsewhere."""

import html
import re
import sys

from .tables import both_html, both_text, tag

STATUS = {
    "passed": ("Right", "#0b7a4b"),
    "wrong": ("Not yet", "#b3401a"),
    "error": ("Not yet", "#b3401a"),
    "not_started": ("Not started", "#6b6b6b"),
    "broken": ("The check broke", "#7a3fa0"),
}

STARRED = re.compile(r"(?<![\w*])\*(\w(?:[^*\n]*\w)?)\*(?![\w*])")  # and not the stars of 2 * n or *args


def show(result):
    """Draw the result's card: HTML with its text twin in a notebook, the text outside one."""
    display_both(as_html(result), as_text(result))


def show_text(*lines):
    """A few plain lines, as a quiet card."""
    body = "".join(f"<div>{code_spans(line)}</div>" for line in lines)
    display_both(box("#3568a8", body), "\n".join(lines))


def display_both(page, text):
    if in_notebook():
        from IPython.display import display

        display({"text/html": page, "text/plain": text}, raw=True)
    else:
        print(text)


def in_notebook():
    """Is there a kernel that shows HTML? (IPython is not imported for this: a notebook has it already.)"""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


def as_text(result):
    word = STATUS[result.status][0]
    lines = [f"{word}: {result.name}  ({result.points:g} of {result.max_points:g} points)", result.message]
    lines += both_text(result.picture) if result.picture else []
    lines += [line for line in (result.look_at, tally(result), printed(result), result.note) if line]
    return "\n".join(lines)


def as_html(result, cases="the visible cases"):
    """Colours are mid-tones on a transparent ground: they read on light and on dark themes alike."""
    word, colour = STATUS[result.status]
    points = tag("span", "opacity:.75", f"{result.points:g} of {result.max_points:g} points on {cases}")
    body = tag("div", "", f"{bright(colour, word, 'b')} <b>{html.escape(result.name)}</b> {points}")
    body += tag("div", "margin-top:.35em", code_spans(result.message))
    if result.picture:
        body += both_html(result.picture)
    if result.look_at:
        body += tag("div", "margin-top:.35em;opacity:.85", html.escape(result.look_at))
    body += dots(result)
    if result.printed:
        body += tag("div", "margin-top:.35em;opacity:.75;font-size:90%", "Your code printed:")
        body += tag("pre", "margin:0;opacity:.85", html.escape(result.printed.rstrip()))
    if result.note:
        body += tag("div", "margin-top:.35em;opacity:.85", code_spans(result.note))
    return box(colour, body)


def box(colour, inner):
    border = f"border:1px solid {colour}66;border-left:5px solid {colour};border-radius:4px"
    return tag("div", f"{border};padding:.5em .8em;margin:.3em 0;max-width:60em;line-height:1.45", inner)


def bright(colour, inner, name="span"):
    return tag(name, f"color:{colour};filter:brightness(1.25)", inner)


def code_spans(text):
    """Escaped text; `back-quoted` parts become code, and *starred* words outside of them stand out."""
    parts = html.escape(text).split("`")
    return "".join(
        tag("code", "background:#8882;color:inherit", part) if i % 2 else STARRED.sub(r"<em>\1</em>", part)
        for i, part in enumerate(parts)
    )


def dots(result):
    """One mark a case: filled right, hollow wrong; a dash where it was not looked at."""
    if not result.trail:
        return ""
    marks = {True: ("#0b7a4b", "●"), False: ("#b3401a", "○"), None: ("#888", "–")}
    cells = " ".join(
        tag("span", "margin-right:1em;white-space:nowrap", f"{bright(*marks[ok])} {html.escape(name)}")
        for name, ok in result.trail
    )
    return tag("div", "margin-top:.45em;font-size:90%;opacity:.9", cells)


def tally(result):
    return "  ".join(f"[{'ok' if ok else '--' if ok is None else 'no'}] {name}" for name, ok in result.trail)


def printed(result):
    return f"Your code printed:\n{result.printed.rstrip()}" if result.printed else ""
