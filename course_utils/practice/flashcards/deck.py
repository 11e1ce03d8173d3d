"""decks/TOPIC.toml comes in, a Flashcard for each name goes out, and what its back says
(docs/flashcards.md)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...show.tables import tag
from ..card import Card, as_html
from ..judge import right_answer
from ..questions import Question, one_line, question_from

FOLDER = Path(__file__).parent / "decks"
TEXTS = ("name", "title", "section", "question", "answer", "wrong", "why", "then", "then_answer")


@dataclass(frozen=True)
class Flashcard:
    """All texts but name and section are markdown. topic: its file. name: what it is remembered by, for ever.
    title: a line for a list, without the answer. section: where the lessons say it, "4.2" in lesson 4.
    wrong: the common wrong answer, and why it is wrong. then, then_answer: the follow-up question.
    check: how an answer is judged; None: the learner rates it."""

    topic: str
    name: str
    title: str
    section: str
    question: str
    answer: str
    wrong: str
    why: str
    then: str
    then_answer: str
    check: Question | None = None

    @property
    def place(self):
        return f"lesson {self.section.split('.')[0]}, section {self.section}"


@cache
def decks():
    """{name: Flashcard} of all topics, in their order."""
    cards = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for table in tomllib.loads(path.read_text(encoding="utf-8"))["card"]:
            texts = {name: one_line(table[name]) for name in TEXTS}
            about = {"prompt": texts["question"], "right": texts["answer"]}
            check = question_from(texts["name"], table["check"], **about) if "check" in table else None
            cards[texts["name"]] = Flashcard(path.stem.partition("_")[2], **texts, check=check)
    return cards


def back(card):
    """The Card with the answer, also for the numbers or the choices that the card asks, the common wrong one
    and the reason, the follow-up, and the place."""
    texts = {"Answer": card.answer}
    if card.check and card.check.kind != "text":
        word = "The choice" if card.check.kind == "choice" else "With the numbers asked"
        texts[word] = right_answer(card.check)
    shown = Card()
    for word, text in {**texts, "Often said": card.wrong, "Why that is wrong": card.why}.items():
        shown.add(as_html(f"**{word}.** {text}"), f"{word}. {text}")
    then = as_html(f"**Then.** {card.then}").replace("<p ", "<span ", 1).replace("</p>", "</span>")
    folded = tag("summary", "cursor:pointer", then) + as_html(card.then_answer)
    shown.add(tag("details", "margin:.4em 0", folded), f"Then. {card.then}", f"    {card.then_answer}")
    return shown.quiet(f"Read again: {card.place}.")


def topics():
    return list(dict.fromkeys(card.topic for card in decks().values()))
