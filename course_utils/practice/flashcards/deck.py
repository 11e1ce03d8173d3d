"""Read the decks: decks/N_TOPIC.toml comes in; Flashcards and their backs go out (docs/flashcards.md)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...show.tables import tag
from ..card import Card, as_html
from ..judge import right_answer
from ..questions import Question, one_line, question_from

FOLDER = Path(__file__).parent / "decks"


@dataclass(frozen=True)
class Flashcard:
    """All texts except name and section are Markdown. topic: from the file's name. name: never changes, as
    answers are recorded under it. title: for a list; it does not give the answer away. section: where the
    lessons teach it, such as "4.2" in lesson 4. wrong, why: the common wrong answer, and why it is wrong.
    then, then_answer: the follow-up question. check: judges an answer; None if the learner rates it."""

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
            check = table.pop("check", None)
            texts = {name: one_line(text) for name, text in table.items()}
            about = {"prompt": texts["question"], "right": texts["answer"]}
            check = check and question_from(texts["name"], check, **about)
            cards[texts["name"]] = Flashcard(path.stem.partition("_")[2], **texts, check=check)
    return cards


def back(card):
    """The back of a flashcard: the answer, in general and to the numbers or choices that were asked; the
    common wrong answer and the reason; the follow-up; and the section."""
    texts = {"Answer": card.answer}
    if card.check and card.check.kind != "text":
        word = "The choice" if card.check.kind == "choice" else "With the numbers asked"
        texts[word] = right_answer(card.check)
    page = Card()
    for word, text in {**texts, "Common wrong answer": card.wrong, "Why that is wrong": card.why}.items():
        page.add(as_html(f"**{word}.** {text}"), f"{word}. {text}")
    folded = tag(
        "details", "", tag("summary", "cursor:pointer", "The answer to this") + as_html(card.then_answer)
    )
    page.add(as_html(f"**Then.** {card.then}") + folded, f"Then. {card.then}", f"    {card.then_answer}")
    return page.quiet(f"Read again: {card.place}.")


def topics():
    return list(dict.fromkeys(card.topic for card in decks().values()))
