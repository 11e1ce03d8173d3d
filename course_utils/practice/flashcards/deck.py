"""decks/TOPIC.toml comes in, a Card for each name goes out. docs/flashcards.md says what an author writes."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..questions import Question, Wrong

FOLDER = Path(__file__).parent / "decks"
TEXTS = ("name", "title", "section", "question", "answer", "wrong", "why", "then", "then_answer")
BROKEN = "The flashcards on {} cannot be read: get the course again, your own files stay as they are."


@dataclass(frozen=True)
class Card:
    """One flashcard. All texts but name and section are markdown.

    topic: its file. name: what it is remembered by, for ever. title: a line for a list, without the answer.
    section: where the lessons say it, "4.2" in lesson 4. wrong: the common wrong answer, and why it is wrong.
    then, then_answer: the follow-up question. check: how an answer is judged; None: the learner rates it.
    """

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


def card_from(table, topic):
    """The Card of one [[card]]; TypeError, KeyError or AttributeError for what is none."""
    texts = {name: one_line(table[name]) for name in TEXTS}
    check = table.get("check")
    if table.keys() - {*TEXTS, "check"}:
        raise KeyError(table.keys() - {*TEXTS, "check"})
    return Card(topic, **texts, check=question_from(check, texts) if check else None)


def question_from(check, texts):
    """The Question that predict()'s judge works with. A check may ask in other words, with numbers."""
    wrong = [Wrong(answer, one_line(reason)) for answer, reason in check.get("wrong", [])]
    given = {**check, "prompt": one_line(check.get("prompt", texts["question"])), "wrong": wrong}
    return Question(name=texts["name"], lesson="", right=texts["answer"], **given)


def one_line(text):
    return " ".join(text.split())


@cache
def decks():
    """({name: Card} of all topics in order, [a sentence for each file that cannot be read])."""
    cards, said = {}, []
    for path in sorted(FOLDER.glob("*.toml")):
        topic = path.stem.partition("_")[2]
        try:
            tables = tomllib.loads(path.read_text(encoding="utf-8"))["card"]
            cards |= {table["name"]: card_from(table, topic) for table in tables}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            said.append(BROKEN.format(topic))
    return cards, said
