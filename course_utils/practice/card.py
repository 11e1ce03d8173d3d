"""A Card collects what a learner reads, as HTML and as text. A Refusal is shown instead of a result."""

import html
import tomllib
from functools import wraps

from ..show.card import STATUS, box, bright, code_spans, display_both
from ..show.tables import tag
from . import log

BLUE = "#3568a8"
BELOW = "margin-top:.35em"
QUIET = f"{BELOW};opacity:.85"
CELL = "border:0;background:none;text-align:left;vertical-align:top;padding:.1em 1em .1em 0"
PRE = (
    "margin:.4em 0;border:0;padding:.5em .6em;background:#8882;color:inherit;overflow-x:auto;"
    "font:13px/1.5 monospace;white-space:pre"
)
STYLES = {"p": "margin:.4em 0", "ul": "margin:.4em 0", "code": "background:#8882;color:inherit"}


class Refusal(ValueError):
    """Ends a call with sentences for the learner; with none if everything has been shown already."""


def for_learners(call):
    """Show a Refusal instead of raising it, and at the end what could not be read or saved."""

    @wraps(call)
    def wrapper(*arguments, **keywords):
        try:
            call(*arguments, **keywords)
        except Refusal as refusal:
            say(*refusal.args)
        say(*log.take_notes())

    return wrapper


class Card:
    """title: in bold. word: an optional verdict before it, such as "Right". aside: in grey after it."""

    def __init__(self, title="", aside="", *, word="", colour=BLUE):
        self.colour, self.pages, self.lines = colour, [], []
        if title or word:
            first = bright(colour, html.escape(word or title), "b")
            second = tag("b", "", code_spans(title)) if word else ""
            grey = tag("span", "opacity:.75", html.escape(aside)) if aside else ""
            text = ": ".join(filter(None, [word, title])) + (f"  ({aside})" if aside else "")
            self.add(tag("div", "", f"{first} {second} {grey}"), text)

    def say(self, *lines, style=BELOW):
        """Add lines, skipping those that are empty or None."""
        for line in filter(None, lines):
            self.add(tag("div", style, code_spans(line)), line)
        return self

    def quiet(self, *lines):
        return self.say(*lines, style=QUIET)

    def markdown(self, text):
        return self.add(as_html(text), text.strip())

    def points(self, head, lines):
        """Add a heading and a bulleted list; nothing if the list is empty."""
        if lines:
            items = "".join(tag("li", "margin:.15em 0", code_spans(line)) for line in lines)
            page = tag("div", "margin-top:.5em", tag("b", "", code_spans(head)))
            page += tag("ul", "margin:.2em 0 .2em 1.2em;padding:0", items)
            self.add(page, f"{head}:", *(f"  - {line}" for line in lines))
        return self

    def table(self, rows, heads=(), wide=""):
        """Add a table. In the text, each row is a line, with its cells separated by commas. A page for phones
        may use `data-head`, the head of a cell's column."""
        page = ""
        for name, cells in [("th", heads), *(("td", row) for row in rows)]:
            cells = [tag(name, CELL, code_spans(str(cell))) for cell in cells]
            for n, head in enumerate(heads):
                cells[n] = cells[n].replace(f"<{name}", f'<{name} data-head="{html.escape(head)}"', 1)
            page += tag("tr", "background:none", "".join(cells))
        style = f"border-collapse:collapse;margin:0;font-size:inherit;{wide}"
        page = tag("div", f"overflow-x:auto;{BELOW}", tag("table", style, page))
        return self.add(page, *("  " + ", ".join(str(cell) for cell in row if cell != "") for row in rows))

    def code(self, text):
        """Add a program. It scrolls if it is wider than the card."""
        return self.add(tag("pre", PRE, html.escape(text)), *text.splitlines())

    def add(self, page, *lines):
        """Append HTML, and the same content as lines of text."""
        self.pages.append(page)
        self.lines += lines
        return self

    @property
    def page(self):
        return box(self.colour, "".join(self.pages))

    @property
    def text(self):
        return "\n".join(self.lines)

    def show(self):
        """Show the card, unless it is empty."""
        if self.pages:
            display_both(self.page, self.text)


def verdict(right, title, aside=""):
    """Start the Card of an attempt, with the word and the colour for right or wrong."""
    word, colour = STATUS["passed" if right else "wrong"]
    return Card(title, aside, word=word, colour=colour)


def say(*lines):
    """Show a few plain lines; nothing if all are empty."""
    Card().say(*lines, style="").show()


def as_text(value):
    """Format a value for a message: short, and on one line."""
    text = " ".join((value if isinstance(value, str) else repr(value)).split())
    return text if len(text) <= 60 else text[:57] + "..."


def kind_of(typed):
    """Describe a value that was passed: a text in quotes, a number, 'a list', 'nothing'."""
    if typed is None or isinstance(typed, str) and not typed.strip():
        return "nothing"
    if isinstance(typed, (bool, float)) or type(typed) is int and abs(typed) < 1e9:
        return as_text(typed)
    name = type(typed).__name__
    return (
        f'"{as_text(typed)}"' if isinstance(typed, str) else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    )


def as_html(markdown):
    """Convert Markdown to HTML; without mistune (part of JupyterLab), only paragraphs and inline code."""
    try:
        from mistune import create_markdown
    except ImportError:
        return "".join(tag("p", STYLES["p"], code_spans(part)) for part in markdown.split("\n\n"))
    page = str(create_markdown(escape=True, plugins=["table"])(markdown))
    for name, style in STYLES.items():
        page = page.replace(f"<{name}>", f'<{name} style="{style}">')
    return page


def sentences(path):
    """A function that looks up a sentence in a TOML file and fills in values: text("none", 3)."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return lambda name, *values: table[name].format(*values)
