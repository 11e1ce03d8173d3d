"""A Card comes in, what is seen of it goes out, as (HTML, text): its question, its back, a verdict."""

import html

from ...show.card import STATUS, box, bright, code_spans
from ...show.tables import tag
from ..cards import QUIET
from ..wording import as_html, as_markdown

COLOUR = "#3568a8"
HEAD = "opacity:.75;font-size:90%"
PARTS = {"wrong": "Often said", "why": "Why that is wrong"}
CHECKED = (
    "To answer, type `flashcards.answer({})`. Or say it aloud, and `flashcards.reveal()` shows the answer."
)
RATED = "Say it aloud in two or three sentences. Then `flashcards.reveal()` shows the answer."
SAMPLE = {"choice": '"a"', "number": "7", "shape": "(7, 8, 9)", "text": '"a word or two"'}


def how_to_answer(card):
    return CHECKED.format(SAMPLE[card.check.kind]) if card.check else RATED


def head(card, place=""):
    return " · ".join(filter(None, [place, card.topic, card.title]))


def prompt(card):
    """The question as markdown, with what is chosen from."""
    return as_markdown(card.check) if card.check else card.question


def front(card, place=""):
    page = tag("div", HEAD, code_spans(head(card, place))) + as_html(prompt(card))
    return page, f"{head(card, place)}\n\n{prompt(card)}"


def answers(card):
    """[(word, text)]: the answer, and what it is for the numbers or the choices that the card asks."""
    found, check = [("Answer", card.answer)], card.check
    if check and check.kind == "choice":
        choice = check.choices[check.letters.index(check.answer)]
        found.append(("The choice", f"{check.answer} · {choice}"))
    elif check and check.kind == "shape":
        found.append(("With the numbers asked", f"({', '.join(map(str, check.answer))})"))
    elif check and check.kind == "number":
        rounded = f"{check.answer:.4g}" if check.tolerance else str(check.answer)
        found.append(("With the numbers asked", rounded))
    return found


def back(card):
    """The answer, the common wrong one and the reason, the follow-up, its answer folded, and the place."""
    parts = [*answers(card), *((word, getattr(card, name)) for name, word in PARTS.items())]
    page = "".join(as_html(f"**{word}.** {text}") for word, text in parts)
    summary = tag("summary", "cursor:pointer", as_html(f"**Then.** {card.then}").replace("<p ", "<span ", 1))
    page += tag("details", "margin:.4em 0", summary.replace("</p>", "</span>") + as_html(card.then_answer))
    page += tag("div", QUIET, f"Read again: {html.escape(card.place)}.")
    text = [f"{word}. {text}" for word, text in parts]
    text += [f"Then. {card.then}", f"    {card.then_answer}", f"Read again: {card.place}."]
    return box(COLOUR, page), "\n".join(text)


def verdict(card, found, notes=()):
    """What is said of a checked answer, before the answer itself is shown."""
    word, colour = STATUS["passed" if found.right else "wrong"]
    said = tag("span", "opacity:.75", f"you said {html.escape(found.said)}")
    below = [line for line in ("" if found.right else found.reason, found.axis, *notes) if line]
    page = tag("div", "", f"{bright(colour, word, 'b')} <b>{code_spans(card.title)}</b> {said}")
    page += "".join(tag("div", "margin-top:.35em", code_spans(line)) for line in below)
    return box(colour, page), "\n".join([f"{word}: {card.title}  (you said {found.said})", *below])


def joined(*pages):
    """Several (HTML, text) as one."""
    return "".join(page for page, _ in pages), "\n\n".join(text for _, text in pages)
