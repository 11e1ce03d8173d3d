"""A Verdict comes in, its card goes out, as (HTML, text)."""

import html

from ..show.card import STATUS, box, bright, code_spans
from ..show.tables import tag
from .wording import as_html

AGAIN = "Answer again as often as you like. The question comes again after a day."
SURE_AND_WRONG = "You were sure: just this is worth remembering."
RIGHT_AND_UNSURE = "You were not sure, and it is right."
QUIET = "margin-top:.35em;opacity:.85"


def card(question, verdict, sure=None, notes=()):
    """The card of a verdict: the word, the reason, what axis is wrong, then quiet lines."""
    word, colour = STATUS["passed" if verdict.right else "wrong"]
    below = [verdict.axis, *footnotes(verdict, sure), *notes]
    said = tag("span", "opacity:.75", f"you said {html.escape(verdict.said)}")
    page = tag("div", "", f"{bright(colour, word, 'b')} <b>{html.escape(question.name)}</b> {said}")
    page += as_html(verdict.reason)
    page += "".join(tag("div", QUIET, code_spans(line)) for line in below if line)
    text = [
        f"{word}: {question.name}  (you said {verdict.said})",
        verdict.reason.strip(),
        *filter(None, below),
    ]
    return box(colour, page), "\n".join(text)


def footnotes(verdict, sure):
    if verdict.right:
        return [RIGHT_AND_UNSURE] if sure is False else []
    return [SURE_AND_WRONG, AGAIN] if sure else [AGAIN]


def sentence(*lines):
    """A few plain lines as a quiet card, (HTML, text): what cannot be judged, and why."""
    body = "".join(tag("div", "", code_spans(line)) for line in lines)
    return box("#3568a8", body), "\n".join(lines)
