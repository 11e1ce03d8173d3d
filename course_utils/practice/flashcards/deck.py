"""Read the decks: decks/N_TOPIC.toml comes in; Flashcards and their backs go out (docs/flashcards.md)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...show.tables import tag
from ..card import Card, as_html
from ..questions import Question, one_line, question_from, right_answer

FOLDER = Path(__file__).parent / "decks"
PREFIX = "card:"


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

    @property
    def fact(self):
        """The name of the facts on it."""
        return PREFIX + self.name

    @property
    def prompt(self):
        """What is asked: the question, or the one with numbers or choices that a program can judge."""
        return self.check.as_markdown() if self.check else self.question

    def back(self):
        """A Card with the answer, in general and to the numbers or choices that were asked; the common wrong
        answer and the reason; the follow-up; and the section."""
        texts = {"Answer": self.answer}
        if self.check and self.check.kind != "text":
            word = "The choice" if self.check.kind == "choice" else "With the numbers asked"
            texts[word] = right_answer(self.check)
        texts |= {"Common wrong answer": self.wrong, "Why that is wrong": self.why, "Then": self.then}
        page = Card()
        for word, text in texts.items():
            page.add(as_html(f"**{word}.** {text}"), f"{word}. {text}")
        answer = tag("summary", "cursor:pointer", "The answer to this") + as_html(self.then_answer)
        return page.add(tag("details", "", answer), f"    {self.then_answer}").quiet(
            f"Read again: {self.place}."
        )


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
